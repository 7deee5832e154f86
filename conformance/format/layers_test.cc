#include "conformance/format/layers.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

TEST(PublishedLayersTest, SaysWhatIsDerivedAndWhatWasRun) {
  EXPECT_EQ((PublishedLayers{42, 30, 12, 640, 17, "ResNet-50"}).Text(),
            "42 of 640 published layers match where it fails, in 17 networks, ResNet-50 first; of 30 that were run 12 "
            "fail");
  EXPECT_EQ((PublishedLayers{42, 0, 0, 640, 17, "ResNet-50"}).Text(),
            "42 of 640 published layers match where it fails, in 17 networks, ResNet-50 first; none of them was run");
  EXPECT_EQ((PublishedLayers{1, 1, 0, 640, 1, "LeNet-5"}).Text(),
            "1 of 640 published layers matches where it fails, in LeNet-5; of 1 that was run none fails");
  EXPECT_EQ((PublishedLayers{std::nullopt, 1500, 1200, 1640, 2, "ZFNet"}).Text(),
            "1,200 of 1,640 published layers were run and fail, in 2 networks, ZFNet first");
  EXPECT_EQ((PublishedLayers{0, 0, 0, 640, 0, ""}).Text(), "none of 640 published layers matches where it fails");
}

}  // namespace
}  // namespace poolproof
