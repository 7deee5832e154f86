// oneDNN, versions 2 and 3: maxima that are no element of their window, taps in the padding, and reads
// outside the input.
//
//   g++ -std=c++17 onednn_pool.cc -ldnnl -o onednn_pool && ./onednn_pool
//
// Which implementation oneDNN takes, printed in brackets, depends on the CPU.
// Exits with 1 if one of the cases differs from what is expected.

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#if DNNL_VERSION_MAJOR < 3
using Pool = dnnl::pooling_v2_forward;
#else
using Pool = dnnl::pooling_forward;
#endif
using dnnl::memory;

namespace {

Pool::primitive_desc Describe(const dnnl::engine& engine, const memory::desc& desc, int kernel, int pad,
                              bool workspace = false, dnnl::algorithm algorithm = dnnl::algorithm::pooling_max) {
  const auto kind = workspace ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const memory::dims strides = {1, 1}, kernels = {1, kernel}, dilations = {0, 0}, pads = {0, pad};
#if DNNL_VERSION_MAJOR < 3
  return {{kind, algorithm, desc, desc, strides, kernels, dilations, pads, pads}, engine};
#else
  return {engine, kind, algorithm, desc, desc, strides, kernels, dilations, pads, pads};
#endif
}

// The maximum, or mean, of `input` alone, kernel 1 x (1 + 2 pad). Prints it and a workspace's tap.
// True if the value is the input and the tap the only one that is not in the padding.
template <typename T>
bool Case(const char* name, memory::data_type type, T input, int pad, bool workspace,
          dnnl::algorithm algorithm = dnnl::algorithm::pooling_max) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc desc({1, 1, 1, 1}, type, memory::format_tag::nchw);
  const auto pool = Describe(engine, desc, 1 + 2 * pad, pad, workspace, algorithm);
  memory source(desc, engine), destination(desc, engine);
  *static_cast<T*>(source.get_data_handle()) = input;
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}};
  memory taps;
  if (workspace) {
    taps = memory(pool.workspace_desc(), engine);
    arguments.insert({DNNL_ARG_WORKSPACE, taps});
  }
  Pool(pool).execute(stream, arguments);
  stream.wait();
  const T output = *static_cast<const T*>(destination.get_data_handle());
  const int tap = workspace ? *static_cast<const uint8_t*>(taps.get_data_handle()) : pad;
  const bool good = (output == input || (std::isnan(+input) && std::isnan(+output))) && tap == pad;
  std::printf("%s: %s [%s]: expected %.9g", good ? "agrees" : "differs", name, pool.impl_info_str(),
              static_cast<double>(input));
  if (workspace) std::printf(" at tap %d", pad);
  std::printf(", got %.9g", static_cast<double>(output));
  if (workspace) std::printf(" at tap %d", tap);
  std::puts("");
  return good;
}

// A batch of 32 images of one u8, kernel 1 x 5, pad 2, right behind a page without access. In a
// process of its own, before oneDNN starts threads in this one. True if that process lives.
bool StaysInside() {
  constexpr size_t kPage = 4096;
  const pid_t child = fork();
  if (child == 0) {
    auto* pages =
        static_cast<char*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(pages, kPage, PROT_NONE);
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    const memory::desc desc({32, 1, 1, 1}, memory::data_type::u8, memory::format_tag::nchw);
    memory source(desc, engine, pages + kPage), destination(desc, engine);
    Pool(Describe(engine, desc, 5, 2)).execute(stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
    stream.wait();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("%s: u8, batch of 32: expected exit status 0, got %s %d\n", status == 0 ? "agrees" : "differs",
              WIFSIGNALED(status) ? "signal" : "exit status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return status == 0;
}

}  // namespace

int main() {
  using type = memory::data_type;
  const dnnl_version_t* version = dnnl_version();
  std::printf("oneDNN %d.%d.%d\n", version->major, version->minor, version->patch);
  const float infinity = std::numeric_limits<float>::infinity();
  const int32_t large = 46003429;  // not an f32
  bool good = StaysInside();
  good &= Case("s32", type::s32, large, 0, false);
  good &= Case("mean of s32", type::s32, large, 0, false, dnnl::algorithm::pooling_avg_include_padding);
  good &= Case("f32 -inf", type::f32, -infinity, 0, false);
  good &= Case("f32 NaN", type::f32, std::nanf(""), 0, false);
  good &= Case("f32 lowest, padded", type::f32, -FLT_MAX, 1, true);
  good &= Case("u8 lowest, padded", type::u8, uint8_t{0}, 1, true);
  good &= Case("s8 lowest, padded", type::s8, int8_t{-128}, 1, true);
  return good ? 0 : 1;
}
