// Our backend, a plain loop, and memcpy.
#include <cstring>
#include <limits>
#include <memory>
#include <thread>

#include "optimized/bench/contestant.h"
#include "optimized/bench/memory.h"
#include "optimized/bench/plain_loop.h"
#include "optimized/bench/verify.h"
#include "optimized/core/executor.h"
#include "optimized/core/operator.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

int g_threads = 1;

// The operator of a workload, nullptr where there is none, and the checked plan.
const Operator* ParseWorkload(const Workload& w, Plan* plan) {
  // A dilated maximum without index is no operator: MaxPool-8 without its second output.
  const bool dilated = w.pool == Pool::kMax && !w.index;
  Workload with_index = w;
  with_index.index = true;
  WorkloadCall call(dilated ? with_index : w);
  const Operator* op = FindOperator(call.call.op);
  Parsed parsed;
  if (op == nullptr || !op->parse(call.call, parsed).ok()) return nullptr;
  *plan = parsed.plan;
  if (!w.index) plan->index_type = 0;
  return op;
}

// Input, outputs and the checked plan of a workload.
class Prepared : public Contestant {
 public:
  Prepared(const Workload& w, const void* input) : workload_(w), call_(w) {
    const size_t bytes = BytesOf(w.type);
    const Operator* op = ParseWorkload(w, &plan_);
    ok_ = op != nullptr;
    compute_ = ok_ ? op->compute : nullptr;
    values_.resize(static_cast<size_t>(w.OutElements()) * bytes + 64);
    indices_.resize(w.index ? static_cast<size_t>(w.OutElements()) : 0);
    buffers_ = {input, values_.data(), indices_.data()};
  }
  bool ok() const { return ok_; }
  const void* Values() override { return values_.data(); }
  const int64_t* Indices() override { return workload_.index ? indices_.data() : nullptr; }

 protected:
  const Workload& workload_;
  WorkloadCall call_;
  Plan plan_;
  Buffers buffers_;
  void (*compute_)(const Plan&, const Buffers&, Executor&) = nullptr;

 private:
  bool ok_ = false;
  Memory<char> values_;
  Memory<int64_t> indices_;
};

class Ours : public Prepared {
 public:
  Ours(const Workload& w, const void* input, int threads) : Prepared(w, input), executor_(threads) {}
  void Run() override { compute_(plan_, buffers_, executor_); }

 private:
  Executor executor_;
};

class WithoutIndex : public Ours {
 public:
  WithoutIndex(const Workload& w, const void* input, int threads) : Ours(w, input, threads) { plan_.index_type = 0; }
  const int64_t* Indices() override { return nullptr; }
};

class Plain : public Prepared {
 public:
  using Prepared::Prepared;
  void Run() override { PlainLoop(plan_, IsMean(workload_.pool), buffers_); }
};

class Copy : public Contestant {
 public:
  explicit Copy(int64_t bytes) : from_(static_cast<size_t>(bytes)), to_(from_.size()) {}
  void Run() override {
    std::memcpy(to_.data(), from_.data(), from_.size());
    asm volatile("" : : "r"(to_.data()) : "memory");
  }

 private:
  Memory<char> from_, to_;
};

std::unique_ptr<Contestant> IfOk(std::unique_ptr<Prepared> contestant) {
  return contestant->ok() ? std::move(contestant) : nullptr;
}

std::unique_ptr<Contestant> EnterOurs(const Workload& w, const void* input) {
  return IfOk(std::make_unique<Ours>(w, input, g_threads));
}

// Our backend on two threads, where that is to pay: one core's caches do not hold the data.
std::unique_ptr<Contestant> EnterTwoThreads(const Workload& w, const void* input) {
  constexpr int64_t kBeyondOneCore = 4 << 20;
  if (g_threads != 1 || std::thread::hardware_concurrency() < 2 || Bytes(w) < kBeyondOneCore) return nullptr;
  return IfOk(std::make_unique<Ours>(w, input, 2));
}

std::unique_ptr<Contestant> EnterPlain(const Workload& w, const void* input) {
  return IfOk(std::make_unique<Plain>(w, input));
}

std::unique_ptr<Contestant> EnterWithoutIndex(const Workload& w, const void* input) {
  return w.index ? IfOk(std::make_unique<WithoutIndex>(w, input, g_threads)) : nullptr;
}

// Reads and writes as many bytes as the input and the outputs have together.
std::unique_ptr<Contestant> EnterCopy(const Workload& w, const void*) { return std::make_unique<Copy>(Bytes(w) / 2); }

int64_t IndexBytes(const Workload& w) { return w.OutElements() * static_cast<int64_t>(sizeof(int64_t)); }

std::unique_ptr<Contestant> EnterIndexCopy(const Workload& w, const void*) {
  return w.index ? std::make_unique<Copy>(IndexBytes(w)) : nullptr;
}

std::unique_ptr<Contestant> EnterValuesCopy(const Workload& w, const void*) {
  return w.index ? std::make_unique<Copy>((Bytes(w) - IndexBytes(w)) / 2) : nullptr;
}

}  // namespace

void SetBenchmarkThreads(int threads) { g_threads = threads; }

int BenchmarkThreads() { return g_threads; }

std::string ChosenKernel(const Workload& w) {
  Plan plan;
  if (ParseWorkload(w, &plan) == nullptr) return "none";
  return KernelOf(IsMean(w.pool) ? Pooling::kMean : Pooling::kMax, plan).name;
}

std::vector<Entrant> OwnEntrants() {
  return {{"poolproof", Role::kOurs, EnterOurs},
          {"poolproof, 2 threads", Role::kTwoThreads, EnterTwoThreads},
          {"poolproof, values only", Role::kWithoutIndex, EnterWithoutIndex},
          {"plain loop", Role::kPlain, EnterPlain},
          {"memcpy", Role::kLimit, EnterCopy},
          {"memcpy of the index", Role::kIndexLimit, EnterIndexCopy},
          {"memcpy but of the index", Role::kValuesLimit, EnterValuesCopy}};
}

}  // namespace poolproof::optimized
