#include "conformance/cases/names.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

using expression::Kind;
using expression::Name;
using expression::Value;

constexpr std::string_view kTouched = "touched";
constexpr std::string_view kNone = "none";  // an attribute that the operator does not have

// Sources of the names of a problem.
struct View {
  const Problem& problem;
  const Occasion& occasion;
  const poolproof_tensor* output;

  int Axes() const { return std::max(problem.SpatialRank(), 0); }

  // Sizes that a feature map of fewer dimensions does not have are 1.
  int64_t Dim(int place) const {
    return place >= 0 && place < problem.shape.size ? problem.shape[static_cast<size_t>(place)] : 1;
  }
  Value SizeFromEnd(int axis) const {
    if (Axes() == 0) return {};
    return Value::Of(Axes() < axis ? int64_t{1} : SpatialSize(problem, Axes() - axis));
  }

  Value Out(int axis) const {
    if (output == nullptr || Axes() == 0) return {};
    if (axis < 0) return Value::Of(int64_t{1});
    const int place = LayoutOf(*problem.function).spatial + axis;
    return place < output->rank ? Value::Of(output->dims[place]) : Value();
  }

  // The kernel of an adaptive operator is its largest cell.
  int64_t Kernel(int axis) const {
    if (!problem.HasSizes()) return AxisValue(problem, Role::kKernel, axis, 1);
    const auto i = static_cast<size_t>(axis);
    const int64_t cells = i < problem.sizes.size ? std::max<int64_t>(problem.sizes[i], 1) : 1;
    const int64_t size = SpatialSize(problem, axis);
    return size / cells + (size % cells != 0 ? 1 : 0);
  }

  // The extent of the kernel with its dilation; none where it does not fit into 64 bits.
  Value Extent(int axis) const {
    int64_t extent = 0;
    const int64_t dilation = AxisValue(problem, Role::kDilation, axis, 1);
    const bool overflow = __builtin_sub_overflow(Kernel(axis), 1, &extent) ||
                          __builtin_mul_overflow(extent, dilation, &extent) ||
                          __builtin_add_overflow(extent, 1, &extent);
    return overflow ? Value() : Value::Of(extent);
  }

  // Padding that is chosen has no value where the output is not known, or where the sums would not fit into 64 bits.
  Value Pad(int64_t (*pad)(const Problem&, int, int64_t), int axis) const {
    if (PadsCount(problem)) return Value::Of(pad(problem, axis, 1));
    int64_t reached = 0;
    const Value out = Out(axis), extent = Extent(axis);
    if (!out.known || !extent.known ||
        __builtin_mul_overflow(out.number, AxisValue(problem, Role::kStride, axis, 1), &reached) ||
        __builtin_add_overflow(reached, extent.number, &reached)) {
      return {};
    }
    return Value::Of(pad(problem, axis, out.number));
  }

  Value Taps() const {
    int64_t taps = 1;
    for (int axis = 0; axis < Axes(); ++axis) {
      if (__builtin_mul_overflow(taps, Kernel(axis), &taps)) return {};
    }
    return Value::Of(taps);
  }

  Value Plane() const {
    int64_t plane = 1;
    for (int axis = 0; axis < Axes(); ++axis) {
      if (__builtin_mul_overflow(plane, SpatialSize(problem, axis), &plane)) return {};
    }
    return Value::Of(plane);
  }

  // The word of the attribute with this role, given or by default, and its meaning where it is no word in the call;
  // "none" where the operator has no such attribute.
  Value RoleWord(Role role) const {
    const std::optional<size_t> index = AttributeIndex(*problem.spec, role);
    if (!index) return Value::Of(kNone);
    const std::optional<Meaning> meaning = MeaningOf(problem, role);
    if (problem.spec->attributes[*index].call_kind == POOLPROOF_WORD || !meaning)
      return Value::Of(WordOf(problem, role));
    const auto is_it = [&](const auto& each) { return each.second == *meaning; };
    return Value::Of(std::find_if(std::begin(kMeaningNames), std::end(kMeaningNames), is_it)->first);
  }

  Value ExcludesPadding() const {
    if (!HasRole(*problem.spec, Role::kExcludePad)) return Value::Of(kNone);
    return Value::Of(std::string_view(poolproof::ExcludesPadding(problem) ? "true" : "false"));
  }

