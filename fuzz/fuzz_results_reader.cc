// The reader of results files: any file is read or refused with one sentence that names it; a case
// that was read is written as a line that reads back to the same line, and the short way to read
// plain cases reads what the long one does.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <string>
#include <vector>

#include "conformance/format/part.h"
#include "conformance/format/reader.h"
#include "conformance/results/record.h"
#include "fuzz/problem_from_bytes.h"

namespace {

using poolproof::CaseLine;
using poolproof::Json;
using poolproof::Record;
using poolproof::ResultsGrammar;

void CheckPlain(const CaseLine& c, std::string_view line) {
  poolproof::Error reason;
  const std::optional<Json> value = poolproof::ParseStrictly(line, &reason);
  assert(value && value->is_object() && (*value)["n"] == c.n && (*value)["id"] == c.id);
  assert((*value)["verdict"] == "pass" && (*value)["section"] == c.section);
  assert(value->size() == (value->contains("line") ? 5u : 4u));
  assert(value->value("line", c.id) == c.line);
}

void CheckRecord(const CaseLine& c) {
  const poolproof::Specs& specs = poolproof::BuiltInSpecs();
  poolproof::Error error;
  const std::optional<Record> record = RecordOf(specs, c, &error);
  assert(record.has_value() == error.message.empty());
  if (!record) return;
  std::string first, second;
  AppendRecord(*record, poolproof::Closing(), &first);
  const std::optional<Record> again = ParseRecord(specs, first, &error);
  assert(again);
  AppendRecord(*again, poolproof::Closing(), &second);
  assert(first == second);
}

// Lists come out as they were put in.
void CheckAlike(const poolproof::AlikeLine& line) {
  poolproof::AlikeCases cases;
  cases.Add(line);
  std::vector<uint64_t> places;
  for (; cases.Place(); cases.Next()) places.push_back(*cases.Place());
  assert(std::is_sorted(places.begin(), places.end()) && places.size() <= line.cases);
  const std::string packed = poolproof::PackNumbers(places);
  poolproof::PackedNumbers again(packed);
  for (const uint64_t place : places) assert(again.Next() == place);
  assert(!again.Next() && again.AtEnd());
}

// Line by line; whether it is a complete file.
bool ReadLines(std::string_view text) {
  ResultsGrammar grammar;
  Json header;
  poolproof::Error error;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    switch (grammar.Take(line, &error)) {
      case ResultsGrammar::Item::kRefused:
        assert(!error.message.empty() && error.message.find('\n') == error.message.npos &&
               error.message.find('\x1b') == error.message.npos);
        return false;
      case ResultsGrammar::Item::kHeader: header = grammar.value(); break;
      case ResultsGrammar::Item::kCase:
        if (grammar.current().plain) CheckPlain(grammar.current(), line);
        CheckRecord(grammar.current());
        break;
      case ResultsGrammar::Item::kAlike: CheckAlike(grammar.alike()); break;
      case ResultsGrammar::Item::kPlanned:
      case ResultsGrammar::Item::kCounted:
      case ResultsGrammar::Item::kGroup: break;
      case ResultsGrammar::Item::kFooter: poolproof::PartOf(header, grammar.value()); break;
    }
    assert(error.message.empty());
  }
  return grammar.Finish(&error);
}

// The reader takes a path: a file that exists in memory only.
int MemoryFile() {
  const int fd = memfd_create("results", 0);
  if (fd < 0) std::abort();
  return fd;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const bool complete = ReadLines({reinterpret_cast<const char*>(data), size});
  static const int fd = MemoryFile();
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  poolproof::ResultsHandler handler;
  poolproof::Error error;
  const bool read = poolproof::ReadResults(path, &handler, &error);
  assert(read == complete);
  assert(read == error.message.empty());
  assert(read || error.message.starts_with(path + ":"));
  return 0;
}
