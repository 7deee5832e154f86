// What a folder of vectors holds, so that nothing of it can be lost or changed without being seen.
#ifndef POOLPROOF_CONFORMANCE_RUN_VECTORS_MANIFEST_H_
#define POOLPROOF_CONFORMANCE_RUN_VECTORS_MANIFEST_H_

#include <map>
#include <string>

#include "conformance/run/plan.h"

namespace poolproof {

// <folder>/manifest.json, as VECTORS.md describes it.
struct VectorsManifest {
  PlanOptions plan;
  std::string profile;  // that the expected outputs follow
  uint64_t count = 0;   // vectors
  std::string digest;   // XXH3-128 of the files of the vectors, 32 digits

  // The text of the file.
  std::string Text(const Specs& specs) const;
};

std::string ManifestPath(const std::string& folder);

// Reads the manifest of a folder that this program, with these specs, has written. On failure one
// sentence.
bool ReadManifest(const Specs& specs, const std::string& folder, VectorsManifest* manifest, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_VECTORS_MANIFEST_H_
