#include "conformance/worker/fault_report.h"

#include <signal.h>
#include <sys/wait.h>

#include <limits>

#include "fmt/format.h"

namespace poolproof::worker {
namespace {

// A tensor of the case that was running, as offsets.
struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool input = false;
  int index = 0;
  std::string Name() const { return input ? InputName(index) : OutputName(index); }
};

std::vector<Range> RangesOf(const SharedMemory& memory, int batch, Step step) {
  std::vector<Range> ranges;
  const CaseRequest* request = memory.Request(batch, step.slot);
  for (size_t i = 0; i < request->call.input_count; ++i) {
    const InputExtent& extent = request->extents[step.placement][i];
    if (extent.offset == 0) continue;
    ranges.push_back({extent.offset, extent.offset + extent.bytes, true, static_cast<int>(i)});
  }
  const PlacementResponse& response =
      memory.Response(batch, step.slot)->placement[step.placement];
  for (size_t i = 0; i < request->call.output_count; ++i) {
    const uint64_t begin = response.data_offset[i];
    if (begin == 0) continue;
    ranges.push_back({begin, begin + response.data_bytes[i], false, static_cast<int>(i)});
  }
  return ranges;
}

// 0 inside; n for the n-th byte outside.
uint64_t Distance(const Range& range, uint64_t offset) {
  if (offset < range.begin) return range.begin - offset;
  return offset < range.end ? 0 : offset - range.end + 1;
}

const char* PhaseText(const SharedMemory& memory) {
  switch (static_cast<Phase>(memory.Worker()->phase.load())) {
    case Phase::kInferShapes:
      return " in infer_shapes";
    case Phase::kRun:
      return " in run";
    case Phase::kLastError:
      return " in last_error";
    default:
      return "";
  }
}

const char* Verb(Access access) {
  if (access == Access::kUnknown) return "accessed";
  return access == Access::kWrite ? "wrote" : "read";
}

// The access at `offset`, seen from the nearest tensor; no event if it has nothing to do with one.
EventReport DescribeAccess(const SharedMemory& memory, int batch, Step step, uint64_t offset) {
  const Access access = memory.Worker()->fault.access;
  const uint64_t requests = RequestOffset(batch, 0);
  if (offset >= requests && offset < requests + kRequestsBytes) {
    return {Event::kInputModified, "wrote to the description of the call"};
  }
  const std::vector<Range> ranges = RangesOf(memory, batch, step);
  const Range* nearest = nullptr;
  uint64_t distance = std::numeric_limits<uint64_t>::max();
  for (const Range& range : ranges) {
    if (Distance(range, offset) >= distance) continue;
    nearest = &range;
    distance = Distance(range, offset);
  }
  if (nearest == nullptr) return {};
  if (distance > 0) {
    const char* side = offset < nearest->begin ? "before the start" : "past the end";
    return {Event::kOutOfBounds,
            fmt::format("{} byte {} {} of {}", Verb(access), distance, side, nearest->Name())};
  }
  if (!nearest->input) return {};
  return {Event::kInputModified,
          fmt::format("wrote to byte {} of {}", offset - nearest->begin, nearest->Name())};
}

EventReport DescribeSignal(const SharedMemory& memory, int batch, Step step) {
  const FaultRecord& fault = memory.Worker()->fault;
  const int signal = fault.signal.load();
  // Sent by the kernel for an instruction, and with an address that it knows.
  const bool has_address = fault.code > 0 && fault.code != SI_KERNEL && signal != SIGABRT;
  const bool memory_fault = signal == SIGSEGV || signal == SIGBUS;
  if (has_address && memory_fault && fault.address - kWorkerBase < kTotalBytes) {
    const EventReport report =
        DescribeAccess(memory, batch, step, fault.address - kWorkerBase);
    if (report.event != Event::kNone) return report;
  }
  const std::string where =
      has_address && memory_fault ? fmt::format(" at address {:#x}", fault.address) : "";
  return {Event::kCrash, "received signal " + SignalName(signal) + where};
}

}  // namespace

EventReport DescribeEnd(const SharedMemory& memory, int batch, Step step, const ProcessEnd& end,
                        double timeout_seconds) {
  EventReport report;
  const int recorded = memory.Worker()->fault.signal.load();
  if (end.kind == ProcessEnd::kTimeout) {
    report = {Event::kTimeout, fmt::format("took more than {} s", timeout_seconds)};
  } else if (WIFSIGNALED(end.wait_status) && WTERMSIG(end.wait_status) == recorded) {
    report = DescribeSignal(memory, batch, step);
  } else {
    report = {Event::kCrash, DescribeExit(end.wait_status)};
  }
  report.text += PhaseText(memory);
  return report;
}

// Every operator of the documents has these outputs, in this order.
std::string OutputName(int index) {
  return index == 0 ? "output 1 (values)" : "output 2 (indices)";
}

std::string InputName(int index) { return "input " + std::to_string(index + 1); }

}  // namespace poolproof::worker
