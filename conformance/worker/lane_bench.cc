// How fast a lane is: cases per second for tiny tensors, both placements, and milliseconds per
// restart.
//
//   lane_bench BACKEND [CASES]
//
// The backend has to answer "Copy" or to refuse it; testdata's libmisbehaving.so copies.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conformance/worker/test_call.h"

namespace {

using poolproof::Lane;
using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point since) { return std::chrono::duration<double>(Clock::now() - since).count(); }

void FillBatch(Lane* lane, poolproof::worker::TestCall* call) {
  while (void* data = lane->Add(call->Get(), 0)) {
    std::memset(data, 0, call->Input(0).size_bytes);
  }
}

double CasesPerSecond(Lane* lane, int64_t cases, const std::vector<int64_t>& dims) {
  poolproof::worker::TestCall call("Copy", POOLPROOF_F32, dims, 2);
  call.Ints("kernel", {2, 2}).Ints("strides", {1, 1}).Ints("pads_begin", {0, 0});
  call.Ints("pads_end", {0, 0}).Word("rounding_type", "floor").Word("index_element_type", "i32");
  const Clock::time_point begin = Clock::now();
  int64_t done = 0;
  FillBatch(lane, &call);
  lane->Submit();
  while (done < cases) {
    FillBatch(lane, &call);
    done += static_cast<int64_t>(lane->Wait().size());
    lane->Submit();
  }
  done += static_cast<int64_t>(lane->Wait().size());
  return static_cast<double>(done) / Seconds(begin);
}

double RestartMilliseconds(Lane* lane) {
  constexpr int kRestarts = 50;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < kRestarts; ++i) lane->Restart();
  return Seconds(begin) / kRestarts * 1e3;
}

}  // namespace

int main(int argc, char** argv) {
  const int status = poolproof::RunWorkerIfAsked(argc, argv);
  if (status >= 0) return status;
  if (argc < 2) {
    std::fprintf(stderr, "usage: lane_bench BACKEND [CASES]\n");
    return 2;
  }
  poolproof::LaneOptions options;
  options.backend = argv[1];
  poolproof::Error error;
  const auto lane = poolproof::StartLane(options, &error);
  if (lane == nullptr) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 3;
  }
  const int64_t cases = argc > 2 ? std::atoll(argv[2]) : 500'000;
  std::printf("%.0f cases/s of 1x2x4x4\n", CasesPerSecond(lane.get(), cases, {1, 2, 4, 4}));
  std::printf("%.0f cases/s of 1x4x16x16\n", CasesPerSecond(lane.get(), cases, {1, 4, 16, 16}));
  std::printf("%.2f ms per restart\n", RestartMilliseconds(lane.get()));
  return 0;
}
