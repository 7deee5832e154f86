// Parts of the cell that need no process: devices by name, and the folder for what a backend writes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "conformance/worker/cell_folder.h"
#include "conformance/worker/cell_options.h"

namespace poolproof::worker {
namespace {

namespace fs = std::filesystem;

TEST(CellDevices, AKindStandsForPaths) {
  EXPECT_EQ(PathsOfDevice("kfd"), (std::vector<std::string>{"/dev/kfd", "/dev/dri"}));
  EXPECT_TRUE(PathsOfDevice("other").empty());
  for (const std::string& kind : DeviceKinds()) {
    CellOptions options;
    EXPECT_FALSE(AllowsGpu(options));
    options.allow_devices = PathsOfDevice(kind);
    EXPECT_TRUE(AllowsGpu(options)) << kind;
  }
}

TEST(CellDevices, AnyOptionForOneOfThemAllowsAGpu) {
  for (const char* pattern : {"/dev/nvidia0", "/dev/nvid*", "/dev/*", "/dev/dri/renderD128", "/dev/accel/accel0"}) {
    CellOptions options;
    options.allow_devices = {pattern};
    EXPECT_TRUE(AllowsGpu(options)) << pattern;
  }
  CellOptions options;
  options.allow_devices = {"/dev/zero", "/dev/ptm*"};
  EXPECT_FALSE(AllowsGpu(options));
}

TEST(CellDevices, ThoseOfTheMachineThatAreNotAllowedAreNamed) {
  CellFolder folder;
  ASSERT_TRUE(folder.Create());
  CellOptions options;
  EXPECT_EQ(DevicesKeptAway(options, folder.Path()), "");
  fs::create_directories(folder.Path() + "/dev/dri");
  std::ofstream(folder.Path() + "/dev/nvidia0");
  EXPECT_EQ(DevicesKeptAway(options, folder.Path()),
            folder.Path() + "/dev/nvidia0: --device=nvidia, " + folder.Path() + "/dev/dri: --device=dri");
  options.allow_devices = PathsOfDevice("nvidia");
  EXPECT_EQ(DevicesKeptAway(options, folder.Path()), folder.Path() + "/dev/dri: --device=dri");
}

TEST(CellFolder, IsEmptyForEachProcessAndGoneAtTheEnd) {
  std::string path;
  {
    CellFolder folder;
    ASSERT_TRUE(folder.Create());
    path = folder.Path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(path + "/closed/inner");
    std::ofstream(path + "/closed/inner/file") << "kept";
    fs::create_symlink("/", path + "/root");
    // Nobody may enter it, as a backend can leave it behind.
    chmod((path + "/closed/inner").c_str(), 0);
    chmod((path + "/closed").c_str(), 0);
    folder.Empty();
    EXPECT_TRUE(fs::is_empty(path));
    std::ofstream(path + "/again");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists("/proc/self"));
}

}  // namespace
}  // namespace poolproof::worker
