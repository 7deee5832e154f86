#include "conformance/worker/process_lane.h"

#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "conformance/worker/printable.h"
#include "conformance/worker/shared_layout.h"
#include "fmt/format.h"

namespace poolproof::worker {
namespace {

constexpr size_t kMaxCases = 32;
constexpr uint64_t kMaxBatchBytes = uint64_t{16} << 20;

}  // namespace

std::unique_ptr<Lane> ProcessLane::Start(const LaneOptions& options, Error* error) {
  std::unique_ptr<ProcessLane> lane(new ProcessLane(options));
  lane->environment_ = CellEnvironment(options.cell);
  if (!lane->cell_.Create(options.cell, options.backend, error) ||
      !lane->output_.Open(options.log_path, options.log_bytes, error) || !lane->StartProcess(error)) {
    return nullptr;
  }
  lane->info_.cell = lane->cell_.Parts();
  return lane;
}

bool ProcessLane::StartProcess(Error* error) {
  const std::string command = options_.backend.substr(kPrefix.size());
  return channel_.Start(command, environment_, &cell_, &output_, error) && Greet(error);
}

bool ProcessLane::Greet(Error* error) {
  using Status = ProcessChannel::Status;
  channel_.SetDeadline(options_.load_timeout_seconds);
  Status status = channel_.Write(GreetingLine(options_.AllOptions()));
  std::string line, problem;
  // A program that ends without reading may still have said why.
  if (status != Status::kTimeout) status = channel_.ReadLine(&line);
  if (status == Status::kOk && ParseGreeting(line, &info_, &problem)) {
    info_.name = Printable(info_.name);
    info_.version = Printable(info_.version);
    return true;
  }
  if (status == Status::kTimeout) {
    problem = fmt::format("did not answer the greeting within {} s", options_.load_timeout_seconds);
  } else if (status == Status::kEnded) {
    problem = channel_.DescribeEnd() + " before it answered the greeting";
  } else if (status == Status::kTooLong) {
    problem = "sent a line that is too long";
  }
  channel_.Kill();
  output_.Drain();
  error->message = options_.backend + " " + Printable(problem) + LastWords();
  return false;
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
  // No output is prefilled here; two values that differ cannot both be what the program sent.
  c->result.prefill = {kPrefill[0], kPrefill[1], kPrefill[2]};
  c->infer_only = infer_only;
  batch.push_back(std::move(c));
  return batch.back().get();
}

void* ProcessLane::Add(const poolproof_call& call, int64_t capacity) {
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
  for (auto c = submitted_.rbegin(); c != submitted_.rend(); ++c) RunCase(c->get(), 1);
  for (auto& c : submitted_) results_.push_back(c->result);
  taken_ = std::exchange(submitted_, {});
  return results_;
}

void ProcessLane::Restart() {
  Stop();
  Error error;
  start_error_ = StartProcess(&error) ? "" : error.message.substr(0, error.message.find(kSaid));
  ++restarts_;
}

void ProcessLane::Stop() {
  const std::string text = channel_.Stop();
  if (!text.empty()) faults_.push_back({text});
}

}  // namespace poolproof::worker
