// Backends that do not come up: one sentence each that names file and cause.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "conformance/worker/test_call.h"

namespace poolproof::worker {
namespace {

std::string LoadError(const std::string& path, const std::string& option = "", double timeout = 60) {
  LaneOptions options;
  options.backend = path;
  if (!option.empty()) options.options = {option};
  options.load_timeout_seconds = timeout;
  Error error;
  EXPECT_EQ(StartLane(options, &error), nullptr) << path;
  return error.message;
}

TEST(Loading, NamesAMissingFile) {
  EXPECT_EQ(LoadError("/nowhere/libx.so"), "no such file: /nowhere/libx.so");
  EXPECT_EQ(LoadError("perl mine.pl"),
            "no such file: perl mine.pl (a command is judged with --backend='process:perl mine.pl')");
}

TEST(Loading, SaysWhatIsInAFileThatIsNoSharedObject) {
  const std::string path = testing::TempDir() + "/not_a_library.so", begin = "cannot load the shared object: " + path;
  const auto error_of = [&path](std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return LoadError(path);
  };
  EXPECT_EQ(error_of(""), begin + " is empty");
  EXPECT_EQ(error_of("text\n"), begin + " is no shared object: it begins with \"text\\n\"");
  EXPECT_EQ(error_of("MZ\x90" + std::string(100, 'x')),
            begin + " is no shared object: it begins with \"MZ\\x90" + std::string(21, 'x') + "\"");
  EXPECT_EQ(error_of("version https://git-lfs.github.com/spec/v1\n"),
            begin + " is no shared object: it begins with \"version https://git-lfs.\"");
  EXPECT_EQ(error_of("\x7f"
                     "ELF"),
            begin + " is cut off: it has 4 bytes");
}

// Loads a file that begins with these bytes, and returns the error.
std::string LoadErrorOf(std::string bytes) {
  bytes.resize(sizeof(Elf64_Ehdr));
  const std::string path = testing::TempDir() + "/of_another_kind.so";
  std::ofstream(path, std::ios::binary) << bytes;
  return LoadError(path);
}

TEST(Loading, SaysWhatAFileIsInstead) {
  const std::string path = testing::TempDir() + "/of_another_kind.so", begin = "cannot load the shared object: " + path;
  EXPECT_EQ(LoadErrorOf("!<arch>\n"), begin + " is a static library; link it into a shared object");
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_type = ET_REL;
  const auto bytes = [&] { return std::string(reinterpret_cast<const char*>(&header), sizeof(header)); };
  EXPECT_EQ(LoadErrorOf(bytes()), begin + " is an object file, which is not linked yet");
  const std::string program = begin + " is a program, judged with --backend=process:" + path;
  EXPECT_EQ(LoadErrorOf("#!/bin/sh\n"), program);
  header.e_type = ET_EXEC;
  EXPECT_EQ(LoadErrorOf(bytes()), program);
  EXPECT_EQ(LoadError("/bin/sh"),
            "cannot load the shared object: /bin/sh is a program, judged with --backend=process:/bin/sh");
  header.e_type = ET_DYN;
  header.e_machine = EM_RISCV;
  const std::string error = LoadErrorOf(bytes());
  EXPECT_TRUE(error.starts_with(begin + " is for RISC-V, and this program for ")) << error;
  EXPECT_EQ(LoadError(testing::TempDir()), "cannot load the shared object: " + testing::TempDir() + " is a folder");
}

TEST(Loading, NamesAMissingSymbol) {
  const std::string path = BackendPath("no_symbol");
  EXPECT_EQ(LoadError(path), path + " does not export poolproof_get_backend");
}

TEST(Loading, ChecksTheTable) {
  const std::string null = BackendPath("table_null");
  EXPECT_EQ(LoadError(null), null + " does not serve ABI version 1: poolproof_get_backend returned NULL");
  const std::string abi = BackendPath("table_abi");
  EXPECT_EQ(LoadError(abi), abi + " was built for ABI version 7, this program serves version 1");
  const std::string size = BackendPath("table_short");
  EXPECT_EQ(LoadError(size), size + " has a backend table of 64 bytes, ABI version 1 needs 72");
  const std::string function = BackendPath("table_function");
  EXPECT_EQ(LoadError(function), function + " has a backend table in which a function is NULL");
}

TEST(Loading, SurvivesABackendThatDoesNot) {
  const std::string crash = BackendPath("table_crash");
  EXPECT_EQ(LoadError(crash), "the process died while loading " + crash + ": received signal SIGABRT");
  const std::string exits = BackendPath("table_exit");
  EXPECT_EQ(LoadError(exits), "the process died while loading " + exits + ": exited with status 4");
  const std::string hang = BackendPath("table_hang");
  EXPECT_EQ(LoadError(hang, "", 0.3), "loading " + hang + " took more than 0.3 s");
}

TEST(Loading, ReportsWhatCreateSays) {
  const std::string path = BackendPath("misbehaving");
  EXPECT_EQ(LoadError(path, "no=such"), path + " could not make an instance, INVALID_ARGUMENT: unknown option no=such");
  EXPECT_EQ(LoadError(path, "create=exit"), "the process died while loading " + path + ": exited with status 7");
}

TEST(Loading, RefusesALogThatCannotBeWritten) {
  LaneOptions options;
  options.backend = BackendPath("misbehaving");
  options.log_path = "/nowhere/log";
  Error error;
  EXPECT_EQ(StartLane(options, &error), nullptr);
  EXPECT_EQ(error.message, "cannot open the log /nowhere/log: No such file or directory");
}

// The library disappears while it is in use: what is left of the batch says so.
TEST(Loading, MarksTheRestWhenTheBackendCannotBeStartedAgain) {
  const std::string path = testing::TempDir() + "/vanishing_backend.so";
  std::filesystem::copy_file(BackendPath("misbehaving"), path, std::filesystem::copy_options::overwrite_existing);
  LaneOptions options;
  options.backend = path;
  const auto lane = StartOrFail(options);
  std::filesystem::remove(path);
  TestCall bad("Copy", POOLPROOF_F32, {3});
  bad.Word("fault", "abort");
  TestCall good("Copy", POOLPROOF_F32, {3});
  const auto results = RunCounting(lane.get(), {&bad, &good});
  EXPECT_EQ(results[0].event_text, "received signal SIGABRT in run");
  EXPECT_EQ(results[1].event, Event::kCrash);
  EXPECT_TRUE(results[1].event_text.starts_with("could not be started again: cannot ")) << results[1].event_text;
  EXPECT_EQ(RunFault(lane.get(), "none").event, Event::kCrash);
}

}  // namespace
}  // namespace poolproof::worker