  Value OutElements() const {
    const size_t size = output == nullptr ? 0 : ElementSize(output->element_type);
    return size == 0 ? Value() : Value::Of(static_cast<int64_t>(output->size_bytes / size));
  }
};

bool IsUnsigned(poolproof_element_type type) {
  return type == POOLPROOF_U8 || type == POOLPROOF_U16 || type == POOLPROOF_U32 || type == POOLPROOF_U64;
}

// A word that is empty is none.
Value Word(std::string_view word) { return word.empty() ? Value() : Value::Of(word); }
Value Truth(bool truth) { return Value::Of(int64_t{truth}); }

// A name that problems of all operators have.
struct CommonName {
  std::string_view name;
  Kind kind;
  bool per_axis;
  Value (*value)(const View&, int axis);
};

using V = const View&;
constexpr CommonName kCommon[] = {
    {"op", Kind::kWord, false, [](V v, int) { return Word(OperatorWord(*v.problem.spec)); }},
    {"family", Kind::kWord, false, [](V v, int) { return Word(v.problem.spec->family); }},
    {"function", Kind::kWord, false, [](V v, int) { return Word(v.problem.function->name); }},
    {"type", Kind::kWord, false, [](V v, int) { return Word(ElementTypeName(v.problem.type)); }},
    {"fill", Kind::kWord, false,
     [](V v, int) { return Word(v.problem.data.empty() ? std::string_view(v.problem.fill) : "given"); }},
    {"rule", Kind::kWord, false, [](V v, int) { return Word(v.occasion.rule); }},
    {"example", Kind::kWord, false, [](V v, int) { return Word(v.occasion.example); }},
    {"section", Kind::kWord, false, [](V v, int) { return Word(v.occasion.section); }},
    {"rounding", Kind::kWord, false, [](V v, int) { return v.RoleWord(Role::kRounding); }},
    {"padding", Kind::kWord, false, [](V v, int) { return v.RoleWord(Role::kAutoPad); }},
    {"excludes_padding", Kind::kWord, false, [](V v, int) { return v.ExcludesPadding(); }},
    {"index_type", Kind::kWord, false, [](V v, int) { return v.RoleWord(Role::kIndexType); }},
    {"sizes_type", Kind::kWord, false,
     [](V v, int) { return v.problem.HasSizes() ? Word(ElementTypeName(v.problem.sizes_type)) : Value::Of(kNone); }},
    {"rank", Kind::kNumber, false, [](V v, int) { return Value::Of(int64_t{v.problem.shape.size}); }},
    {"axes", Kind::kNumber, false, [](V v, int) { return Value::Of(int64_t{v.Axes()}); }},
    {"batch", Kind::kNumber, false, [](V v, int) { return Value::Of(v.Dim(LayoutOf(*v.problem.function).batch)); }},
    {"channels", Kind::kNumber, false,
     [](V v, int) { return Value::Of(v.Dim(LayoutOf(*v.problem.function).channels)); }},
    {"depth", Kind::kNumber, false, [](V v, int) { return v.SizeFromEnd(3); }},
    {"height", Kind::kNumber, false, [](V v, int) { return v.SizeFromEnd(2); }},
    {"width", Kind::kNumber, false, [](V v, int) { return v.SizeFromEnd(1); }},
    {"elements", Kind::kNumber, false, [](V v, int) { return Value::Of(v.problem.Elements()); }},
    {"plane", Kind::kNumber, false, [](V v, int) { return v.Plane(); }},
    {"taps", Kind::kNumber, false, [](V v, int) { return v.Taps(); }},
    {"bits", Kind::kNumber, false,
     [](V v, int) { return Value::Of(static_cast<int64_t>(8 * ElementSize(v.problem.type))); }},
    {"frac_bits", Kind::kNumber, false, [](V v, int) { return Value::Of(int64_t{v.problem.frac_bits}); }},
    {"capacity", Kind::kNumber, false, [](V v, int) { return Value::Of(std::ranges::min(v.problem.capacity.more)); }},
    {"out_elements", Kind::kNumber, false, [](V v, int) { return v.OutElements(); }},
    {"out_depth", Kind::kNumber, false, [](V v, int) { return v.Out(v.Axes() - 3); }},
    {"out_height", Kind::kNumber, false, [](V v, int) { return v.Out(v.Axes() - 2); }},
    {"out_width", Kind::kNumber, false, [](V v, int) { return v.Out(v.Axes() - 1); }},
    {"is_float", Kind::kTruth, false, [](V v, int) { return Truth(IsFloat(v.problem.type)); }},
    {"is_signed", Kind::kTruth, false, [](V v, int) { return Truth(!IsUnsigned(v.problem.type)); }},
    {"is_mean", Kind::kTruth, false, [](V v, int) { return Truth(IsMean(*v.problem.spec)); }},
    {"is_adaptive", Kind::kTruth, false, [](V v, int) { return Truth(v.problem.HasSizes()); }},
    {"has_indices", Kind::kTruth, false, [](V v, int) { return Truth(v.problem.OutputCount() > 1); }},
    {"keeps_size", Kind::kTruth, false, [](V v, int) { return Truth(KeepsSize(v.problem)); }},
    {"channels_last", Kind::kTruth, false,
     [](V v, int) { return Truth(LayoutOf(*v.problem.function).ChannelsLast()); }},
    {"lacks_batch", Kind::kTruth, false,
     [](V v, int) { return Truth(LacksBatch(*v.problem.spec, *v.problem.function)); }},
    {"is_invalid", Kind::kTruth, false, [](V v, int) { return Truth(!v.occasion.rule.empty()); }},
    {"size", Kind::kNumber, true, [](V v, int axis) { return Value::Of(SpatialSize(v.problem, axis)); }},
    {"out", Kind::kNumber, true, [](V v, int axis) { return v.Out(axis); }},
    {"sizes", Kind::kNumber, true,
     [](V v, int axis) {
       const auto i = static_cast<size_t>(axis);
       return i < v.problem.sizes.size ? Value::Of(v.problem.sizes[i]) : Value();
     }},
    {"kernel", Kind::kNumber, true, [](V v, int axis) { return Value::Of(v.Kernel(axis)); }},
    {"stride", Kind::kNumber, true,
     [](V v, int axis) { return Value::Of(AxisValue(v.problem, Role::kStride, axis, 1)); }},
    {"dilation", Kind::kNumber, true,
     [](V v, int axis) { return Value::Of(AxisValue(v.problem, Role::kDilation, axis, 1)); }},
    {"extent", Kind::kNumber, true, [](V v, int axis) { return v.Extent(axis); }},
    {"pad_begin", Kind::kNumber, true,
     [](V v, int axis) { return Value::Of(AxisValue(v.problem, Role::kPadBegin, axis, 0)); }},
    {"pad_end", Kind::kNumber, true,
     [](V v, int axis) { return Value::Of(AxisValue(v.problem, Role::kPadEnd, axis, 0)); }},
    {"pad_before", Kind::kNumber, true, [](V v, int axis) { return v.Pad(PadBefore, axis); }},
    {"pad_after", Kind::kNumber, true, [](V v, int axis) { return v.Pad(PadAfter, axis); }},
    {kTouched, Kind::kWords, false, nullptr},
    {"variant", Kind::kWords, false, nullptr},
};

