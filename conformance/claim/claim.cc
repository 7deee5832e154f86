#include "conformance/claim/claim.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/cases/digest.h"
#include "conformance/cases/plan.h"
#include "conformance/claim/facts.h"
#include "conformance/claim/tar.h"
#include "conformance/format/byte_file.h"
#include "conformance/format/line_file.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/results/baseline_file.h"
#include "conformance/run/probe.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxStatement = size_t{16} << 20;
constexpr size_t kShown = 80;  // characters of a value in a sentence
constexpr const char* kStatement = "statement.json";
// Beside the results; the statement comes first and has no digest of itself.
constexpr const char* kFixed[] = {"badge.json", "badge.svg", "baseline.txt", "probe.json"};

bool Write(const std::string& path, std::string_view text, Error* error) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.flush() ? true : Fail(path + ": cannot be written.", error);
}

bool CopyResults(const std::string& from, const std::string& to, Error* error) {
  ByteFile file;
  if (!file.Open(from, error)) return false;
  std::ofstream out(to, std::ios::binary);
  std::string block(size_t{1} << 20, '\0');
  Error reason;
  ptrdiff_t got = 0;
  while ((got = file.Read(block.data(), block.size(), &reason)) > 0) out.write(block.data(), got);
  if (got < 0) return Fail(fmt::format("{}: {}.", from, reason.message), error);
  return out.flush() ? true : Fail(to + ": cannot be written.", error);
}

bool Digests(const OpenClaim& claim, const std::vector<std::string>& names, Json* digests, Error* error) {
  *digests = Json::object();
  for (const std::string& name : names) {
    std::string digest = DigestOfFile(claim.In(name));
    if (digest.empty()) return Fail(claim.In(name) + ": cannot be read.", error);
    (*digests)[name] = std::move(digest);
  }
  return true;
}

// The probe that a file holds, or that the results were planned with.
bool WriteProbe(const Specs& specs, const ClaimRequest& request, const OpenClaim& claim, Error* error) {
  std::string text;
  if (!request.probe.empty()) {
    const auto support = ReadProbe(specs, request.probe, error);
    constexpr size_t kMaxProbe = size_t{16} << 20;
    return support && ReadWholeFile(request.probe, kMaxProbe, &text, error) &&
           Write(claim.In("probe.json"), text, error);
  }
  ResultsReader reader;
  if (!reader.Open(request.results[0], error)) return false;
  if (reader.Next(error) == ResultsReader::Item::kRefused) return false;
  const Json lacks = reader.value().value("lacks", Json());
  if (lacks.is_null()) {
    return Fail(request.results[0] +
                    ": does not say what the backend has; give the file of `probe --write` "
                    "as --probe.",
                error);
  }
  const auto support = Support::FromJson(specs, lacks, error);
  if (!support) return Fail(fmt::format("{}: {}.", request.results[0], error->message), error);
  const Json& backend = ObjectOr(reader.value(), "backend");
  BackendInfo info;
  info.name = StringOr(backend, "name");
  info.version = StringOr(backend, "version");
  return Write(claim.In("probe.json"), ProbeText(specs, info, *support), error);
}

bool WriteBaselineOf(const ClaimRequest& request, const OpenClaim& claim, Error* error) {
  std::string text = BaselineText({});
  constexpr size_t kMaxBaseline = size_t{256} << 20;
  if (!request.baseline.empty() && !ReadWholeFile(request.baseline, kMaxBaseline, &text, error)) {
    return false;
  }
  return Write(claim.In("baseline.txt"), text, error);
}

// Puts the names of the claim into a sentence about the files that were taken apart.
void NameInClaim(const OpenClaim& claim, const std::string& path, Error* error) {
  const std::string folder = claim.In("");
  for (size_t at = 0; (at = error->message.find(folder)) != std::string::npos;) error->message.erase(at, folder.size());
  error->message = path + ": " + error->message;
}

