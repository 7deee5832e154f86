#include "conformance/format/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

// Hands on what a ResultsReader reads.
bool HandOn(ResultsReader& reader, ResultsHandler* handler, std::string* error) {
  while (true) {
    switch (reader.Next(error)) {
      case ResultsReader::Item::kHeader: handler->OnHeader(std::move(reader.value())); break;
      case ResultsReader::Item::kCase: handler->OnCase(reader.current()); break;
      case ResultsReader::Item::kGroup: handler->OnGroup(std::move(reader.value())); break;
      case ResultsReader::Item::kFooter: handler->OnFooter(std::move(reader.value())); break;
      case ResultsReader::Item::kEnd: return true;
      case ResultsReader::Item::kRefused: return false;
    }
  }
}

}  // namespace

std::string ResultsReader::Sentence(const std::string& what) const {
  return fmt::format("{}:{}: {}.", file_.path(), file_.number(), what);
}

ResultsReader::Item ResultsReader::Next(std::string* error) {
  const LineFile::Got got = file_.Next(&line_, error);
  if (got == LineFile::Got::kError) return Item::kRefused;
  if (got == LineFile::Got::kEnd) {
    if (grammar_.Finish(error)) return Item::kEnd;
    *error = fmt::format("{}: {}.", file_.path(), *error);
    return Item::kRefused;
  }
  const ResultsGrammar::Item item = grammar_.Take(line_, error);
  if (item == ResultsGrammar::Item::kRefused) *error = Sentence(*error);
  constexpr Item kItems[] = {Item::kHeader, Item::kCase, Item::kGroup, Item::kFooter, Item::kRefused};
  return kItems[static_cast<size_t>(item)];
}

bool ReadResults(const std::string& path, ResultsHandler* handler, std::string* error) {
  ResultsReader reader;
  return reader.Open(path, error) && HandOn(reader, handler, error);
}

}  // namespace poolproof