// The words that names of the specs can be.
using KnownWords = std::map<std::string, std::vector<std::string>, std::less<>>;

void AddWord(std::string_view name, std::string_view word, KnownWords* words) {
  std::vector<std::string>& known = words->try_emplace(std::string(name)).first->second;
  if (std::find(known.begin(), known.end(), word) == known.end()) known.emplace_back(word);
}

KnownWords WordsOf(const std::vector<OperatorSpec>& operators, const std::vector<LedgerEntry>& ledger) {
  KnownWords words;
  for (const LedgerEntry& entry : ledger) {
    if (entry.computed) AddWord(kTouched, entry.id, &words);
  }
  for (const OperatorSpec& spec : operators) {
    AddWord("family", spec.family, &words);
    AddWord("op", OperatorWord(spec), &words);
    for (const Function& function : spec.functions) {
      AddWord("function", function.name, &words);
      for (const poolproof_element_type type : function.types) AddWord("type", ElementTypeName(type), &words);
    }
    for (const InvalidCall& call : spec.invalid_calls) AddWord("rule", call.rule, &words);
    for (const Example& example : spec.examples) AddWord("example", example.id, &words);
    for (const AttributeSpec& attribute : spec.attributes) {
      if (attribute.call_kind != POOLPROOF_WORD) continue;
      for (const std::string& word : attribute.words) AddWord(attribute.name, word, &words);
    }
  }
  return words;
}