bool CheckNames(const std::vector<std::string>& names, const Json& digests, Error* error) {
  for (const char* name : kFixed) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return Fail(fmt::format("{} is missing.", name), error);
  }
  for (const auto& [name, digest] : digests.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return Fail(fmt::format("{} is missing.", name), error);
  }
  const std::vector<std::string> results = OpenClaim::ResultsAmong(names);
  for (const std::string& name : names) {
    if (name == kStatement) continue;
    if (!digests.contains(name)) return Fail(name + " is no file that the statement names.", error);
    const bool known = std::find(std::begin(kFixed), std::end(kFixed), name) != std::end(kFixed) ||
                       std::find(results.begin(), results.end(), name) != results.end();
    if (!known) return Fail(name + " is no part of a claim.", error);
  }
  return true;
}

// Demands the bytes that this program writes: marks and line ends of other editors would pass every reader unseen.
bool CheckBytes(const OpenClaim& claim, const std::vector<std::string>& names, Error* error) {
  for (const std::string& name : names) {
    LineFile file;
    if (!file.Open(claim.In(name), error)) return false;
    std::string_view line;
    LineFile::Got got{};
    while ((got = file.Next(&line, error)) == LineFile::Got::kLine) {
      if (file.number() == 1 && line.starts_with("\xEF\xBB\xBF")) {
        return Fail(name + ":1: begins with a byte order mark.", error);
      }
      if (line.find('\r') != line.npos) {
        return Fail(fmt::format("{}:{}: has a carriage return.", name, file.number()), error);
      }
    }
    if (got == LineFile::Got::kError) return false;
  }
  return true;
}

bool ReadStatement(const OpenClaim& claim, Json* statement, Error* error) {
  std::string text;
  Error reason;
  if (!fs::exists(claim.In(kStatement))) return Fail(fmt::format("{} is missing.", kStatement), error);
  if (!ReadWholeFile(claim.In(kStatement), kMaxStatement, &text, error)) return false;
  const auto value = ParseStrictly(text, &reason);
  if (!value) return Fail(fmt::format("{}: {}.", kStatement, reason.message), error);
  if (!value->is_object() || value->value("poolproof_claim", Json()) != 1) {
    return Fail(fmt::format("{}: is no statement of format 1 (\"poolproof_claim\":1).", kStatement), error);
  }
  for (const char* key : {"product", "product_version"}) {
    const Json text_of = value->value(key, Json());
    if (text_of.is_string() && Shows(text_of.get_ref<const std::string&>())) continue;
    return Fail(fmt::format("{}: \"{}\" is {}, not a text.", kStatement, key, ShortenedJson(text_of, kShown)), error);
  }
  *statement = *value;
  return true;
}

// The first value that is not what the parts say.
bool CheckStated(const Json& statement, const Json& facts, Error* error) {
  Json stated = statement;
  for (const char* key : {"poolproof_claim", "product", "product_version", "files"}) stated.erase(key);
  const nlohmann::json said = stated, found = facts;  // in any order
  if (said == found) return true;
  const nlohmann::json change = nlohmann::json::diff(said, found).front();
  const nlohmann::json::json_pointer at(change["path"].get<std::string>());
  const auto value = [&](const nlohmann::json& from) {
    return from.contains(at) ? ShortenedJson(Json(from.at(at)), kShown) : "missing";
  };
  return Fail(
      fmt::format("{}: {} is {}, which its parts say is {}.", kStatement, at.to_string(), value(said), value(found)),
      error);
}

// Compares what has to be this program's own.
bool CheckProgram(const Specs& specs, const Json& statement, Error* error) {
  const std::pair<const char*, std::string> ours[] = {{"specs", specs.digest}, {"plan", PlanDigest(specs, error)}};
  for (const auto& [key, digest] : ours) {
    const std::string said = StringOr(statement, key);
    if (said == digest) continue;
    return Fail(fmt::format("{}: \"{}\" is \"{}\", this program has \"{}\".", kStatement, key,
                            EscapeForTerminal(Shorten(said, 60)), digest),
                error);
  }
  return true;
}

bool CheckDigests(const OpenClaim& claim, const Json& said, Error* error) {
  Json found;
  std::vector<std::string> names;
  for (const auto& [name, digest] : said.items()) names.push_back(name);
  if (!Digests(claim, names, &found, error)) return false;
  for (const std::string& name : names) {
    if (said[name] == found[name]) continue;
    return Fail(fmt::format("{}: its digest is {}, the statement says {}.", name, ShortenedJson(found[name], kShown),
                            ShortenedJson(said[name], kShown)),
                error);
  }
  return true;
}

