#include "conformance/format/reader.h"

#include <fmt/format.h>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

// Hands on what a ResultsReader reads.
bool HandOn(ResultsReader& reader, ResultsHandler* handler, Error* error) {
  using Read = ResultsReader::Item;
  while (true) {
    switch (reader.Next(error)) {
      case Read::kHeader: handler->OnHeader(std::move(reader.value())); break;
      case Read::kPlanned: break;
      case Read::kAlike: handler->OnAlike(reader.grammar().alike()); break;
      case Read::kCase: handler->OnCase(reader.current()); break;
      case Read::kGroup: handler->OnGroup(std::move(reader.value())); break;
      case Read::kCounted: handler->OnCounted(reader.grammar().counted()); break;
      case Read::kFooter: handler->OnFooter(std::move(reader.value())); break;
      case Read::kEnd: return true;
      case Read::kRefused: return false;
    }
  }
}

}  // namespace

std::string ResultsReader::Sentence(const std::string& what) const {
  return fmt::format("{}:{}: {}.", file_.path(), file_.number(), what);
}

ResultsReader::Item ResultsReader::Next(Error* error) {
  std::string_view line;
  const LineFile::Got got = file_.Next(&line, error);
  if (got == LineFile::Got::kError) return Item::kRefused;
  if (got == LineFile::Got::kEnd) {
    if (grammar_.Finish(error)) return Item::kEnd;
    error->message = fmt::format("{}: {}.", file_.path(), error->message);
    return Item::kRefused;
  }
  const ResultsGrammar::Item item = grammar_.Take(line, error);
  if (item == ResultsGrammar::Item::kRefused) error->message = Sentence(error->message);
  return static_cast<Item>(item);
}

bool ReadResults(const std::string& path, ResultsHandler* handler, Error* error) {
  ResultsReader reader;
  return reader.Open(path, error) && HandOn(reader, handler, error);
}

bool EachListedCase(const std::string& path, const std::function<void(const CaseLine&)>& take, Error* error) {
  using Read = ResultsReader::Item;
  ResultsReader reader;
  if (!reader.Open(path, error)) return false;
  Read item;
  do {
    item = reader.Next(error);
    if (item == Read::kPlanned) {
      return Fail(reader.Sentence("not all cases have a line, and the plan of the others is not known"), error);
    }
    if (item == Read::kCase) take(reader.current());
  } while (item != Read::kEnd && item != Read::kRefused);
  return item == Read::kEnd;
}

}  // namespace poolproof
