// Files in one file: POSIX ustar, which every tar reads. Written and read here are plain files without folders,
// owners and times alone, so that the same files give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "conformance/cases/spec.h"

namespace poolproof {

// Writes the files `names` of a folder, in this order, to `path` in one step. On failure one sentence.
bool WriteTar(const std::string& folder, const std::vector<std::string>& names, const std::string& path, Error* error);

// Takes the files out into an existing folder. Refused, with one sentence that names `path`, is whatever
// WriteTar does not write: another kind of member or header, a file twice, a file that is cut off, more
// bytes behind the end.
bool ReadTar(const std::string& path, const std::string& folder, std::vector<std::string>* names, Error* error);

}  // namespace poolproof
