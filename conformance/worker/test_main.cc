// Main of the tests that start lanes: a lane starts this program again as its worker.
#include <gtest/gtest.h>

#include "conformance/worker/lane.h"

int main(int argc, char** argv) {
  const int status = poolproof::RunWorkerIfAsked(argc, argv);
  if (status >= 0) return status;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
