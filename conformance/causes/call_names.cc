#include "conformance/causes/call_names.h"

#include <algorithm>
#include <string>

#include "conformance/backend_helper.h"

namespace poolproof::mutants {
namespace {

using expression::Kind;
using expression::Value;

// Geometry of a call that may be wrong in any way.
struct View {
  const poolproof_call& call;

  bool IsMli() const { return std::string_view(call.op).starts_with("mli_"); }
  bool ChannelsLast() const { return IsMli() && std::string_view(call.op).find("_hwc_") != std::string_view::npos; }
  const poolproof_tensor& In() const { return *call.inputs[0]; }
  int FirstSpatial() const { return !IsMli() ? 2 : ChannelsLast() ? 0 : 1; }
  int Axes() const { return IsMli() ? 2 : std::clamp(In().rank - 2, 0, 3); }

  int64_t Dim(int place) const { return place >= 0 && place < In().rank ? In().dims[place] : 1; }
  int64_t Size(int axis) const { return Dim(FirstSpatial() + axis); }
  int64_t SizeFromEnd(int axis) const { return Axes() < axis ? 1 : Size(Axes() - axis); }
  int64_t Elements() const {
    return static_cast<int64_t>(In().size_bytes / std::max<size_t>(backend::ElementSize(In().element_type), 1));
  }

  Value Out(int axis) const {
    if (call.output_count == 0 || call.outputs[0]->rank <= FirstSpatial() + axis) return {};
    return Value::Of(call.outputs[0]->dims[FirstSpatial() + axis]);
  }

  // The value of an axis in the list `list`, or of the attribute that MLI has for the axis.
  Value Number(std::string_view list, std::string_view height, std::string_view width, int64_t otherwise,
               int axis) const {
    for (size_t i = 0; i < call.attribute_count; ++i) {
      const poolproof_attribute& a = *call.attributes[i];
      if (a.kind == POOLPROOF_INT_LIST && a.name == list && axis >= 0 && static_cast<size_t>(axis) < a.count) {
        return Value::Of(a.integers[axis]);
      }
      if (a.kind == POOLPROOF_INT && a.name == (axis == 0 ? height : width)) return Value::Of(a.integer);
    }
    return Value::Of(otherwise);
  }
  Value Kernel(int axis) const { return Number("kernel", "kernel_height", "kernel_width", 1, axis); }

  Value Taps() const {
    int64_t taps = 1;
    for (int axis = 0; axis < Axes(); ++axis) {
      if (__builtin_mul_overflow(taps, Kernel(axis).number, &taps)) return {};
    }
    return Value::Of(taps);
  }
};

struct CallName {
  const char* name;
  Kind kind;
  bool per_axis;
  Value (*value)(const View&, int axis);
};

using V = const View&;
constexpr CallName kNames[] = {
    {"type", Kind::kWord, false, [](V v, int) { return Value::Of(backend::ElementTypeName(v.In().element_type)); }},
    {"rank", Kind::kNumber, false, [](V v, int) { return Value::Of(int64_t{v.In().rank}); }},
    {"batch", Kind::kNumber, false, [](V v, int) { return Value::Of(v.IsMli() ? 1 : v.Dim(0)); }},
    {"channels", Kind::kNumber, false,
     [](V v, int) { return Value::Of(v.Dim(v.ChannelsLast() ? 2 : v.FirstSpatial() - 1)); }},
    {"depth", Kind::kNumber, false, [](V v, int) { return Value::Of(v.SizeFromEnd(3)); }},
    {"height", Kind::kNumber, false, [](V v, int) { return Value::Of(v.SizeFromEnd(2)); }},
    {"width", Kind::kNumber, false, [](V v, int) { return Value::Of(v.SizeFromEnd(1)); }},
    {"elements", Kind::kNumber, false, [](V v, int) { return Value::Of(v.Elements()); }},
    {"bytes", Kind::kNumber, false, [](V v, int) { return Value::Of(static_cast<int64_t>(v.In().size_bytes)); }},
    {"taps", Kind::kNumber, false, [](V v, int) { return v.Taps(); }},
    {"channels_last", Kind::kTruth, false, [](V v, int) { return Value::Of(int64_t{v.ChannelsLast()}); }},
    {"size", Kind::kNumber, true, [](V v, int axis) { return Value::Of(v.Size(axis)); }},
    {"out", Kind::kNumber, true, [](V v, int axis) { return v.Out(axis); }},
    {"kernel", Kind::kNumber, true, [](V v, int axis) { return v.Kernel(axis); }},
    {"stride", Kind::kNumber, true,
     [](V v, int axis) { return v.Number("strides", "stride_height", "stride_width", 1, axis); }},
    {"dilation", Kind::kNumber, true, [](V v, int axis) { return v.Number("dilations", "", "", 1, axis); }},
    {"pad_begin", Kind::kNumber, true,
     [](V v, int axis) { return v.Number("pads_begin", "padding_top", "padding_left", 0, axis); }},
    {"pad_end", Kind::kNumber, true,
     [](V v, int axis) { return v.Number("pads_end", "padding_bottom", "padding_right", 0, axis); }},
};

}  // namespace

const expression::Vocabulary& CallNames() {
  static const expression::Vocabulary names = [] {
    expression::Vocabulary made;
    for (const CallName& name : kNames) made.push_back({name.name, name.kind, name.per_axis, {}});
    return made;
  }();
  return names;
}

int CallSubject::Axes() const { return call_.input_count == 0 ? 0 : View{call_}.Axes(); }

Value CallSubject::ValueOf(size_t name, int axis) const {
  if (call_.op == nullptr || call_.input_count == 0) return {};
  return kNames[name].value({call_}, axis);
}

}  // namespace poolproof::mutants
