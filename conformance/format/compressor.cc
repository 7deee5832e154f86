#include "conformance/format/compressor.h"

#include <zstd.h>

#include <new>

namespace poolproof {
namespace {

// A million results take four seconds and a ninth of their size. More would take much longer for little: most of
// what is left are the sizes and seeds of random problems, of which none is like the other.
constexpr int kLevel = 9;

}  // namespace

struct Compressor::State {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), ZSTD_freeCCtx};
  bool open = false;  // a frame
};

Compressor::Compressor() : state_(new State) {
  ZSTD_CCtx* const context = state_->context.get();
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
}

Compressor::~Compressor() = default;

void Compressor::Add(std::string_view text, std::string* out) {
  if (!text.empty()) Put(text, false, out);
}

void Compressor::End(std::string* out) {
  if (state_->open) Put("", true, out);
}

void Compressor::Put(std::string_view text, bool end, std::string* out) {
  state_->open = !end;
  ZSTD_inBuffer in = {text.data(), text.size(), 0};
  size_t left = 1;
  while (left > 0) {
    const size_t had = out->size(), room = ZSTD_CStreamOutSize();
    out->resize(had + room);
    ZSTD_outBuffer to = {out->data() + had, room, 0};
    left = ZSTD_compressStream2(state_->context.get(), &to, &in, end ? ZSTD_e_end : ZSTD_e_flush);
    if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // nothing else can fail
    out->resize(had + to.pos);
  }
}

}  // namespace poolproof
