#include "conformance/worker/case_runner.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "conformance/backend_helper.h"
#include "conformance/worker/fault_handler.h"
#include "conformance/worker/output_slack.h"

namespace poolproof::worker {
namespace {

// A type that backend.h names, a rank in range, no negative dimension, and just the bytes that
// follow from them.
bool IsSane(const poolproof_tensor& tensor) {
  const size_t element_size = backend::ElementSize(tensor.element_type);
  if (element_size == 0 || tensor.rank < 0 || tensor.rank > POOLPROOF_MAX_RANK) return false;
  size_t bytes = element_size;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.dims[axis] < 0 || __builtin_mul_overflow(bytes, tensor.dims[axis], &bytes)) {
      return false;
    }
  }
  return bytes == tensor.size_bytes;
}

bool SameDescription(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank && a.frac_bits == b.frac_bits &&
         std::memcmp(a.dims, b.dims, sizeof(a.dims[0]) * static_cast<size_t>(a.rank)) == 0;
}

// The description of an output belongs to the caller of run. size_bytes is left out: a backend that sets it to the
// bytes it has written harms nobody.
bool SameFields(const poolproof_tensor& a, const poolproof_tensor& b) {
  return SameDescription(a, b) && a.struct_size == b.struct_size && a.data == b.data;
}

// The lowest descriptor that is free; it rises where descriptors are left open. INT32_MAX: none is.
int32_t FreeDescriptor() {
  const int fd = fcntl(0, F_DUPFD_CLOEXEC, 0);
  if (fd >= 0) close(fd);
  return fd < 0 && errno == EMFILE ? INT32_MAX : fd;
}

}  // namespace

void CaseRunner::RunBatch() {
  TurnArenas();
  const int64_t steps = int64_t{runner_->placements} * runner_->case_count;
  for (int64_t step = runner_->first_step; step < steps; ++step) RunStep(step);
  Enter(Phase::kIdle);
  worker_->free_descriptor.store(FreeDescriptor(), std::memory_order_relaxed);
}

// Where the runner begins an arena again, nothing in it is in use, and no page may stay open where a
// guard will be.
void CaseRunner::TurnArenas() {
  for (int p = 0; p < runner_->placements; ++p) {
    uint64_t& free = arena_[static_cast<size_t>(p)];
    const uint64_t begin = OutputArenaOffset(p);
    if (runner_->arena_begin[p] < free) {
      ForgetReturnedPages();
      SetPages(begin, begin + free + kGuard, Pages::kClosed);
    }
    free = worker_->arena_end[p] = runner_->arena_begin[p];
  }
}

void CaseRunner::OpenSlot() {
  const size_t slot = static_cast<size_t>(step_.slot);
  bool& inputs = inputs_open_[static_cast<size_t>(runner_->batch)][slot];
  bool& outputs = outputs_open_[static_cast<size_t>(runner_->output_set)][slot];
  if (!inputs) OpenInputs(runner_->batch, step_.slot, runner_->placements);
  if (!outputs) OpenOutputs(runner_->output_set, step_.slot, runner_->placements);
  inputs = outputs = true;
}

void CaseRunner::RunStep(int64_t step) {
  step_ = StepAt(step, runner_->case_count);
  auto* response = WorkerAs<CaseResponse>(ResponseOffset(runner_->batch, step_.slot));
  const auto* request = WorkerAs<const CaseRequest>(RequestOffset(runner_->batch, step_.slot));
  PlacementResponse* placement = &response->placement[step_.placement];
  placement->completed = 0;
  if (request->given_up) return;
  // After an event there is nothing more to learn from a case, and much to be lost.
  for (int p = 0; p < step_.placement; ++p) {
    const PlacementResponse& earlier = response->placement[p];
    if (!earlier.completed || earlier.damage.output >= 0) return;
  }
  OpenSlot();
  worker_->step.store(step, std::memory_order_release);
  RunCase(*request, placement);
  placement->new_code = count_new_code_();
  RestoreFaultHandler();
  placement->completed = 1;
}

void CaseRunner::RunCase(const CaseRequest& request, PlacementResponse* response) {
  response->ran = 0;
  response->not_run = NotRun::kRan;
  response->changed_output = -1;
  response->damage.output = -1;
  response->error[0] = '\0';
  for (uint64_t& offset : response->data_offset) offset = 0;
  for (size_t i = 0; i < request.call.input_count; ++i) {
    const InputExtent& extent = request.extents[step_.placement][i];
    if (extent.begin != extent.end) SetPages(extent.begin, extent.end, Pages::kReadable);
  }

  Outputs outputs;
  Infer(request, &outputs, response);
  if (response->infer_status == POOLPROOF_OK && PlaceOutputs(request, &outputs, response)) {
    Run(request, &outputs, response);
  }

  for (size_t i = 0; i < request.call.input_count; ++i) {
    const InputExtent& extent = request.extents[step_.placement][i];
    if (extent.begin == extent.end) continue;
    AddReturnedPages(extent.begin, extent.end);
    SetPages(extent.begin, extent.end, Pages::kClosed);
  }
}

