// oneDNN: maximum of bf16 numbers below the smallest normal one.
//
//   g++ -std=c++17 onednn_bf16_subnormals.cc -ldnnl -o onednn_bf16_subnormals
//   ./onednn_bf16_subnormals
//
// A window of one element has that element as its maximum. The conversion from f32 back to bf16
// makes zero of it. Exits with 1 where that is so.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>

int main() {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc desc({1, 1, 1, 1, 1}, memory::data_type::bf16, memory::format_tag::ncdhw);
  const dnnl::pooling_v2_forward::primitive_desc pool(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::pooling_max, desc, desc, {1, 1, 1},
       {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
      engine);
  uint16_t input = 1, output = 0xFFFF;  // 1 is 2^-133
  memory source(desc, engine, &input), destination(desc, engine, &output);
  dnnl::pooling_v2_forward(pool).execute(
      stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  stream.wait();
  std::printf("%s: maximum of {bits %#06x} has bits %#06x\n", pool.impl_info_str(), input, output);
  return output == input ? 0 : 1;
}
