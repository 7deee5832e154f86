#include "optimized/tools/random_call.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "optimized/core/plan.h"
#include "optimized/tools/random_data.h"

namespace poolproof::optimized {
namespace {

constexpr poolproof_element_type kAllTypes[] = {
    POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16, POOLPROOF_I8,  POOLPROOF_U8,
    POOLPROOF_I16, POOLPROOF_U16, POOLPROOF_I32, POOLPROOF_U32,  POOLPROOF_I64, POOLPROOF_U64};

bool StartsWith(std::string_view text, std::string_view prefix) { return text.starts_with(prefix); }

// Mostly small, now and then wide enough for several vectors of any type.
int64_t SpatialSize(Random& random, bool last) {
  if (last && random.OneIn(4)) return random.In(20, 200);
  return random.OneIn(4) ? random.In(9, 24) : random.In(1, 9);
}

// Specializations of the CHW functions, so that some of them are called with fitting configurations.
std::string MliSuffix(Random& random, bool max) {
  const int64_t n = random.In(2, 10);
  const std::string kernel = "_k" + std::to_string(n) + "x" + std::to_string(n);
  switch (random.In(0, 5)) {
    case 0: return "_generic";
    case 1: return kernel + "_str1_nopad";
    case 2: return kernel + "_str1_krnpad";
    case 3: return max ? "_ch1_str1" : kernel + "_krnpad";
    default: return "";
  }
}

}  // namespace

uint64_t Random::Next() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

const std::vector<std::string>& OperatorNames() {
  static const std::vector<std::string> names = {
      "MaxPool-1", "MaxPool-8", "MaxPool-14", "AvgPool-1", "AvgPool-14", "AdaptiveMaxPool-8",
      "AdaptiveAvgPool-8", "mli_krn_maxpool_chw_fx8", "mli_krn_maxpool_chw_fx16",
      "mli_krn_maxpool_hwc_fx8", "mli_krn_maxpool_hwc_fx16", "mli_krn_avepool_chw_fx8",
      "mli_krn_avepool_chw_fx16", "mli_krn_avepool_hwc_fx8", "mli_krn_avepool_hwc_fx16"};
  return names;
}

std::string_view TypeName(poolproof_element_type type) {
  constexpr std::string_view kNames[] = {"?",   "f64", "f32", "f16", "bf16", "i8",  "u8", "i16",
                                         "u16", "i32", "u32", "i64", "u64",  "fx8", "fx16"};
  return kNames[type >= 0 && type < 15 ? type : 0];
}

RandomCall::RandomCall(const std::string& op, Random& random, int64_t max_elements)
    : op_(op), mli_(StartsWith(op, "mli_")), adaptive_(StartsWith(op, "Adaptive")) {
  inputs_[0].element_type = kAllTypes[random.In(0, adaptive_ ? 3 : 11)];
  if (mli_) inputs_[0].element_type = op.ends_with("fx8") ? POOLPROOF_FX8 : POOLPROOF_FX16;
  MakeShape(random, max_elements);
  if (mli_) {
    MakeMli(random);
  } else if (adaptive_) {
    MakeAdaptive(random);
  } else {
    MakeFixed(random);
  }
  MakeData(random);
  Bind();
}

void RandomCall::MakeShape(Random& random, int64_t max_elements) {
  const int spatial = mli_ ? 2 : static_cast<int>(random.In(1, 3));
  do {
    dims_.clear();
    if (!mli_) dims_ = {random.In(1, 3), random.OneIn(3) ? random.In(4, 40) : random.In(1, 4)};
    for (int i = 0; i < spatial; ++i) dims_.push_back(SpatialSize(random, i + 1 == spatial));
    if (mli_) {
      const int64_t channels = random.OneIn(3) ? random.In(5, 80) : random.In(1, 4);
      dims_.insert(op_.find("_hwc_") != op_.npos ? dims_.end() : dims_.begin(), channels);
    }
    int64_t elements = 1;
    for (const int64_t dim : dims_) elements *= dim;
    if (elements <= max_elements) return;
  } while (true);
}

void RandomCall::List(const char* name, std::vector<int64_t> values) {
  attributes_.push_back({name, std::move(values), "", POOLPROOF_INT_LIST});
}

void RandomCall::MakeFixed(Random& random) {
  const size_t spatial = dims_.size() - 2;
  std::vector<int64_t> kernel(spatial), strides(spatial), dilations(spatial, 1), begin(spatial),
      end(spatial);
  const bool dilate = !StartsWith(op_, "Avg") && op_ != "MaxPool-1" && random.OneIn(2);
  const bool large = random.OneIn(4);
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t size = dims_[2 + i];
    kernel[i] = random.In(1, large ? size + 2 : 5);
    strides[i] = random.OneIn(2) ? random.In(1, 2) : random.In(1, 5);
    if (dilate) dilations[i] = random.In(1, 3);
    if (random.OneIn(2)) begin[i] = random.In(0, kernel[i]);
    if (random.OneIn(2)) end[i] = random.In(0, kernel[i]);
  }
  // The same on all axes, which the fast ways of the kernels are for. Wide padding on all of them makes outputs
  // that are far larger than inputs.
  if (!large && random.OneIn(3)) {
    for (std::vector<int64_t>* list : {&kernel, &strides, &dilations, &begin, &end}) {
      std::fill(list->begin(), list->end(), list->back());
    }
  }
  if (random.OneIn(8)) MakeTiles(random, kernel, strides, begin, end);
  if (random.OneIn(4)) MakeFrequent(random, kernel, strides, begin, end);
  List("kernel", kernel);
  List("strides", strides);
  if (dilate) List("dilations", dilations);
  List("pads_begin", begin);
  List("pads_end", end);
  MakeWords(random);
}

