#include "conformance/worker/shared_lane.h"

#include <cstring>
#include <stdexcept>

#include "conformance/backend_helper.h"
#include "conformance/worker/request.h"

namespace poolproof::worker {
namespace {

uint64_t AlignmentOf(const poolproof_tensor& tensor) {
  const size_t size = backend::ElementSize(tensor.element_type);
  return size == 0 ? 1 : size;
}

}  // namespace

SharedLane::SharedLane(const LaneOptions& options)
    : options_(options),
      placements_(options.odd_starts ? 3 : 2),
      regions_(static_cast<size_t>(kBatches * kSlots * kMaxPlacements * kMaxInputs)) {}

std::unique_ptr<Lane> SharedLane::Start(const LaneOptions& options, Error* error) {
  std::unique_ptr<SharedLane> lane(new SharedLane(options));
  if (!lane->memory_.Create(error) || !lane->process_.Prepare(options, &lane->memory_, error) ||
      !lane->process_.Start(error)) {
    return nullptr;
  }
  const WorkerBlock* block = lane->memory_.Worker();
  const auto text = [](const char (&bytes)[256]) {
    return std::string(bytes, strnlen(bytes, sizeof(bytes)));
  };
  lane->info_ = {text(block->name), text(block->version), block->abi_version};
  return lane;
}

bool SharedLane::HasRoom() const {
  const Batch& batch = batches_[static_cast<size_t>(filling_)];
  return batch.count < kSlots && !batch.full;
}

// Nothing of the batch changes if the description is too long.
CaseRequest* SharedLane::BeginCase(const poolproof_call& call) {
  Batch& batch = batches_[static_cast<size_t>(filling_)];
  if (batch.count == 0) ReleaseArenas(filling_);
  CaseRequest* request = memory_.Request(filling_, batch.count);
  WriteDescription(call, kWorkerBase + RequestOffset(filling_, batch.count), request);
  CaseResponse* response = memory_.Response(filling_, batch.count);
  for (PlacementResponse& placement : response->placement) placement.completed = 0;
  return request;
}

void SharedLane::FinishCase(const poolproof_call& call, bool infer_only, CaseRequest* request) {
  Batch& batch = batches_[static_cast<size_t>(filling_)];
  for (size_t i = 0; i < call.input_count; ++i) {
    const bool without_data = infer_only && i == 0;
    if (without_data) {
      for (auto& extents : request->extents) extents[i] = {};
    } else {
      PlaceInput(*call.inputs[i], static_cast<int>(i), batch.count, request);
    }
  }
  request->infer_only = infer_only;
  WriteInputs(call, kWorkerBase + RequestOffset(filling_, batch.count), placements_, request);
  CaseState& state = batch.cases[static_cast<size_t>(batch.count)];
  state.event = Event::kNone;
  state.event_text.clear();
  state.killed_before = false;
  ++batch.count;
}

void* SharedLane::Add(const poolproof_call& call, int64_t capacity) {
  if (!HasRoom()) return nullptr;
  for (size_t i = 0; i < call.input_count; ++i) {
    if (call.inputs[i]->size_bytes > kMaxTensorBytes) {
      throw std::length_error("input " + std::to_string(i + 1) + " is larger than " +
                              std::to_string(kMaxTensorBytes) + " bytes");
    }
  }
  CaseRequest* request = BeginCase(call);
  request->capacity = capacity;
  FinishCase(call, false, request);
  return memory_.At(request->extents[0][0].offset);
}

bool SharedLane::AddInferOnly(const poolproof_call& call) {
  if (!HasRoom()) return false;
  CaseRequest* request = BeginCase(call);
  request->capacity = 0;
  FinishCase(call, true, request);
  return true;
}

void SharedLane::PlaceInput(const poolproof_tensor& input, int i, int slot, CaseRequest* request) {
  const uint64_t bytes = input.size_bytes;
  for (int p = 0; p < placements_; ++p) {
    InputExtent& extent = request->extents[p][i];
    if (bytes <= kSmallRegion) {
      extent = {PlaceSmall(slot, p, i, bytes, AlignmentOf(input)), bytes, 0, 0};
    } else {
      extent = PlaceLarge(p, bytes, AlignmentOf(input));
    }
    if (i > 0 && bytes > 0) std::memcpy(memory_.At(extent.offset), input.data, bytes);
  }
  if (bytes > kSmallRegion) batches_[static_cast<size_t>(filling_)].full = true;
}

uint64_t SharedLane::PlaceSmall(int slot, int placement, int i, uint64_t bytes,
                                uint64_t element_size) {
  const int index = ((filling_ * kSlots + slot) * kMaxPlacements + placement) * kMaxInputs + i;
  InputRegion& last = regions_[static_cast<size_t>(index)];
  const uint64_t begin = RegionOffset(filling_, slot, placement, kInput1 + i);
  const uint64_t end = begin + kSmallRegion;
  const uint64_t offset = PlaceTensor(placement, begin, end, bytes, element_size);
  const int slack = static_cast<int>(kInputSlack);
  // The pages touched grow from the flush side; what was data last time becomes slack again.
  const uint64_t needed =
      placement == 0 ? end - offset / kPage * kPage : RoundUp(offset + bytes, kPage) - begin;
  if (needed > last.filled) {
    const uint64_t from = placement == 0 ? end - needed : begin + last.filled;
    std::memset(memory_.At(from), slack, needed - last.filled);
    last.filled = needed;
  }
  if (last.bytes > 0) std::memset(memory_.At(last.offset), slack, last.bytes);
  last.offset = offset;
  last.bytes = bytes;
  return offset;
}

InputExtent SharedLane::PlaceLarge(int placement, uint64_t bytes, uint64_t element_size) {
  uint64_t& used =
      batches_[static_cast<size_t>(filling_)].input_arena[static_cast<size_t>(placement)];
  const uint64_t begin = InputArenaOffset(filling_, placement) + used + kGuard;
  const uint64_t end = begin + PagesFor(bytes);
  used += kGuard + RoundUp(end - begin, kGuard);
  const int slack = static_cast<int>(kInputSlack);
  std::memset(memory_.At(begin), slack, kPage);
  std::memset(memory_.At(end - kPage), slack, kPage);
  return {PlaceTensor(placement, begin, end, bytes, element_size), bytes, begin, end};
}

void SharedLane::ReleaseArenas(int batch) {
  Batch& b = batches_[static_cast<size_t>(batch)];
  for (int p = 0; p < placements_; ++p) {
    uint64_t& input = b.input_arena[static_cast<size_t>(p)];
    uint64_t& output = b.output_arena[static_cast<size_t>(p)];
    if (input > 0) memory_.Release(InputArenaOffset(batch, p), input);
    if (output > 0) memory_.Release(OutputArenaOffset(batch, p), output);
    input = 0;
    output = 0;
  }
}

void SharedLane::CopyFeatureMaps(int batch) const {
  for (int slot = 0; slot < batches_[static_cast<size_t>(batch)].count; ++slot) {
    const CaseRequest* request = memory_.Request(batch, slot);
    if (request->infer_only || request->call.input_count == 0) continue;
    const InputExtent& from = request->extents[0][0];
    for (int p = 1; p < placements_; ++p) {
      std::memcpy(memory_.At(request->extents[p][0].offset), memory_.At(from.offset), from.bytes);
    }
  }
}

void SharedLane::Submit() {
  if (running_ >= 0) throw std::logic_error("a batch is running: Wait has to come before Submit");
  CopyFeatureMaps(filling_);
  running_ = filling_;
  filling_ = (filling_ + 1) % kBatches;
  batches_[static_cast<size_t>(filling_)].count = 0;
  batches_[static_cast<size_t>(filling_)].full = false;
  if (process_.Id() != 0) SendBatch(0);
}

void SharedLane::Restart() {
  if (running_ >= 0) throw std::logic_error("a batch is running: Wait has to come before Restart");
  process_.Stop();
  StartAgain();
}

}  // namespace poolproof::worker
