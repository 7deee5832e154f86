// Running one case in a program: infer_shapes, run, and whatever else the program does instead.
#include <algorithm>

#include "conformance/worker/case_result.h"
#include "conformance/worker/fault_report.h"
#include "conformance/worker/printable.h"
#include "conformance/worker/process_lane.h"
#include "fmt/format.h"

namespace poolproof::worker {

using Status = ProcessChannel::Status;

void ProcessLane::RunCase(Case* c, int placement) {
  if (c->result.event != Event::kNone) return;
  if (channel_.Id() == 0) {
    RecordCrash(c, placement, "could not be started again: " + start_error_);
    return;
  }
  channel_.SetDeadline(options_.timeout_seconds);
  Reply described;
  if (!Infer(c, placement, &described)) {
    Restart();
    return;
  }
  if (described.status == POOLPROOF_OK && c->result.not_run.empty() && !Run(c, placement, described)) {
    Restart();
    return;
  }
  ++c->result.placements;
}

bool ProcessLane::RecordCrash(Case* c, int placement, const std::string& text) {
  c->result.event = Event::kCrash;
  c->result.event_text = Printable(text);
  c->result.event_placement = placement;
  return false;
}

bool ProcessLane::RecordStatus(Case* c, int placement, Status status, const char* phase) {
  if (status == Status::kTooLong) {
    return RecordCrash(c, placement,
                       fmt::format("sent a line of more than {} bytes in {}", ProcessChannel::kMaxLine, phase));
  }
  if (status == Status::kEnded) {
    return RecordCrash(c, placement, fmt::format("{} in {}", channel_.DescribeEnd(), phase));
  }
  RecordCrash(c, placement, fmt::format("took more than {} s in {}", options_.timeout_seconds, phase));
  c->result.event = Event::kTimeout;
  return false;
}

bool ProcessLane::Exchange(const std::string& line, const Case& c, bool feature_map, std::string* answer,
                           Status* status) {
  *status = channel_.Write(line);
  for (size_t i = feature_map ? 0 : 1; i < c.inputs.size() && *status == Status::kOk; ++i) {
    const auto& data = c.data[i];
    *status = channel_.Write({reinterpret_cast<const char*>(data.data()), data.size()});
  }
  if (*status == Status::kOk) *status = channel_.ReadLine(answer);
  return *status == Status::kOk;
}

bool ProcessLane::ReadReply(Case* c, int placement, const std::string& line, bool feature_map, Reply* reply) {
  const char* phase = feature_map ? "run" : "infer_shapes";
  std::string answer, problem;
  Status status;
  if (!Exchange(line, *c, feature_map, &answer, &status)) {
    return RecordStatus(c, placement, status, phase);
  }
  if (!ParseReply(answer, next_id_++, c->output_count, reply, &problem)) {
    return RecordCrash(c, placement, problem + " in " + phase);
  }
  if (reply->status != POOLPROOF_OK && c->result.error.empty()) {
    c->result.error = Printable(reply->error);
  }
  return true;
}

bool ProcessLane::Infer(Case* c, int placement, Reply* reply) {
  CaseResult& result = c->result;
  if (!ReadReply(c, placement, InferLine(next_id_, c->call, c->inputs, c->output_count), false, reply)) {
    return false;
  }
  if (placement > 0) {
    bool same = reply->status == result.infer_status;
    for (size_t i = 0; i < c->output_count && reply->status == POOLPROOF_OK; ++i) {
      same = same && SameAnswer(reply->outputs[i], result.outputs[i]);
    }
    if (!same) result.inconsistency = "infer_shapes answered differently the second time";
    return true;
  }
  result.infer_status = reply->status;
  if (reply->status != POOLPROOF_OK) return true;
  result.outputs = reply->outputs;
  if (c->infer_only) result.not_run = "infer only";
  for (size_t i = 0; i < c->output_count && result.bad_description.empty(); ++i) {
    const poolproof_tensor& output = result.outputs[i];
    result.bad_description = DescriptionFault(output, static_cast<int>(i));
    if (result.not_run.empty()) result.not_run = result.bad_description;
    if (result.not_run.empty() && output.size_bytes > static_cast<size_t>(MaxBytes())) {
      result.not_run = fmt::format("{} needs {} bytes, more than the {} that this case may have",
                                   OutputName(static_cast<int>(i)), output.size_bytes, MaxBytes());
    }
  }
  return true;
}

bool ProcessLane::Run(Case* c, int placement, const Reply& described) {
  for (size_t i = 0; i < c->output_count; ++i) {
    if (!DescriptionFault(described.outputs[i], 0).empty()) return true;  // inconsistent already
  }
  std::array<uint64_t, kMaxOutputs> capacities{};
  for (size_t i = 0; i < c->output_count; ++i) {
    const auto need = static_cast<int64_t>(described.outputs[i].size_bytes);
    capacities[i] = c->capacity < -need ? 0 : static_cast<uint64_t>(need + c->capacity);
  }
  const std::span outputs(described.outputs.data(), c->output_count);
  Reply answer;
  if (!ReadReply(c, placement, RunLine(next_id_, c->call, c->inputs, outputs, capacities), true, &answer)) {
    return false;
  }
  c->result.ran = true;
  c->result.run_status[static_cast<size_t>(placement)] = answer.status;
  return answer.status != POOLPROOF_OK || ReadOutputs(c, placement, described, answer);
}

bool ProcessLane::ReadOutputs(Case* c, int placement, const Reply& described, const Reply& answer) {
  const size_t p = static_cast<size_t>(placement);
  for (size_t i = 0; i < c->output_count; ++i) {
    if (!SameAnswer(described.outputs[i], answer.outputs[i])) {
      return RecordCrash(
          c, placement,
          fmt::format("sent {} as {} with {} bytes in run, described it as {} with "
                      "{} bytes",
                      OutputName(static_cast<int>(i)), DescribeTensor(answer.outputs[i]), answer.outputs[i].size_bytes,
                      DescribeTensor(described.outputs[i]), described.outputs[i].size_bytes));
    }
  }
  for (size_t i = 0; i < c->output_count; ++i) {
    Bytes& bytes = c->outputs[p][i];
    // As much as a caller in C would have, so that the judge may look at all of it.
    const auto size = static_cast<int64_t>(answer.outputs[i].size_bytes);
    bytes.resize(static_cast<size_t>(std::max(size, size + c->capacity) + 1));
    const Status status = channel_.Read(std::span(bytes).first(static_cast<size_t>(size)));
    if (status != Status::kOk) return RecordStatus(c, placement, status, "run");
    c->result.data[p][i] = bytes.data();
  }
  return true;
}

}  // namespace poolproof::worker
