#include "conformance/run/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/judge/message.h"
#include "conformance/problem/fill.h"
#include "conformance/run/detail.h"
#include "conformance/run/finish.h"
#include "conformance/run/header.h"
#include "conformance/run/npy.h"
#include "conformance/run/record_json.h"
#include "conformance/run/results_file.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

bool CannotWrite(const std::string& path, Error* error) {
  error->message = path + ": cannot be written.";
  return false;
}

// A planned case with its input and expected result, computed here.
struct Prepared {
  PlannedCase planned;
  Call call;
  Expected expected;
  std::vector<std::byte> input;

  void Compute(const reference::Readings& readings) {
    call.Bind(planned.problem);
    input.resize(std::max<size_t>(call.inputs[0].size_bytes, 1));
    FillInput(planned.problem, input.data());
    call.inputs[0].data = input.data();
    ComputeExpected(planned, readings, call, &expected);
  }
};

bool WriteOne(const Prepared& prepared, const std::string& stem, Error* error) {
  const std::string json_path = stem + ".json";
  std::ofstream file(json_path);
  file << VectorJson(prepared.planned, prepared.call, prepared.expected).dump(1) << '\n';
  if (!file.flush()) return CannotWrite(json_path, error);
  for (size_t i = 0; i < prepared.call.call.input_count; ++i) {
    const std::string path = fmt::format("{}.input{}.npy", stem, i);
    if (!WriteNpy(path, prepared.call.inputs[i], error)) return false;
  }
  const Result& result = prepared.expected.result();
  for (size_t i = 0; result.status == POOLPROOF_OK && i < result.output_count; ++i) {
    const std::string path = fmt::format("{}.expected{}.npy", stem, i);
    if (!WriteNpy(path, result.outputs[i], error)) return false;
  }
  return true;
}

// What a team wrote for one case, in the form in which a lane reports.
struct Answered {
  CaseResult result;
  std::array<std::vector<std::byte>, kMaxOutputs> memory;

  bool Read(const Prepared& prepared, const std::string& stem, Error* error) {
    result.placements = 1;
    if (std::ifstream status(stem + ".status"); status) return ReadStatus(status, stem, error);
    const Result& want = prepared.expected.result();
    result.ran = true;
    for (size_t i = 0; i < want.output_count; ++i) {
      poolproof_tensor& tensor = result.outputs[i];
      tensor = want.outputs[i];
      if (!ReadNpy(fmt::format("{}.output{}.npy", stem, i), &tensor, &memory[i], error)) return false;
      result.data[0][i] = memory[i].data();
      tensor.data = nullptr;
    }
    return true;
  }

  bool ReadStatus(std::ifstream& status, const std::string& stem, Error* error) {
    std::string word;
    status >> word;
    for (const auto s : {POOLPROOF_UNSUPPORTED, POOLPROOF_INVALID_ARGUMENT, POOLPROOF_INTERNAL_ERROR}) {
      if (word == StatusName(s)) result.infer_status = s;
    }
    if (result.infer_status != POOLPROOF_OK) return true;
    error->message = fmt::format("{}.status: \"{}\" is no status.", stem, word);
    return false;
  }
};

std::vector<std::string> Stems(const std::string& folder) {
  std::vector<std::string> stems;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".json") stems.push_back(entry.path().parent_path() / entry.path().stem());
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

std::optional<std::string> ReadId(const std::string& path, Error* error) {
  std::ifstream file(path);
  const auto value = nlohmann::json::parse(file, nullptr, false);
  if (value.is_object() && value.contains("id") && value["id"].is_string()) {
    return value["id"].get<std::string>();
  }
  error->message = path + ": is no vector: it has no \"id\".";
  return std::nullopt;
}

// Judges one case; on a missing file the case is `missing`, and says which file.
Record JudgeOne(Prepared& prepared, const std::string& stem, Judge& judge,
                Diagnostician& diagnostician, const Selection& selection) {
  Record record;
  record.id = prepared.planned.id;
  record.line = prepared.planned.line;
  record.section = prepared.planned.section;
  record.spec = prepared.planned.problem.spec;
  record.function = prepared.planned.problem.function;
  record.type = prepared.planned.problem.type;
  record.elements = prepared.planned.problem.Elements();
  Answered answered;
  Error error;
  if (!answered.Read(prepared, stem, &error)) {
    record.judgement.message = error.message;
    record.signature = "missing";
    return record;
  }
  const Expectation expectation{&prepared.expected, prepared.planned.example,
                                prepared.planned.invalid, selection.demanded};
  record.judgement = judge.Decide(prepared.planned.problem, prepared.call, expectation,
                                  answered.result);
  if (!Conforms(record.judgement.verdict)) {
    record.signature = fmt::format("{}|{}", record.spec->id, record.judgement.output);
    record.causes = diagnostician.Diagnose(prepared.call, prepared.expected,
                                           Judge::Answer(prepared.call, answered.result, 0));
  }
  return record;
}

}  // namespace

bool WriteVectors(const Plan& plan, const reference::Readings& readings, const std::string& folder,
                  uint64_t* count, Error* error) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return CannotWrite(folder, error);
  *count = 0;
  Prepared prepared;
  for (uint64_t n = 0; n < plan.Size(); ++n) {
    if (!plan.Get(n, &prepared.planned) || prepared.planned.problem.ShapesAlone()) continue;
    prepared.Compute(readings);
    if (!WriteOne(prepared, fmt::format("{}/{:06}", folder, ++*count), error)) return false;
  }
  return true;
}

std::optional<SessionResult> JudgeVectors(const Specs& specs, const SessionOptions& options,
                                          const std::string& folder, Error* error) {
  const std::optional<Plan> plan = Plan::Make(specs, options.plan, error);
  if (!plan) return std::nullopt;
  const std::vector<std::string> stems = Stems(folder);
  if (stems.empty()) {
    error->message = fmt::format("{}: holds no vectors (NNNNNN.json).", folder);
    return std::nullopt;
  }
  SessionResult result;
  result.backend.name = "vectors of " + folder;
  ResultsFile file;
  std::string lines = Line(MakeHeader(specs, options, result.backend));
  if (!file.Create(options.out, error)) return std::nullopt;
  Judge judge;
  Diagnostician diagnostician;
  Prepared prepared;
  uint64_t n = 0;
  for (const std::string& stem : stems) {
    const auto id = ReadId(stem + ".json", error);
    auto planned = id ? plan->Find(*id, error) : std::nullopt;
    if (!planned) return std::nullopt;
    prepared.planned = *std::move(planned);
    prepared.Compute(options.engine.selection.readings);
    Record record = JudgeOne(prepared, stem, judge, diagnostician, options.engine.selection);
    record.n = n++;
    Closing closing;
    closing.group = result.tally.Add(record);
    AppendRecord(record, closing, &lines);
  }
  uint64_t uncovered = 0;
  if (!file.Append(lines, error) ||
      !CloseCases(specs, options.engine.selection.readings, &result.tally, nullptr, &file, &uncovered, error)) {
    return std::nullopt;
  }
  result.conforms = uncovered == 0 && result.tally.counts()[0] > 0;
  result.profile_hint = ProfileHint(result.tally, options.profile);
  lines.clear();
  for (const Group& group : result.tally.groups()) lines += Line(MakeGroup(specs, group));
  if (!file.Append(lines + Line(MakeFooter(result)), error) || !file.Finish(error)) {
    return std::nullopt;
  }
  result.results_path = file.FinalPath();
  return result;
}

}  // namespace poolproof
