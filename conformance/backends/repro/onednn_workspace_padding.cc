// oneDNN: the workspace names a tap in the padding although the window has input.
//
//   g++ -std=c++17 onednn_workspace_padding.cc -ldnnl -o onednn_workspace_padding
//   ./onednn_workspace_padding
//
// Kernel 3, padding 1, one input element, the lowest finite f32: the maximum is tap 1, the only one
// inside the input. oneDNN leaves its start value, tap 0, which lies in the padding. A backward pass
// would give the gradient to no element. Exits with 1 where that is so.

#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>

int main() {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc desc({1, 1, 1}, memory::data_type::f32, memory::format_tag::ncw);
  const dnnl::pooling_v2_forward::primitive_desc pool(
      {dnnl::prop_kind::forward_training, dnnl::algorithm::pooling_max, desc, desc, {1}, {3}, {0},
       {1}, {1}},
      engine);
  float input = -FLT_MAX, output = 0;
  memory source(desc, engine, &input), destination(desc, engine, &output);
  memory workspace(pool.workspace_desc(), engine);
  dnnl::pooling_v2_forward(pool).execute(stream, {{DNNL_ARG_SRC, source},
                                                  {DNNL_ARG_DST, destination},
                                                  {DNNL_ARG_WORKSPACE, workspace}});
  stream.wait();
  const int tap = *static_cast<const uint8_t*>(workspace.get_data_handle());
  std::printf("%s: maximum %g at tap %d, inside the input is tap 1\n", pool.impl_info_str(),
              static_cast<double>(output), tap);
  return tap == 1 ? 0 : 1;
}
