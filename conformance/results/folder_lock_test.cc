// One run at a time writes into a folder.
#include "conformance/results/folder_lock.h"

#include <gtest/gtest.h>

#include "conformance/results/testing.h"

namespace poolproof {
namespace {

TEST(FolderLock, HoldsUntilItIsGone) {
  TestFolder folder;
  const std::string inner = folder.In("a/b");
  Error error;
  bool busy = true;
  auto first = FolderLock::Take(inner, &busy, &error);
  ASSERT_TRUE(first) << error.message;
  EXPECT_FALSE(busy);
  EXPECT_EQ(FolderLock::Take(inner, &busy, &error), nullptr);
  EXPECT_TRUE(busy);
  EXPECT_EQ(error.message, "--out: another run is writing into " + inner + ".");
  first.reset();
  EXPECT_NE(FolderLock::Take(inner, &busy, &error), nullptr) << error.message;
}

TEST(FolderLock, SaysWhatCannotBeMade) {
  Error error;
  bool busy = true;
  EXPECT_EQ(FolderLock::Take("/dev/null/x", &busy, &error), nullptr);
  EXPECT_FALSE(busy);
  EXPECT_EQ(error.message.find("/dev/null/x: cannot be made: "), 0u) << error.message;
}

}  // namespace
}  // namespace poolproof
