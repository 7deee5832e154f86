// Text that grows, compressed by zstd.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_COMPRESSOR_H_
#define POOLPROOF_CONFORMANCE_FORMAT_COMPRESSOR_H_

#include <memory>
#include <string>
#include <string_view>

namespace poolproof {

class Compressor {
 public:
  Compressor();
  ~Compressor();

  // Appends to `out` what stands for `text`: whoever reads as far gets all of it, though the frame
  // goes on, so that its like later in the file costs little.
  void Add(std::string_view text, std::string* out);
  // Ends the frame, with its checksum. The next text begins another one.
  void End(std::string* out);

 private:
  void Put(std::string_view text, bool end, std::string* out);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_FORMAT_COMPRESSOR_H_
