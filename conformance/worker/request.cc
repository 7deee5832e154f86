#include "conformance/worker/request.h"

#include <cstring>
#include <stdexcept>

namespace poolproof::worker {
namespace {

// Hands out pieces of request->description, and says where the worker has them.
class Writer {
 public:
  Writer(CaseRequest* request, uint64_t worker_address)
      : request_(request), to_worker_(worker_address - reinterpret_cast<uint64_t>(request)) {
    request_->description_used = 0;
  }

  template <typename T>
  T* Allocate(size_t count) {
    const uint64_t begin = RoundUp(request_->description_used, alignof(T));
    if (count > (kMaxDescriptionBytes - begin) / sizeof(T)) {
      throw std::length_error("a call's attributes and strings need more than " + std::to_string(kMaxDescriptionBytes) +
                              " bytes");
    }
    request_->description_used = begin + count * sizeof(T);
    return reinterpret_cast<T*>(request_->description + begin);
  }
  template <typename T>
  T* InWorker(T* here) const {
    return here == nullptr ? nullptr : reinterpret_cast<T*>(reinterpret_cast<uint64_t>(here) + to_worker_);
  }
  template <typename T>
  const T* Copy(const T* from, size_t count) {
    if (from == nullptr) return nullptr;
    T* to = Allocate<T>(count);
    std::memcpy(to, from, count * sizeof(T));
    return InWorker(to);
  }
  const char* Copy(const char* text) { return text == nullptr ? nullptr : Copy(text, std::strlen(text) + 1); }

 private:
  CaseRequest* request_;
  uint64_t to_worker_;
};

poolproof_attribute CopyAttribute(const poolproof_attribute& from, Writer* writer) {
  poolproof_attribute to = from;
  to.struct_size = sizeof(to);
  to.name = writer->Copy(from.name);
  to.integers = from.kind == POOLPROOF_INT_LIST ? writer->Copy(from.integers, from.count) : nullptr;
  to.word = from.kind == POOLPROOF_WORD ? writer->Copy(from.word) : nullptr;
  return to;
}

}  // namespace

void WriteDescription(const poolproof_call& call, uint64_t worker_address, CaseRequest* request) {
  if (call.input_count > kMaxInputs || call.output_count > kMaxOutputs) {
    throw std::length_error("a call has more than " + std::to_string(kMaxInputs) + " inputs or more than " +
                            std::to_string(kMaxOutputs) + " outputs");
  }
  Writer writer(request, worker_address);
  const size_t count = call.attribute_count;
  auto* pointers = writer.Allocate<const poolproof_attribute*>(count);
  auto* attributes = writer.Allocate<poolproof_attribute>(count);
  for (size_t i = 0; i < count; ++i) {
    attributes[i] = CopyAttribute(*call.attributes[i], &writer);
    pointers[i] = writer.InWorker(attributes + i);
  }
  request->call = {sizeof(poolproof_call),
                   writer.Copy(call.op),
                   writer.InWorker(pointers),
                   count,
                   nullptr,
                   call.input_count,
                   nullptr,
                   call.output_count};
}

void WriteInputs(const poolproof_call& call, uint64_t worker_address, uint64_t base, int placements,
                 CaseRequest* request) {
  const uint64_t to_worker = worker_address - reinterpret_cast<uint64_t>(request);
  const auto in_worker = [to_worker](const poolproof_tensor* here) {
    return reinterpret_cast<const poolproof_tensor*>(reinterpret_cast<uint64_t>(here) + to_worker);
  };
  for (int p = 0; p < placements; ++p) {
    for (size_t i = 0; i < call.input_count; ++i) {
      poolproof_tensor& run = request->run_inputs[p][i];
      poolproof_tensor& infer = request->infer_inputs[p][i];
      run = *call.inputs[i];
      run.struct_size = sizeof(run);
      run.data = reinterpret_cast<void*>(base + request->extents[p][i].offset);
      infer = run;
      if (i == 0) infer.data = nullptr;
      request->run_pointers[p][i] = in_worker(&run);
      request->infer_pointers[p][i] = in_worker(&infer);
    }
  }
}

}  // namespace poolproof::worker
