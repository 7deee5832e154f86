#include "conformance/run/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/cases/digest.h"
#include "conformance/format/line_file.h"
#include "conformance/format/strict_json.h"
#include "conformance/format/text.h"
#include "conformance/results/answer.h"
#include "conformance/results/finish.h"
#include "conformance/results/header.h"
#include "conformance/results/record.h"
#include "conformance/results/results_file.h"
#include "conformance/results/results_plan.h"
#include "conformance/run/vector_files.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxManifest = 1 << 20;
constexpr int kManifestFormat = 1;
constexpr uint64_t kShown = 1024;  // places of the plan after which is said how far it is

// The list of what a folder of vectors holds, so that nothing of it can be lost or changed without being seen:
// <folder>/manifest.json, as VECTORS.md describes it.
struct VectorsManifest {
  PlanOptions plan;
  std::string profile;  // that the expected outputs follow
  uint64_t count = 0;   // vectors
  std::string digest;   // XXH3-128 of the profile and the files of the vectors, 32 digits

  // The text of the file.
  std::string Text(const Specs& specs) const;
};

std::string ManifestPath(const std::string& folder) { return folder + "/manifest.json"; }

std::string VectorsManifest::Text(const Specs& specs) const {
  const Json value = {{"poolproof_vectors", kManifestFormat},
                      {"tool", {{"name", "poolproof"}, {"version", POOLPROOF_VERSION}}},
                      {"specs", {{"digest", specs.digest}}},
                      {"profile", profile},
                      {"level", LevelName(plan.level)},
                      {"seed", plan.seed},
                      {"random", plan.random_count.value_or(0)},
                      {"shard", {{"index", plan.shard.index}, {"count", plan.shard.count}}},
                      {"filter", plan.filter},
                      {"count", count},
                      {"digest", digest}};
  return value.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool ReadManifest(const Specs& specs, const std::string& folder, VectorsManifest* manifest, Error* error) {
  const std::string path = ManifestPath(folder);
  std::string text;
  Error reason;
  if (!ReadWholeFile(path, kMaxManifest, &text, error)) return false;
  const std::optional<Json> value = ParseStrictly(text, &reason);
  const bool named = value && value->is_object() && value->value("poolproof_vectors", Json()) == kManifestFormat;
  if (!named) {
    return Fail(fmt::format("{}: {}.", path, value ? "is no manifest of vectors of format 1" : reason.message), error);
  }
  const Json count = value->value("count", Json());
  const std::unique_ptr<CasesOfPlan> planned = PlanOfResults(specs, *value, error);
  if (planned == nullptr || !count.is_number_unsigned()) {
    return Fail(fmt::format("{}: {}.", path, planned ? "\"count\" is no number" : error->message), error);
  }
  manifest->plan = planned->plan().Options();
  manifest->profile = StringOr(*value, "profile");
  manifest->count = count.get<uint64_t>();
  manifest->digest = StringOr(*value, "digest");
  return true;
}

// Shapes alone are no files, and feature maps of 2 GiB too large for files.
bool HasVector(const PlannedCase& planned) {
  return !planned.problem.ShapesAlone() && planned.section != Section::kHuge;
}

std::string StemOf(const std::string& folder, uint64_t number) { return fmt::format("{}/{:06}", folder, number); }

bool WriteFile(const std::string& path, const std::string& bytes, Error* error) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (file.flush()) return true;
  return Fail(path + ": cannot be written.", error);
}

// Over the profile and all files of all vectors, in order.
class FilesDigest {
 public:
  // The profile is that of the expected outputs, also where another one expects the same.
  explicit FilesDigest(const std::string& profile) { digest_.Add(profile + "\n"); }

  void Add(uint64_t number, const std::vector<std::pair<std::string, std::string>>& files) {
    for (const auto& [suffix, bytes] : files) {
      digest_.Add(fmt::format("{:06}{} {}\n", number, suffix, bytes.size())).Add(bytes);
    }
  }
  std::string Text() const { return digest_.Hex(); }

