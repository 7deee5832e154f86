// The lane of a program that speaks the protocol of PROTOCOL.md.
//
// A batch is run in Take, one request at a time; a program is not fast enough for more to matter.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "conformance/worker/lane.h"
#include "conformance/worker/process_channel.h"
#include "conformance/worker/process_message.h"

namespace poolproof::worker {

class ProcessLane : public Lane {
 public:
  static constexpr std::string_view kPrefix = "process:";

  // As StartLane, for "process:COMMAND".
  static std::unique_ptr<Lane> Start(const LaneOptions& options, Error* error);
  ~ProcessLane() override { Stop(); }

  const BackendInfo& Info() const override { return info_; }
  void* Add(const poolproof_call& call, Capacity capacity) override;
  bool AddInferOnly(const poolproof_call& call) override;
  int64_t MaxBytes() const override { return int64_t{4} << 30; }
  int Filled() const override { return static_cast<int>(filling_.size()); }
  void Submit() override;
  int InFlight() const override { return submitted_.empty() ? 0 : 1; }
  bool MustTake() const override { return InFlight() > 0; }
  std::optional<std::span<const CaseResult>> Take(bool wait) override;
  void SetRest(double) override {}  // what the program sent cannot change
  void Restart() override;
  void Stop() override;
  const std::vector<ProcessFault>& ProcessFaults() const override { return faults_; }
  int Restarts() const override { return restarts_; }
  int ProcessId() const override { return process_ == nullptr ? 0 : process_->channel.Id(); }
  double StartSeconds() const override { return start_seconds_; }
  int64_t StdoutBytes() const override { return 0; }  // stdout is the protocol's
  bool Ended() const override { return ended_; }

 private:
  static constexpr int kPlacements = 2;
  using Bytes = std::vector<std::byte>;

  struct Process {
    CellFile cell;
    ProcessChannel channel;
  };

  struct Case {
    std::string call;  // DescribeCall
    std::vector<poolproof_tensor> inputs;
    std::array<Bytes, kMaxInputs> data;
    size_t output_count = 0;
    Capacity capacity;
    uint64_t max_output_bytes = 0;
    bool infer_only = false;
    CaseResult result;
    std::array<std::array<Bytes, kMaxOutputs>, kPlacements> outputs;
  };

  explicit ProcessLane(const LaneOptions& options) : options_(options) {}

  // Starts the program, and writes the greeting.
  std::unique_ptr<Process> Launch(Error* error);
  bool StartProcess(Error* error);
  void EndProcess();
  bool Greet(Error* error);
  std::string LastWords() const;
  Case* NewCase(const poolproof_call& call, bool infer_only);
  void RunCase(Case* c, int placement);
  // The steps of RunCase; false when an event has been recorded.
  bool Infer(Case* c, int placement, Reply* reply);
  bool Run(Case* c, int placement, const Reply& described);
  bool ReadOutputs(Case* c, int placement, const Reply& described, const Reply& answer);
  bool Exchange(const std::string& line, const Case& c, bool feature_map, std::string* answer,
                ProcessChannel::Status* status);
  bool ReadReply(Case* c, int placement, const std::string& line, bool feature_map, Reply* reply);
  bool RecordStatus(Case* c, int placement, ProcessChannel::Status status, const std::string& phase);
  void RecordEnd(Case* c, int placement);
  bool RecordCrash(Case* c, int placement, const std::string& text);

  LaneOptions options_;
  BackendInfo info_;
  OutputCapture output_;
  std::unique_ptr<Process> process_, ahead_;  // the latter for the next start
  using Batch = std::vector<std::unique_ptr<Case>>;
  Batch filling_, submitted_, taken_;  // the results of the last Take point into the last one
  std::vector<CaseResult> results_;
  std::string start_error_;
  uint64_t filled_bytes_ = 0;
  int64_t next_id_ = 1;
  int restarts_ = 0;
  double start_seconds_ = 0;
  bool ended_ = false;  // the run had to end
  std::vector<ProcessFault> faults_;
};

}  // namespace poolproof::worker