void CaseRunner::Infer(const CaseRequest& request, Outputs* outputs, PlacementResponse* response) {
  for (size_t i = 0; i < kMaxOutputs; ++i) {
    outputs->tensor[i] = {};
    outputs->tensor[i].struct_size = sizeof(poolproof_tensor);
    outputs->pointer[i] = &outputs->tensor[i];
  }
  poolproof_call call = request.call;
  call.inputs = request.infer_pointers[step_.placement];
  call.outputs = outputs->pointer.data();
  Enter(Phase::kInferShapes);
  response->infer_status = backend_.table->infer_shapes(backend_.instance, &call);
  if (response->infer_status != POOLPROOF_OK) CopyError(response);
  std::memcpy(response->outputs, outputs->tensor.data(), sizeof(response->outputs));
}

bool CaseRunner::PlaceOutputs(const CaseRequest& request, Outputs* outputs, PlacementResponse* response) {
  const auto refuse = [&](NotRun why, size_t output) {
    response->not_run = why;
    response->not_run_output = static_cast<int32_t>(output);
    return false;
  };
  if (request.infer_only) return refuse(NotRun::kInferOnly, 0);
  for (size_t i = 0; i < request.call.output_count; ++i) {
    poolproof_tensor& tensor = outputs->tensor[i];
    if (!IsSane(tensor)) return refuse(NotRun::kBadDescription, i);
    const int64_t need = static_cast<int64_t>(tensor.size_bytes);
    const int64_t bytes = request.capacity.Room(i, need);
    if (static_cast<uint64_t>(bytes) > request.max_output_bytes) return refuse(NotRun::kTooLarge, i);
    tensor.size_bytes = static_cast<size_t>(bytes);
  }
  for (size_t i = 0; i < request.call.output_count; ++i) {
    poolproof_tensor& tensor = outputs->tensor[i];
    response->data_bytes[i] = tensor.size_bytes;
    response->data_offset[i] =
        PlaceOutput(static_cast<int>(i), tensor.size_bytes, backend::ElementSize(tensor.element_type), outputs);
    tensor.struct_size = sizeof(poolproof_tensor);
    tensor.data = WorkerAt(response->data_offset[i]);
    FillPages(WorkerAt(response->data_offset[i]), tensor.size_bytes, runner_->prefill[step_.placement]);
  }
  return true;
}

uint64_t CaseRunner::PlaceOutput(int output, uint64_t bytes, uint64_t element_size, Outputs* outputs) {
  if (bytes <= kSmallRegion) {
    const uint64_t region = OutputOffset(runner_->output_set, step_.slot, step_.placement, output);
    return PlaceTensor(step_.placement, region, region + kSmallRegion, bytes, element_size);
  }
  // The arena is large enough for what a batch may ask: every case is bounded by its limit.
  uint64_t& used = arena_[static_cast<size_t>(step_.placement)];
  const uint64_t begin = OutputArenaOffset(step_.placement) + used + kGuard;
  const uint64_t end = begin + PagesFor(bytes);
  used += kGuard + RoundUp(end - begin, kGuard);
  worker_->arena_end[step_.placement] = used;
  SetPages(begin, end, Pages::kWritable);
  outputs->begin[static_cast<size_t>(output)] = begin;
  outputs->end[static_cast<size_t>(output)] = end;
  return PlaceTensor(step_.placement, begin, end, bytes, element_size);
}

void CaseRunner::Run(const CaseRequest& request, Outputs* outputs, PlacementResponse* response) {
  poolproof_call call = request.call;
  call.inputs = request.run_pointers[step_.placement];
  call.outputs = outputs->pointer.data();
  const Outputs given = *outputs;
  Enter(Phase::kRun);
  response->run_status = backend_.table->run(backend_.instance, &call);
  for (size_t i = 0; i < request.call.output_count; ++i) {
    if (!SameFields(given.tensor[i], outputs->tensor[i])) response->changed_output = static_cast<int32_t>(i);
  }
  HashOutputs(request, *outputs, response);
  response->ran = 1;
  worker_->calls.fetch_add(1, std::memory_order_relaxed);
  if (response->run_status != POOLPROOF_OK) CopyError(response);
  CheckOutputs(request, response);
}

// The answer is what run has returned: the process cannot write a large output from here on, and nothing can without
// its hash changing.
void CaseRunner::HashOutputs(const CaseRequest& request, const Outputs& outputs, PlacementResponse* response) const {
  for (size_t i = 0; i < request.call.output_count; ++i) {
    if (outputs.begin[i] != outputs.end[i]) {
      AddReturnedPages(outputs.begin[i], outputs.end[i]);
      SetPages(outputs.begin[i], outputs.end[i], Pages::kReadable);
    }
    response->data_hash[i] = HashOutput(WorkerAt(response->data_offset[i]), response->data_bytes[i]);
  }
}

void CaseRunner::CheckOutputs(const CaseRequest& request, PlacementResponse* response) const {
  for (size_t i = 0; i < request.call.output_count; ++i) {
    if (FindDamage(WorkerAt(response->data_offset[i]), response->data_bytes[i], runner_->prefill[step_.placement],
                   &response->damage)) {
      response->damage.output = static_cast<int32_t>(i);
      return;
    }
  }
}

void CaseRunner::CopyError(PlacementResponse* response) {
  Enter(Phase::kLastError);
  const char* error = backend_.table->last_error(backend_.instance);
  if (error == nullptr) return;
  const size_t length = strnlen(error, sizeof(response->error) - 1);
  std::memcpy(response->error, error, length);
  response->error[length] = '\0';
}

}  // namespace poolproof::worker