// Windows side by side, none of which lacks an element.
void RandomCall::MakeTiles(Random& random, std::vector<int64_t>& kernel, std::vector<int64_t>& strides,
                           std::vector<int64_t>& begin, std::vector<int64_t>& end) {
  const int64_t side = random.OneIn(2) ? 2 : random.In(2, 4);
  for (size_t i = 0; i < kernel.size(); ++i) {
    int64_t& size = dims_[2 + i];
    kernel[i] = strides[i] = side;
    begin[i] = end[i] = 0;
    size = std::max(side, size / side * side);
  }
}

// Windows as networks have them.
void RandomCall::MakeFrequent(Random& random, std::vector<int64_t>& kernel, std::vector<int64_t>& strides,
                              std::vector<int64_t>& begin, std::vector<int64_t>& end) {
  const int64_t side = random.OneIn(4) ? 5 : random.In(2, 3), stride = random.In(1, side == 5 ? 1 : 2);
  std::fill(kernel.begin(), kernel.end(), side);
  std::fill(strides.begin(), strides.end(), stride);
  const int64_t pad = random.In(0, side / 2);
  std::fill(begin.begin(), begin.end(), pad);
  std::fill(end.begin(), end.end(), random.OneIn(2) ? pad : random.In(0, side / 2));
}

void RandomCall::MakeWords(Random& random) {
  static const char* const kRounding[] = {"floor", "ceil", "ceil_torch"};
  static const char* const kAutoPad[] = {"explicit", "same_upper", "same_lower", "valid"};
  if (random.OneIn(2)) Word("rounding_type", kRounding[random.In(0, op_.ends_with("-14") ? 2 : 1)]);
  if (random.OneIn(3)) Word("auto_pad", kAutoPad[random.In(0, 3)]);
  if (StartsWith(op_, "Avg")) {
    attributes_.push_back({"exclude-pad", {random.In(0, 1)}, "", POOLPROOF_BOOL});
  } else if (op_ != "MaxPool-1") {
    const int64_t rank = static_cast<int64_t>(dims_.size());
    if (random.OneIn(2)) Int("axis", random.In(-rank, rank - 1));
    if (random.OneIn(2)) Word("index_element_type", random.OneIn(2) ? "i32" : "i64");
  }
}

void RandomCall::MakeAdaptive(Random& random) {
  const bool even = random.OneIn(4);
  for (size_t i = 2; i < dims_.size(); ++i) {
    if (even) dims_[i] += dims_[i] % 2;
    const int64_t size = random.OneIn(8) ? random.In(1, 20) : random.In(1, dims_[i]);
    sizes_.push_back(even ? dims_[i] / 2 : size);
  }
  if (op_ == "AdaptiveMaxPool-8" && random.OneIn(2)) {
    Word("index_element_type", random.OneIn(2) ? "i32" : "i64");
  }
}