 private:
  Digest digest_;
};

// Files of vectors that the manifest does not have: "000007.output0.npy" where there are 6.
bool NoOthers(const std::string& folder, uint64_t count, Error* error) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    uint64_t number = 0;
    const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), number);
    const auto digits = end - name.data();
    if (status != std::errc() || digits < 6 || end == name.data() + name.size() || *end != '.') continue;
    if (number >= 1 && number <= count) continue;
    error->message =
        fmt::format("{}/{}: there is no vector {}: the folder has {}.", folder, EscapeForTerminal(name), number, count);
    return false;
  }
  return true;
}

class VectorJudge {
 public:
  VectorJudge(const Specs& specs, const SessionOptions& options, const VectorsManifest& manifest,
              const std::string& folder, Error* error)
      : specs_(specs), options_(options), manifest_(manifest), folder_(folder), error_(error) {}

  std::optional<RunResult> Run(int* exit_code) {
    *exit_code = kUsage;
    const auto written_by = SelectReadings(manifest_.profile, {}, error_);
    const auto plan = Plan::Make(specs_, manifest_.plan, error_);
    if (!written_by || !plan || !NoOthers(folder_, manifest_.count, error_)) return std::nullopt;
    if (!options_.baseline_path.empty()) {
      baseline_ = Baseline::Load(options_.baseline_path, error_);
      if (!baseline_) return std::nullopt;
    }
    bool busy = false;
    result_.lock = FolderLock::Take(options_.out, &busy, error_);
    if (!busy) *exit_code = kRunnerFailed;
    if (result_.lock == nullptr || !Begin()) return std::nullopt;
    if (!JudgeAll(*plan, *written_by, exit_code)) return std::nullopt;
    *exit_code = kRunnerFailed;
    if (!Close()) return std::nullopt;
    *exit_code = result_.conforms ? kConforms : kDoesNotConform;
    return std::move(result_);
  }

 private:
  bool Begin() {
    result_.backend.name = "vectors of " + folder_;
    header_ = MakeHeader(specs_, options_, result_.backend);
    header_["vectors"] = true;
    result_.tally = RunCloser::EmptyTally(header_, Baselined());
    return file_.Create(options_.out, error_) && file_.Append(Line(header_), error_);
  }

  bool JudgeAll(const Plan& plan, const Selection& written_by, int* exit_code) {
    FilesDigest digest(manifest_.profile);
    uint64_t number = 0;
    std::string lines;
    for (uint64_t n = 0; n < plan.Size(); ++n) {
      if (n % kShown == 0 && options_.phase) {
        options_.phase("judging", static_cast<double>(n) / static_cast<double>(plan.Size()));
      }
      if (!plan.Get(n, &vector_.planned) || !HasVector(vector_.planned)) continue;
      if (number == manifest_.count) return OtherVectors(exit_code);
      vector_.Compute(written_by);
      digest.Add(++number, vector_.Files());
      Record record = RecordOf(vector_.planned);
      if (!JudgeOne(StemOf(folder_, number), &record)) return Refused(exit_code);
      Closing closing;
      closing.group = result_.tally.Add(record);
      AppendRecord(record, closing, &lines);
      if (lines.size() < ResultsFile::kAppendBytes) continue;
      if (!file_.Append(std::exchange(lines, ""), error_)) return false;
    }
    if (number != manifest_.count || digest.Text() != manifest_.digest) return OtherVectors(exit_code);
    return file_.Append(lines, error_);
  }

  bool OtherVectors(int* exit_code) {
    error_->message = fmt::format("{}: its count or digest is that of other vectors: it is not as it was written.",
                                  ManifestPath(folder_));
    return Refused(exit_code);
  }

  bool Refused(int* exit_code) {
    *exit_code = kUsage;
    file_.Discard();
    return false;
  }

