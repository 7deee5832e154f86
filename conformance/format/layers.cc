#include "conformance/format/layers.h"

#include "conformance/format/text.h"

namespace poolproof {

std::string PublishedLayers::Text() const {
  const std::string of_all = " of " + Plural(all, "published layer");
  const uint64_t count = matching.value_or(failing);
  if (matching && count == 0) return "none" + of_all + " matches where it fails";
  std::string text = WithCommas(count) + of_all;
  if (matching) text += count == 1 ? " matches where it fails" : " match where it fails";
  if (!matching) text += count == 1 ? " was run and fails" : " were run and fail";
  text += networks == 1 ? ", in " + first : ", in " + Plural(networks, "network") + ", " + first + " first";
  if (!matching) return text;
  if (run == 0) return text + "; none of them was run";
  return text + "; of " + WithCommas(run) + " that " + (run == 1 ? "was" : "were") + " run " +
         (failing == 0 ? "none fails" : WithCommas(failing) + (failing == 1 ? " fails" : " fail"));
}

}  // namespace poolproof
