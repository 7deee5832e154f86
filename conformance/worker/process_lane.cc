#include "conformance/worker/process_lane.h"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "conformance/format/text.h"
#include "conformance/worker/case_result.h"
#include "conformance/worker/clock.h"
#include "conformance/worker/fault_report.h"
#include "conformance/worker/shared_layout.h"
#include "fmt/format.h"

namespace poolproof::worker {
namespace {

using Status = ProcessChannel::Status;

constexpr size_t kMaxCases = 32;
constexpr uint64_t kMaxBatchBytes = uint64_t{16} << 20;
// Seconds of a start from which on the next process is started while the one before works.
constexpr double kSlowStart = 1;

}  // namespace

std::unique_ptr<Lane> ProcessLane::Start(const LaneOptions& options, Error* error) {
  std::unique_ptr<ProcessLane> lane(new ProcessLane(options));
  if (!lane->output_.Open(options.log_path, options.log_bytes, error) || !lane->StartProcess(error)) return nullptr;
  lane->info_.cell = lane->process_->cell.Parts();
  return lane;
}

std::unique_ptr<ProcessLane::Process> ProcessLane::Launch(Error* error) {
  auto process = std::make_unique<Process>();
  process->channel.SetMustEnd(options_.must_end);
  const std::string command = options_.backend.substr(kPrefix.size());
  if (!process->cell.Create(options_.cell, options_.backend, error) ||
      !process->channel.Start(command, &process->cell, &output_, error)) {
    return nullptr;
  }
  process->channel.SetDeadline(options_.load_timeout_seconds);
  // A program that ends without reading may still say why.
  process->channel.Write(GreetingLine(options_.AllOptions()));
  return process;
}

bool ProcessLane::StartProcess(Error* error) {
  process_ = std::exchange(ahead_, nullptr);
  if (process_ == nullptr || !Greet(error)) {
    const int64_t begun = Now();
    process_ = Launch(error);
    if (process_ == nullptr || !Greet(error)) return false;
    start_seconds_ = static_cast<double>(Now() - begun) / static_cast<double>(kSecond);
  }
  process_->channel.SetStartSeconds(start_seconds_);
  return true;
}

bool ProcessLane::Greet(Error* error) {
  process_->channel.SetDeadline(options_.load_timeout_seconds);
  std::string line;
  Error problem;
  const Status status = process_->channel.ReadLine(&line);
  if (status == Status::kOk && ParseGreeting(line, &info_, &problem)) {
    info_.name = Printable(info_.name);
    info_.version = Printable(info_.version);
    return true;
  }
  if (status == Status::kTimeout) {
    problem.message = fmt::format(
        "did not answer the greeting within {} s: {}", options_.load_timeout_seconds,
        process_->channel.HasMore() ? "what it printed has no line break" : "it printed nothing, or did not flush it");
  } else if (status == Status::kMustEnd) {
    problem.message = "had not answered the greeting when the run had to end";
  } else if (status == Status::kEnded) {
    problem.message = process_->channel.DescribeEnd() + " before it answered the greeting";
  } else if (status == Status::kTooLong) {
    problem.message = "sent a line that is too long";
  }
  process_->channel.Kill();
  output_.Drain();
  return Fail(options_.backend + " " + Printable(problem.message) + LastWords(), error);
}

// As Python says why it ends.
std::string ProcessLane::LastWords() const {
  std::string text;
  std::istringstream lines{std::string(output_.LastOfStderr())};
  for (std::string line; std::getline(lines, line);) text.append(kSaid).append(Printable(line));
  return text;
}

ProcessLane::Case* ProcessLane::NewCase(const poolproof_call& call, bool infer_only) {
  Batch& batch = filling_;
  if (batch.empty()) filled_bytes_ = 0;
  if (batch.size() == kMaxCases || filled_bytes_ > kMaxBatchBytes) return nullptr;
  auto c = std::make_unique<Case>();
  c->call = DescribeCall(call);
  if (c->call.size() > kMaxDescriptionBytes) {
    throw std::length_error(
        fmt::format("a call's attributes and strings need more than {} bytes", kMaxDescriptionBytes));
  }
  for (size_t i = 0; i < call.input_count; ++i) {
    const poolproof_tensor& input = *call.inputs[i];
    c->inputs.push_back(input);
    if (infer_only && i == 0) continue;
    if (input.size_bytes > static_cast<size_t>(MaxBytes())) {
      throw std::length_error(fmt::format("input {} is larger than {} bytes", i + 1, MaxBytes()));
    }
    c->data[i].resize(input.size_bytes);
    if (i > 0 && input.size_bytes > 0) {
      std::memcpy(c->data[i].data(), input.data, input.size_bytes);
    }
    filled_bytes_ += input.size_bytes;
  }
  c->output_count = call.output_count;
  c->max_output_bytes = MaxOutputBytes(call);
  // No output is prefilled here; two values that differ cannot both be what the program sent.
  c->result.prefill = {kPrefill[0], kPrefill[1], kPrefill[2]};
  c->infer_only = infer_only;
  batch.push_back(std::move(c));
  return batch.back().get();
}

void* ProcessLane::Add(const poolproof_call& call, Capacity capacity) {
  Case* c = NewCase(call, false);
  if (c == nullptr) return nullptr;
  c->capacity = capacity;
  // An empty tensor has an address all the same.
  c->data[0].reserve(1);
  return c->data[0].data();
}

bool ProcessLane::AddInferOnly(const poolproof_call& call) { return NewCase(call, true) != nullptr; }

void ProcessLane::Submit() {
  if (InFlight() > 0) throw std::logic_error("a batch is in flight: Take has to come before Submit");
  submitted_.swap(filling_);
}

std::optional<std::span<const CaseResult>> ProcessLane::Take(bool wait) {
  if (submitted_.empty() || !wait) return std::nullopt;
  results_.clear();
  for (auto& c : submitted_) RunCase(c.get(), 0);
  for (auto& c : submitted_ | std::views::reverse) RunCase(c.get(), 1);
  for (auto& c : submitted_) results_.push_back(c->result);
  taken_ = std::exchange(submitted_, {});
  return results_;
}

void ProcessLane::RunCase(Case* c, int placement) {
  if (c->result.event != Event::kNone) return;
  if (ended_) return RecordEnd(c, placement);
  if (ProcessId() == 0) {
    RecordCrash(c, placement, "could not be started again: " + start_error_);
    return;
  }
  process_->channel.SetDeadline(options_.timeout_seconds);
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

void ProcessLane::RecordEnd(Case* c, int placement) {
  c->result.event = Event::kNotRun;
  c->result.event_text = "the run had to end";
  c->result.event_placement = placement;
}

bool ProcessLane::RecordCrash(Case* c, int placement, const std::string& text) {
  c->result.event = Event::kCrash;
  c->result.event_text = Printable(text);
  c->result.event_placement = placement;
  return false;
}

bool ProcessLane::RecordStatus(Case* c, int placement, Status status, const std::string& phase) {
  if (status == Status::kMustEnd) {
    ended_ = true;
    process_->channel.Kill();
    RecordEnd(c, placement);
    return false;
  }
  if (status == Status::kTooLong) {
    return RecordCrash(c, placement,
                       fmt::format("sent a line of more than {} bytes in {}", ProcessChannel::kMaxLine, phase));
  }
  if (status == Status::kEnded) {
    return RecordCrash(c, placement, fmt::format("{} in {}", process_->channel.DescribeEnd(), phase));
  }
  RecordCrash(c, placement, fmt::format("took more than {} s in {}", options_.timeout_seconds, phase));
  c->result.event = Event::kTimeout;
  return false;
}

bool ProcessLane::Exchange(const std::string& line, const Case& c, bool feature_map, std::string* answer,
                           Status* status) {
  *status = process_->channel.Write(line);
  for (size_t i = feature_map ? 0 : 1; i < c.inputs.size() && *status == Status::kOk; ++i) {
    const auto& data = c.data[i];
    *status = process_->channel.Write({reinterpret_cast<const char*>(data.data()), data.size()});
  }
  if (*status == Status::kOk) *status = process_->channel.ReadLine(answer);
  return *status == Status::kOk;
}

bool ProcessLane::ReadReply(Case* c, int placement, const std::string& line, bool feature_map, Reply* reply) {
  const char* phase = feature_map ? "run" : "infer_shapes";
  std::string answer;
  Error problem;
  Status status;
  if (!Exchange(line, *c, feature_map, &answer, &status)) {
    const bool begun = status == Status::kTimeout && process_->channel.HasMore();
    return RecordStatus(c, placement, status, phase + std::string(begun ? ", in the middle of a line" : ""));
  }
  if (!ParseReply(answer, next_id_++, c->output_count, reply, &problem)) {
    return RecordCrash(c, placement, problem.message + " in " + phase);
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
    if (result.not_run.empty() && output.size_bytes > c->max_output_bytes) {
      result.not_run = fmt::format("{} needs {} bytes, more than the {} that this case may have",
                                   OutputName(static_cast<int>(i)), output.size_bytes, c->max_output_bytes);
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
    capacities[i] = static_cast<uint64_t>(c->capacity.Room(i, need));
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
    bytes.resize(static_cast<size_t>(std::max(size, c->capacity.Room(i, size)) + 1));
    size_t got;
    const Status status = process_->channel.Read(std::span(bytes).first(static_cast<size_t>(size)), &got);
    if (status != Status::kOk) {
      const std::string output = OutputName(static_cast<int>(i));
      return RecordStatus(c, placement, status, fmt::format("run, after {} of {} bytes of {}", got, size, output));
    }
    c->result.data[p][i] = bytes.data();
  }
  return true;
}

void ProcessLane::Restart() {
  ended_ = ended_ || (options_.must_end && options_.must_end());
  if (ended_) return;
  EndProcess();
  Error error, none;
  start_error_ = StartProcess(&error) ? "" : error.message.substr(0, error.message.find(kSaid));
  ++restarts_;
  if (start_error_.empty() && start_seconds_ > kSlowStart) ahead_ = Launch(&none);
}

void ProcessLane::EndProcess() {
  if (process_ == nullptr) return;
  if (const auto fault = process_->channel.Stop(options_.exit_timeout_seconds)) AddFault(*fault, &faults_);
}

void ProcessLane::Stop() {
  ahead_.reset();
  EndProcess();
}

}  // namespace poolproof::worker
