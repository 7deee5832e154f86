// The half of a shared lane that fills batches.
#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>

#include "conformance/backend_helper.h"
#include "conformance/worker/case_result.h"
#include "conformance/worker/request.h"
#include "conformance/worker/shared_lane.h"
#include "fmt/format.h"

namespace poolproof::worker {
namespace {

// Large tensors in flight; batches then wait for their rest rather than take more memory.
constexpr uint64_t kMaxLargeBytes = uint64_t{128} << 20;

uint64_t AlignmentOf(const poolproof_tensor& tensor) {
  const size_t size = backend::ElementSize(tensor.element_type);
  return size == 0 ? 1 : size;
}

size_t KindOf(const poolproof_call& call) {
  const size_t type = call.input_count == 0 ? 0 : static_cast<size_t>(call.inputs[0]->element_type);
  return std::hash<std::string_view>()(call.op) * 31 + type;
}

}  // namespace

bool SharedLane::HasRoom() const {
  const LaneBatch& batch = sets_[SetOf(submitted_)];
  return batch.count < kSlots && !batch.full;
}

bool SharedLane::MustTake() const {
  // One set is being filled, and one holds what was taken last.
  if (InFlight() >= kOutputSets - 2) return true;
  const uint64_t used = std::max(placer_.ArenaUsed(), *std::max_element(arena_begin_.begin(), arena_begin_.end()));
  return InFlight() > 0 && (large_bytes_ > kMaxLargeBytes || used > kArenaTurn);
}

void SharedLane::TurnArenas() {
  if (InFlight() > 0) return;
  ReleaseTaken();
  placer_.TurnArenas();
  arena_begin_ = {};
  late_.clear();
}

uint64_t SharedLane::WorkerAddress(const LaneBatch& batch) const {
  return memory_.Runner()->base + RequestOffset(BatchOf(submitted_), batch.count);
}

// Nothing of the batch changes if the description is too long.
CaseRequest* SharedLane::BeginCase(const poolproof_call& call, bool infer_only, Capacity capacity) {
  LaneBatch& batch = sets_[SetOf(submitted_)];
  if (batch.count == 0) {
    if (MustTake()) throw std::logic_error("batches in flight have to be taken before Add");
    TurnArenas();
    batch.cases.resize(kSlots);
  }
  CaseRequest* request = memory_.Request(BatchOf(submitted_), batch.count);
  WriteDescription(call, WorkerAddress(batch), request);
  request->infer_only = infer_only;
  request->given_up = 0;
  request->capacity = infer_only ? Capacity() : capacity;
  request->max_output_bytes = MaxOutputBytes(call);
  return request;
}

void SharedLane::FinishCase(const poolproof_call& call, CaseRequest* request) {
  LaneBatch& batch = sets_[SetOf(submitted_)];
  LaneCase& c = batch.cases[static_cast<size_t>(batch.count)];
  c.infer_only = request->infer_only != 0;
  c.capacity = request->capacity;
  c.input_count = call.input_count;
  c.output_count = call.output_count;
  c.max_output_bytes = request->max_output_bytes;
  c.kind = KindOf(call);
  c.SetEvent(Event::kNone, 0, "");
  c.killed_before = false;
  for (size_t i = 0; i < call.input_count; ++i) {
    const poolproof_tensor& input = *call.inputs[i];
    c.inputs[i].clear();
    if (c.infer_only && i == 0) {
      for (auto& extents : request->extents) extents[i] = {};
    } else {
      placer_.Place(BatchOf(submitted_), batch.count, static_cast<int>(i), input.size_bytes, AlignmentOf(input),
                    request);
      c.inputs[i].resize(std::max<size_t>(input.size_bytes, 1));
      if (i > 0 && input.size_bytes > 0) {
        std::memcpy(c.inputs[i].data(), input.data, input.size_bytes);
      }
      if (input.size_bytes > kSmallRegion) batch.full = true;
    }
    for (int p = 0; p < placements_; ++p) {
      c.extents[static_cast<size_t>(p)][i] = request->extents[p][i];
    }
  }
  WriteInputs(call, WorkerAddress(batch), memory_.Runner()->base, placements_, request);
  ++batch.count;
}

void* SharedLane::Add(const poolproof_call& call, Capacity capacity) {
  if (!HasRoom()) return nullptr;
  for (size_t i = 0; i < call.input_count; ++i) {
    if (call.inputs[i]->size_bytes > kMaxTensorBytes) {
      throw std::length_error(fmt::format("input {} is larger than {} bytes", i + 1, kMaxTensorBytes));
    }
  }
  FinishCase(call, BeginCase(call, false, capacity));
  LaneBatch& batch = sets_[SetOf(submitted_)];
  return batch.cases[static_cast<size_t>(batch.count - 1)].inputs[0].data();
}

bool SharedLane::AddInferOnly(const poolproof_call& call) {
  if (!HasRoom()) return false;
  FinishCase(call, BeginCase(call, true, 0));
  return true;
}

void SharedLane::CopyInputs() {
  LaneBatch& batch = sets_[SetOf(submitted_)];
  batch.large_bytes = 0;
  batch.input_begin.fill(UINT64_MAX);
  batch.input_end.fill(0);
  for (int slot = 0; slot < batch.count; ++slot) {
    const LaneCase& c = batch.cases[static_cast<size_t>(slot)];
    for (PlacementResponse& response : memory_.Response(BatchOf(submitted_), slot)->placement) {
      response.completed = 0;
      std::fill(std::begin(response.data_offset), std::end(response.data_offset), 0);
    }
    for (size_t p = 0; p < static_cast<size_t>(placements_); ++p) {
      for (size_t i = 0; i < c.input_count; ++i) {
        const InputExtent& extent = c.extents[p][i];
        if (extent.bytes > 0 && !c.IsFirstAgain(p, i)) {
          memory_.Write(extent.offset, c.inputs[i].data(), extent.bytes);
        }
        if (extent.begin == extent.end) continue;
        batch.input_begin[p] = std::min(batch.input_begin[p], extent.begin);
        batch.input_end[p] = std::max(batch.input_end[p], extent.end);
        batch.large_bytes += extent.bytes;
      }
    }
  }
}

void SharedLane::Submit() {
  AwaitRunning();
  CopyInputs();
  ++submitted_;
  sets_[SetOf(submitted_)].count = 0;
  sets_[SetOf(submitted_)].full = false;
  Running().output_begin = arena_begin_;
  if (process_.Id() != 0) SendBatch(0);
}

}  // namespace poolproof::worker
