#include "conformance/cases/fill_specials.h"

#include "conformance/cases/geometry.h"

namespace poolproof::fill {

Planes PlanesOf(const Problem& problem) {
  const Layout layout = LayoutOf(*problem.function);
  const bool channels_last = layout.ChannelsLast();
  const int first = layout.spatial;
  const int rank = problem.SpatialRank();
  Planes planes;
  if (rank < 1 || problem.Elements() == 0) {
    planes.rank = 1;
    planes.size[0] = problem.Elements();
    planes.stride[0] = 1;
    planes.count = problem.Elements() > 0 ? 1 : 0;
    return planes;
  }
  planes.rank = rank;
  int64_t stride = channels_last ? problem.shape[static_cast<size_t>(rank)] : 1;
  const int64_t channels = stride;
  for (int a = rank - 1; a >= 0; --a) {
    planes.size[a] = problem.shape[static_cast<size_t>(first + a)];
    planes.stride[a] = stride;
    stride *= planes.size[a];
  }
  planes.step = channels_last ? 1 : stride;
  planes.count = channels_last ? channels : problem.Elements() / stride;
  return planes;
}

}  // namespace poolproof::fill
