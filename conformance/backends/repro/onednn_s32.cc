// oneDNN: maximum of s32 values that f32 cannot hold.
//
//   g++ -std=c++17 onednn_s32.cc -ldnnl -o onednn_s32 && ./onednn_s32
//
// A window of one element has that element as its maximum. The implementation that oneDNN takes for
// plain layouts carries s32 through f32, so the last bits are lost. Exits with 1 where that is so.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>

int main() {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc desc({1, 2, 1, 2}, memory::data_type::s32, memory::format_tag::nchw);
  const dnnl::pooling_v2_forward::primitive_desc pool(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::pooling_max, desc, desc, {1, 1}, {1, 1},
       {0, 0}, {0, 0}, {0, 0}},
      engine);
  int32_t input[4] = {46003429, 1, 2, 3}, output[4] = {};
  memory source(desc, engine, input), destination(desc, engine, output);
  dnnl::pooling_v2_forward(pool).execute(
      stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  stream.wait();
  std::printf("%s: maximum of {%d} is %d\n", pool.impl_info_str(), input[0], output[0]);
  return output[0] == input[0] ? 0 : 1;
}