  // False where the folder is refused.
  bool JudgeOne(const std::string& stem, Record* record) {
    TeamAnswer answer;
    VectorRead read = CheckFiles(vector_, stem, error_);
    if (read == VectorRead::kGood) read = answer.Read(vector_, stem, error_);
    if (read == VectorRead::kRefused) return false;
    if (read == VectorRead::kMissing) {
      record->judgement.message = error_->message;
      record->signature = "missing";
      record->answer = EvidenceDigest("missing");
      return true;
    }
    const PlannedCase& planned = vector_.planned;
    if (manifest_.profile != options_.profile) {
      ComputeExpected(planned.problem, planned.example, options_.selection, vector_.call, &vector_.expected);
    }
    const Expectation expectation{&vector_.expected, planned.example, planned.invalid, options_.selection.demanded};
    record->judgement = judge_.Decide(planned.problem, vector_.call, expectation, answer.result());
    const Verdict verdict = record->judgement.verdict;
    if (!Conforms(verdict)) {
      record->signature = SignatureOf(planned, record->judgement, answer.result());
      if (answer.result().event == Event::kNone) {
        record->causes =
            diagnostician_.Diagnose(vector_.call, vector_.expected, Judge::Answer(vector_.call, answer.result(), 0));
      }
    }
    if (!Conforms(verdict) || !record->judgement.candidates.empty()) {
      record->answer = AnswerDigest(vector_.call, 0, answer.result(), verdict);
    }
    return true;
  }

  bool Close() {
    RunCloser closer(specs_, options_.selection, header_, Baselined(), &file_, &result_, error_);
    return closer.Recount() && closer.Write();
  }

  Baseline* Baselined() { return baseline_ ? &*baseline_ : nullptr; }

  const Specs& specs_;
  const SessionOptions& options_;
  const VectorsManifest& manifest_;
  const std::string& folder_;
  Error* const error_;
  std::optional<Baseline> baseline_;
  Vector vector_;
  Judge judge_;
  Diagnostician diagnostician_;
  ResultsFile file_;
  Json header_;
  RunResult result_;
};

}  // namespace

bool WriteVectors(const Plan& plan, const std::string& profile, const reference::Selection& selection,
                  const std::string& folder, uint64_t* count, Error* error) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code || !fs::is_empty(folder, code)) {
    error->message =
        fmt::format("{}: {}.", folder,
                    code ? "cannot be made: " + code.message() : "is not empty; vectors need a folder of their own");
    return false;
  }
  *count = 0;
  Vector vector;
  FilesDigest digest(profile);
  for (uint64_t n = 0; n < plan.Size(); ++n) {
    if (!plan.Get(n, &vector.planned) || !HasVector(vector.planned)) continue;
    vector.Compute(selection);
    const auto files = vector.Files();
    digest.Add(++*count, files);
    for (const auto& [suffix, bytes] : files) {
      if (!WriteFile(StemOf(folder, *count) + suffix, bytes, error)) return false;
    }
  }
  const VectorsManifest manifest{plan.Options(), profile, *count, digest.Text()};
  // Last, so that a folder with a manifest is complete.
  return WriteFile(ManifestPath(folder), manifest.Text(plan.specs()), error);
}

std::optional<RunResult> JudgeVectors(const Specs& specs, SessionOptions* options, const std::string& folder,
                                      int* exit_code, Error* error) {
  *exit_code = kUsage;
  VectorsManifest manifest;
  if (!ReadManifest(specs, folder, &manifest, error)) return std::nullopt;
  if (options->profile.empty()) options->profile = manifest.profile;
  const auto selection = SelectReadings(options->profile, {}, error);
  if (!selection) return std::nullopt;
  options->selection = *selection;
  options->lane.backend = folder;
  options->plan = manifest.plan;
  return VectorJudge(specs, *options, manifest, folder, error).Run(exit_code);
}

}  // namespace poolproof