bool CheckBadges(const OpenClaim& claim, const Json& statement, Error* error) {
  const std::pair<const char*, std::string> badges[] = {{"badge.json", BadgeJson(statement)},
                                                        {"badge.svg", BadgeSvg(statement)}};
  for (const auto& [name, want] : badges) {
    std::string text;
    if (!ReadWholeFile(claim.In(name), kMaxStatement, &text, error)) return false;
    if (text == want) continue;
    const size_t at =
        static_cast<size_t>(std::mismatch(text.begin(), text.end(), want.begin(), want.end()).first - text.begin());
    return Fail(fmt::format("{}: byte {} is not as the statement has it: \"{}\".", name, at,
                            EscapeForTerminal(text.substr(at, 40))),
                error);
  }
  return true;
}

bool Check(const Specs& specs, const std::vector<std::string>& names, OpenClaim* claim, Error* error) {
  Json facts;
  if (!ReadStatement(*claim, &claim->statement, error)) return false;
  const Json& digests = ObjectOr(claim->statement, "files");
  if (!CheckNames(names, digests, error) || !CheckDigests(*claim, digests, error) ||
      !CheckBytes(*claim, names, error) || !CheckProgram(specs, claim->statement, error) ||
      !FindFacts(specs, claim->folder(), OpenClaim::ResultsAmong(names), &facts, error)) {
    return false;
  }
  facts["plan"] = claim->statement["plan"];  // which is ours
  return CheckStated(claim->statement, facts, error) && CheckBadges(*claim, claim->statement, error);
}

}  // namespace

OpenClaim::~OpenClaim() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

bool OpenClaim::MakeFolder(Error* error) {
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "poolproof-claim-XXXXXX").string();
  if (code || mkdtemp(name.data()) == nullptr) return Fail(name + ": cannot be made.", error);
  folder_ = name;
  return true;
}

std::vector<std::string> OpenClaim::ResultsAmong(const std::vector<std::string>& names) {
  std::vector<std::string> results;
  for (const std::string& name : names) {
    if (name.starts_with("results-") && name.ends_with(".jsonl")) results.push_back(name);
  }
  return results;
}

bool WriteClaim(const Specs& specs, const ClaimRequest& request, OpenClaim* claim, int* exit_code, Error* error) {
  *exit_code = kUsage;
  if (!claim->MakeFolder(error) || !WriteProbe(specs, request, *claim, error) ||
      !WriteBaselineOf(request, *claim, error)) {
    return false;
  }
  std::vector<std::string> names(std::begin(kFixed), std::end(kFixed));
  for (size_t i = 0; i < request.results.size(); ++i) {
    names.push_back(fmt::format("results-{}.jsonl", i + 1));
    if (!CopyResults(request.results[i], claim->In(names.back()), error)) return false;
  }
  Json facts, digests;
  if (!FindFacts(specs, claim->folder(), OpenClaim::ResultsAmong(names), &facts, error)) {
    NameInClaim(*claim, request.path, error);
    return false;
  }
  *exit_code = kRunnerFailed;
  claim->statement = {
      {"poolproof_claim", 1}, {"product", request.product}, {"product_version", request.product_version}};
  claim->statement.update(facts);
  claim->statement["plan"] = PlanDigest(specs, error);
  if (!Write(claim->In("badge.json"), BadgeJson(claim->statement), error) ||
      !Write(claim->In("badge.svg"), BadgeSvg(claim->statement), error) || !Digests(*claim, names, &digests, error)) {
    return false;
  }
  claim->statement["files"] = std::move(digests);
  const std::string text = claim->statement.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  names.insert(names.begin(), kStatement);
  return Write(claim->In(kStatement), text, error) && WriteTar(claim->folder(), names, request.path, error);
}

bool VerifyClaim(const Specs& specs, const std::string& path, OpenClaim* claim, Error* error) {
  std::vector<std::string> names;
  if (!claim->MakeFolder(error) || !ReadTar(path, claim->folder(), &names, error)) return false;
  if (Check(specs, names, claim, error)) return true;
  NameInClaim(*claim, path, error);
  return false;
}

}  // namespace poolproof
