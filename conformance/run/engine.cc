#include "conformance/run/engine.h"

#include <memory>
#include <thread>

#include "conformance/run/delivery.h"
#include "conformance/run/lane_loop.h"

namespace poolproof {
namespace {

constexpr uint64_t kChunk = 256;
constexpr uint64_t kWindow = 32;

}  // namespace

EngineResult RunPlan(const Plan& plan, const EngineOptions& options, std::vector<std::unique_ptr<Lane>>& lanes,
                     SetAside& set_aside, const Sink& sink, const std::atomic<bool>& interrupt) {
  std::atomic<bool>* stopped = nullptr;
  uint64_t failures = options.failures;
  const Sink in_order = [&](Record& record) {
    set_aside.Deliver(&record);
    if (!sink(record)) return false;
    if (Conforms(record.judgement.verdict) || ++failures != options.stop_after) return true;
    *stopped = true;
    return false;
  };
  Delivery delivery(options.first, plan.Size(), kChunk, kWindow, in_order);
  SharedState shared{plan, options, interrupt, delivery, set_aside};
  stopped = &shared.stopped;
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Lane>& lane : lanes) {
    threads.emplace_back([&shared, &lane] {
      RunLane(shared, *lane);
      lane->Stop();  // it would die with the thread, and never come to its end
    });
  }
  for (std::thread& thread : threads) thread.join();
  EngineResult result;
  result.time_over = shared.time_over;
  result.stopped = shared.stopped;
  if (plan.corpus() != nullptr) result.reached_new_code = plan.corpus()->Size();
  for (const ProcessFault& fault : shared.faults) result.Add(fault);
  return result;
}

void StopLanes(std::vector<std::unique_ptr<Lane>>& lanes, EngineResult* result) {
  for (const std::unique_ptr<Lane>& lane : lanes) {
    lane->Stop();
    result->stdout_bytes += lane->StdoutBytes();
    for (const ProcessFault& fault : lane->ProcessFaults()) result->Add(fault);
  }
}

Judgement OneCase::Run(const PlannedCase& planned) {
  planned_ = planned;
  AddToBatch(lane_, planned_, &call_);
  ComputeExpected(planned_.problem, planned_.example, selection_, call_, &expected_);
  lane_.Submit();
  result_ = lane_.Wait()[0];
  const Expectation expectation{&expected_, planned_.example, planned_.invalid, selection_.demanded};
  return judge_.Decide(planned_.problem, call_, expectation, result_);
}

}  // namespace poolproof
