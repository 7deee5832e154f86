// Problem to line. This runs once per judged problem, so it appends characters and nothing else.
#include <charconv>

#include "conformance/cases/number.h"
#include "conformance/cases/problem.h"

namespace poolproof {
namespace {

void AppendInteger(int64_t value, std::string* out) {
  char buffer[24];
  const auto [end, code] = std::to_chars(buffer, std::end(buffer), value);
  out->append(buffer, end);
}

void AppendProduct(const IntList& list, std::string* out) {
  for (size_t i = 0; i < list.size; ++i) {
    if (i > 0) *out += 'x';
    AppendInteger(list[i], out);
  }
}

bool AllEqual(const IntList& list) {
  for (int64_t value : list) {
    if (value != list[0]) return false;
  }
  return true;
}

// The short form where it reads back as the same list: one number stands for all spatial axes.
void AppendList(const IntList& list, int spatial_rank, std::string* out) {
  const bool full = list.size > 0 && list.size == spatial_rank;
  if (full && AllEqual(list)) {
    AppendInteger(list[0], out);
  } else if (full || list.size > 1) {
    AppendProduct(list, out);
  } else {
    *out += '[';
    AppendProduct(list, out);
    *out += ']';
  }
}

void AppendKey(std::string_view key, std::string* out) {
  *out += ' ';
  *out += key;
  *out += '=';
}

void AppendAttribute(const AttributeSpec& spec, const AttributeValue& value, int spatial_rank, std::string* out) {
  AppendKey(spec.key, out);
  switch (spec.type) {
    case AttributeType::kInt: return AppendInteger(value.integer, out);
    case AttributeType::kIntList: return AppendList(value.list, spatial_rank, out);
    case AttributeType::kBool: *out += value.integer != 0 ? "true" : "false"; return;
    case AttributeType::kWord: *out += value.word; return;
  }
}

void AppendContents(const Problem& problem, std::string* out) {
  if (problem.data.empty() || problem.fill != Problem().fill) {
    AppendKey("fill", out);
    *out += problem.fill;
  }
  if ((problem.data.empty() && !problem.ShapesAlone()) || problem.seed != 0) {
    AppendKey("seed", out);
    char buffer[24];
    out->append(buffer, std::to_chars(buffer, std::end(buffer), problem.seed).ptr);
  }
  if (problem.data.empty()) return;
  AppendKey("data", out);
  for (size_t i = 0; i < problem.data.size(); ++i) {
    if (i > 0) *out += ',';
    AppendNumber(problem.type, problem.data[i], out);
  }
}

}  // namespace

void AppendLine(const Problem& problem, std::string* out) {
  const int spatial_rank = problem.SpatialRank();
  *out += problem.function->name;
  *out += ' ';
  *out += ElementTypeName(problem.type);
  AppendKey("in", out);
  if (problem.shape.size > 0) {
    AppendProduct(problem.shape, out);
  } else {
    *out += "[]";
  }
  const std::vector<AttributeSpec>& specs = problem.spec->attributes;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (problem.attributes[i].present) {
      AppendAttribute(specs[i], problem.attributes[i], spatial_rank, out);
    }
  }
  if (problem.HasSizes()) {
    AppendKey("sizes", out);
    AppendList(problem.sizes, spatial_rank, out);
    AppendKey("sizestype", out);
    *out += ElementTypeName(problem.sizes_type);
  }
  if (problem.frac_bits != 0) {
    AppendKey("frac", out);
    AppendInteger(problem.frac_bits, out);
  }
  if (problem.outputs != 0) {
    AppendKey("outputs", out);
    AppendInteger(problem.outputs, out);
  }
  if (problem.capacity != 0) {
    AppendKey("capacity", out);
    AppendInteger(problem.capacity.more[0], out);
    for (size_t i = 1; i < kMaxOutputs && !problem.capacity.IsOne(); ++i) {
      *out += 'x';
      AppendInteger(problem.capacity.more[i], out);
    }
  }
  AppendContents(problem, out);
}

std::string PrintLine(const Problem& problem) {
  std::string line;
  line.reserve(160);
  AppendLine(problem, &line);
  return line;
}

}  // namespace poolproof