void RandomCall::MakeMli(Random& random) {
  const size_t height = op_.find("_hwc_") != op_.npos ? 0 : 1;
  const bool specialize = height == 1 && random.OneIn(2);
  const int64_t kh = random.In(1, std::min<int64_t>(dims_[height], 20));
  const int64_t kw = random.In(1, std::min<int64_t>(dims_[height + 1], specialize ? kh : 20));
  const bool fitting = random.OneIn(2);  // pads and strides that the specializations ask for
  Int("kernel_width", kw);
  Int("kernel_height", kh);
  Int("stride_width", fitting ? 1 : random.In(1, 4));
  Int("stride_height", fitting ? 1 : random.In(1, 4));
  Int("padding_left", fitting ? (kw - 1) / 2 : random.In(0, kw - 1));
  Int("padding_right", fitting ? kw / 2 : random.In(0, kw - 1));
  Int("padding_top", fitting ? (kh - 1) / 2 : random.In(0, kh - 1));
  Int("padding_bottom", fitting ? kh / 2 : random.In(0, kh - 1));
  if (specialize) op_ += MliSuffix(random, op_.find("maxpool") != op_.npos);
  inputs_[0].frac_bits = static_cast<int32_t>(random.In(0, 7));
}

void RandomCall::MakeData(Random& random) {
  int64_t elements = 1;
  for (const int64_t dim : dims_) elements *= dim;
  data_.resize(static_cast<size_t>(elements) * BytesOf(inputs_[0].element_type));
  FillRandomly(inputs_[0].element_type, elements, random, data_.data());
}

void RandomCall::FillWithZeros(Random& random) {
  const poolproof_element_type type = inputs_[0].element_type;
  const int64_t elements = static_cast<int64_t>(data_.size() / BytesOf(type));
  optimized::FillWithZeros(type, elements, random, data_.data());
}

void RandomCall::Bind() {
  for (const Attribute& a : attributes_) {
    const bool list = a.kind == POOLPROOF_INT_LIST;
    abi_attributes_.push_back({sizeof(poolproof_attribute), a.name.c_str(), a.kind,
                               list || a.values.empty() ? 0 : a.values[0],
                               list ? a.values.data() : nullptr, list ? a.values.size() : 0,
                               a.word.c_str()});
  }
  for (const poolproof_attribute& a : abi_attributes_) attribute_pointers_.push_back(&a);
  inputs_[0].struct_size = sizeof(poolproof_tensor);
  inputs_[0].rank = static_cast<int32_t>(dims_.size());
  std::copy(dims_.begin(), dims_.end(), inputs_[0].dims);
  inputs_[0].size_bytes = data_.size();
  inputs_[1] = {sizeof(poolproof_tensor), POOLPROOF_I64, 1,
                {static_cast<int64_t>(sizes_.size())}, sizes_.data(),
                sizes_.size() * sizeof(int64_t), 0};
  for (size_t i = 0; i < 2; ++i) {
    outputs_[i].struct_size = sizeof(poolproof_tensor);
    input_pointers_[i] = &inputs_[i];
    output_pointers_[i] = &outputs_[i];
  }
  const bool indices = op_ == "MaxPool-8" || op_ == "MaxPool-14" || op_ == "AdaptiveMaxPool-8";
  call_ = {sizeof(poolproof_call), op_.c_str(), attribute_pointers_.data(),
           attribute_pointers_.size(), input_pointers_, adaptive_ ? size_t{2} : size_t{1},
           output_pointers_, indices ? size_t{2} : size_t{1}};
}

std::string RandomCall::Line() const {
  std::string line = op_ + " " + std::string(TypeName(inputs_[0].element_type)) + " in=";
  const auto list = [&line](const std::vector<int64_t>& values) {
    for (size_t i = 0; i < values.size(); ++i) line += (i ? "x" : "") + std::to_string(values[i]);
  };
  list(dims_);
  for (const Attribute& a : attributes_) {
    line += " " + a.name + "=" + a.word;
    list(a.values);
  }
  if (adaptive_) {
    line += " sizes=";
    list(sizes_);
  }
  return line;
}

}  // namespace poolproof::optimized
