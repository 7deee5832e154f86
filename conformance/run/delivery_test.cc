// Records come out in the order of the plan, whoever finishes which chunk first.

#include "conformance/run/delivery.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace poolproof {
namespace {

TEST(Delivery, RecordsArriveInPlanOrderFromManyThreads) {
  std::vector<uint64_t> seen;
  const Sink sink = [&](Record& record) {
    seen.push_back(record.n);
    return true;
  };
  Delivery delivery(0, 1000, 7, 4, sink);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      while (const auto first = delivery.Claim([] {})) {
        std::vector<Record> records;
        for (uint64_t n = *first; n < delivery.ChunkEnd(*first); ++n) records.emplace_back().n = n;
        delivery.Deliver(*first, std::move(records));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<uint64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

TEST(Delivery, NothingFollowsAChunkThatWasCut) {
  std::vector<uint64_t> seen;
  const Sink sink = [&](Record& record) {
    seen.push_back(record.n);
    return true;
  };
  const auto records = [](std::initializer_list<uint64_t> places) {
    std::vector<Record> all;
    for (const uint64_t n : places) all.emplace_back().n = n;
    return all;
  };
  Delivery delivery(0, 100, 3, 8, sink);
  for (int i = 0; i < 3; ++i) delivery.Claim([] {});
  delivery.Deliver(6, records({6, 7, 8}));
  delivery.Deliver(3, records({3}), true);
  delivery.Deliver(0, records({0, 1, 2}));
  EXPECT_EQ(seen, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_FALSE(delivery.Claim([] {}));
}

TEST(Delivery, WhoHoldsTheOldestChunkIsAskedForItBeforeWaiting) {
  int delivered = 0;
  const Sink sink = [&](Record&) { return true; };
  Delivery delivery(0, 100, 1, 2, sink);
  std::vector<uint64_t> held;
  const auto give_back = [&] {
    for (const uint64_t first : held) delivery.Deliver(first, {});
    delivered += static_cast<int>(held.size());
    held.clear();
  };
  while (const auto first = delivery.Claim(give_back)) held.push_back(*first);
  give_back();
  EXPECT_EQ(delivered, 100);
}

}  // namespace
}  // namespace poolproof