// The reading of a ledger entry; none where there is no such entry.
Value ReadingOf(std::string_view id, const reference::Readings& readings) {
  const std::optional<reference::Entry> entry = reference::FindEntry(id);
  return entry ? Value::Of(reference::ReadingNames(*entry)[readings[*entry]]) : Value();
}

Kind KindOf(const AttributeSpec& attribute) {
  if (attribute.type == AttributeType::kBool) return Kind::kTruth;
  return attribute.type == AttributeType::kWord && attribute.call_kind == POOLPROOF_WORD ? Kind::kWord : Kind::kNumber;
}

// The integer that a word is in the call.
Value IntegerOf(std::string_view word) {
  int64_t integer = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), integer);
  return code == std::errc() && end == word.data() + word.size() ? Value::Of(integer) : Value();
}

}  // namespace

std::string_view OperatorWord(const OperatorSpec& spec) {
  const std::string_view first = spec.functions.front().name;
  const auto is_of_first = [&](const Function& function) { return function.name.starts_with(first); };
  return std::ranges::all_of(spec.functions, is_of_first) ? first : std::string_view(spec.id);
}

expression::Vocabulary NamesOf(const std::vector<OperatorSpec>& operators, const std::vector<LedgerEntry>& ledger) {
  KnownWords words = WordsOf(operators, ledger);
  expression::Vocabulary names;
  const auto add = [&](std::string_view name, Kind kind, bool per_axis) {
    const auto is_same = [&](const Name& known) { return known.name == name; };
    if (std::any_of(names.begin(), names.end(), is_same)) return;
    names.push_back({std::string(name), kind, per_axis, words[std::string(name)]});
  };
  for (const CommonName& common : kCommon) add(common.name, common.kind, common.per_axis);
  for (const OperatorSpec& spec : operators) {
    for (const AttributeSpec& attribute : spec.attributes) {
      add(attribute.name, KindOf(attribute), attribute.type == AttributeType::kIntList);
    }
  }
  for (const LedgerEntry& entry : ledger) {
    if (!entry.computed) continue;
    for (const LedgerReading& reading : entry.readings) AddWord(entry.id, reading.name, &words);
    add(entry.id, Kind::kWord, false);
  }
  return names;
}

int ProblemSubject::Axes() const { return View{problem_, occasion_, output_}.Axes(); }

bool ProblemSubject::IsGiven(size_t name) const {
  const AttributeSpec* spec = problem_.spec->FindAttribute(names_[name].name);
  return spec != nullptr && problem_.attributes[static_cast<size_t>(spec - problem_.spec->attributes.data())].present;
}

bool ProblemSubject::Has(size_t name, std::string_view word) const {
  if (kCommon[name].name != kTouched) return problem_.function->name.find(word) != std::string::npos;
  return std::find(occasion_.touched.begin(), occasion_.touched.end(), word) != occasion_.touched.end();
}

Value ProblemSubject::ValueOf(size_t name, int axis) const {
  if (name >= std::size(kCommon)) return AttributeAt(names_[name].name, axis);
  return kCommon[name].value({problem_, occasion_, output_}, axis);
}

// As given, otherwise the documented default.
Value ProblemSubject::AttributeAt(std::string_view name, int axis) const {
  const AttributeSpec* spec = problem_.spec->FindAttribute(name);
  if (spec == nullptr) return ReadingOf(name, occasion_.readings);
  const AttributeValue& value = problem_.attributes[static_cast<size_t>(spec - problem_.spec->attributes.data())];
  if (spec->type == AttributeType::kWord) {
    const std::string& word = value.present ? value.word : spec->default_word;
    if (spec->call_kind == POOLPROOF_BOOL) return Truth(word == "true");  // 0 or 1
    return spec->call_kind == POOLPROOF_INT ? IntegerOf(word) : Word(word);
  }
  if (!value.present && spec->default_integer) return Value::Of(*spec->default_integer);
  if (!value.present) return spec->default_is_kernel ? Value::Of(AxisValue(problem_, Role::kKernel, axis, 1)) : Value();
  if (spec->type != AttributeType::kIntList) return Value::Of(value.integer);
  return axis >= 0 && axis < value.list.size ? Value::Of(value.list[static_cast<size_t>(axis)]) : Value();
}

}  // namespace poolproof
