#include "conformance/worker/fault_report.h"

#include <signal.h>
#include <sys/wait.h>

#include <limits>
#include <vector>

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

std::vector<Range> RangesOf(const RunningCall& call) {
  std::vector<Range> ranges;
  for (size_t i = 0; i < call.c.input_count; ++i) {
    const InputExtent& extent = call.c.extents[static_cast<size_t>(call.placement)][i];
    if (extent.offset == 0) continue;
    ranges.push_back({extent.offset, extent.offset + extent.bytes, true, static_cast<int>(i)});
  }
  for (size_t i = 0; i < call.c.output_count; ++i) {
    const uint64_t begin = call.response.data_offset[i];
    if (begin == 0) continue;
    ranges.push_back({begin, begin + call.response.data_bytes[i], false, static_cast<int>(i)});
  }
  return ranges;
}

// 0 inside; n for the n-th byte outside.
uint64_t Distance(const Range& range, uint64_t offset) {
  if (offset < range.begin) return range.begin - offset;
  return offset < range.end ? 0 : offset - range.end + 1;
}

const char* Verb(Access access) {
  if (access == Access::kUnknown) return "accessed";
  return access == Access::kWrite ? "wrote" : "read";
}

// The access at `offset`, seen from the nearest tensor; no event if it has nothing to do with one.
EventReport DescribeAccess(const RunningCall& call, Access access, uint64_t offset) {
  const uint64_t requests = RequestOffset(call.batch, 0);
  if (offset >= requests && offset < requests + kRequestsBytes) {
    return {Event::kInputModified, "wrote to the description of the call"};
  }
  const std::vector<Range> ranges = RangesOf(call);
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
    return {Event::kOutOfBounds, fmt::format("{} byte {} {} of {}", Verb(access), distance, side, nearest->Name())};
  }
  if (!nearest->input) return {};
  return {Event::kInputModified, fmt::format("wrote to byte {} of {}", offset - nearest->begin, nearest->Name())};
}

bool DiedOfFault(const WorkerBlock& worker, const ProcessEnd& end) {
  return end.kind == ProcessEnd::kDied && WIFSIGNALED(end.wait_status) &&
         WTERMSIG(end.wait_status) == worker.fault.signal.load();
}

// Sent by the kernel for an access, and with an address that it knows.
bool HasAddress(const FaultRecord& fault) {
  const int signal = fault.signal.load();
  return (signal == SIGSEGV || signal == SIGBUS) && fault.code > 0 && fault.code != SI_KERNEL;
}

EventReport DescribeSignal(const RunningCall& call, const FaultRecord& fault) {
  const uint64_t offset = fault.address - call.base;
  if (HasAddress(fault) && offset < kTotalBytes) {
    const EventReport report = DescribeAccess(call, fault.access, offset);
    if (report.event != Event::kNone) return report;
  }
  const std::string where = HasAddress(fault) ? fmt::format(" at address {:#x}", fault.address) : "";
  return {Event::kCrash, "received signal " + SignalName(fault.signal.load()) + where};
}

}  // namespace

EventReport DescribeEnd(const RunningCall& call, const WorkerBlock& worker, const ProcessEnd& end,
                        double timeout_seconds) {
  EventReport report;
  if (end.kind == ProcessEnd::kTimeout) {
    report = {Event::kTimeout, fmt::format("took more than {} s", timeout_seconds)};
  } else if (!end.excess.empty()) {
    report = {Event::kCrash, end.excess};
  } else if (end.left) {
    report = {Event::kCrash, "closed the socket to the runner"};
  } else if (DiedOfFault(worker, end)) {
    report = DescribeSignal(call, worker.fault);
  } else {
    report = {Event::kCrash, DescribeExit(end.wait_status)};
  }
  report.text += PhaseText(static_cast<Phase>(worker.phase.load()));
  return report;
}

LateReport DescribeLate(const LaneCase& c, int placements, const LateRecord& late) {
  const auto inside = [&late](uint64_t begin, uint64_t bytes) {
    return bytes > kSmallRegion && late.offset >= begin && late.offset - begin < bytes;
  };
  LateReport report;
  const auto tell = [&](Event event, const std::string& name, uint64_t begin) {
    report.event = event;
    report.text = fmt::format("{} byte {} of {} after run had returned", Verb(late.access), late.offset - begin, name);
    return report;
  };
  for (int& p = report.placement; p < placements; ++p) {
    const PlacementResponse& response = c.responses[static_cast<size_t>(p)];
    for (int i = 0; i < static_cast<int>(c.output_count); ++i) {
      const uint64_t begin = response.data_offset[i];
      if (inside(begin, response.data_bytes[i])) {
        return tell(Event::kWrittenLate, OutputName(i), begin);
      }
    }
    for (int i = 0; i < static_cast<int>(c.input_count); ++i) {
      const InputExtent& extent = c.extents[static_cast<size_t>(p)][static_cast<size_t>(i)];
      if (!inside(extent.offset, extent.bytes)) continue;
      const bool written = late.access == Access::kWrite;
      return tell(written ? Event::kInputModified : Event::kOutOfBounds, InputName(i), extent.offset);
    }
  }
  return report;
}

// Every operator of the documents has these outputs, in this order.
std::string OutputName(int index) { return index == 0 ? "output 1 (values)" : "output 2 (indices)"; }

std::string InputName(int index) { return "input " + std::to_string(index + 1); }

}  // namespace poolproof::worker
