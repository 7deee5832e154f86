#include "conformance/run/reproducer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include <kainjow/mustache.hpp>

#include "conformance/cases/fill.h"
#include "conformance/judge/message.h"
#include "conformance/run/backend_header.h"  // made by CMake, as is the next one
#include "conformance/run/templates.h"

namespace poolproof {
namespace {

using kainjow::mustache::data;

constexpr size_t kMaxBytes = 1 << 16;

// C source without its comments and empty lines.
std::string WithoutComments(std::string_view source) {
  std::string text, kept;
  for (size_t at = 0, end = 0; at < source.size(); at = end + 2) {
    const size_t begin = std::min(source.find("/*", at), source.size());
    text += source.substr(at, begin - at);
    end = std::min(source.find("*/", begin), source.size());
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);  // npos + 1 is 0
    if (!line.empty()) kept += line + "\n";
  }
  return kept;
}

std::string Bytes(const void* bytes, size_t size) {
  const auto* p = static_cast<const unsigned char*>(bytes);
  return size == 0 ? "0" : fmt::format("{}", fmt::join(p, p + size, ","));
}

std::string Values(const poolproof_tensor& tensor) {
  std::string text;
  const size_t size = ElementSize(tensor.element_type);
  for (size_t i = 0; i < tensor.size_bytes / size; ++i) {
    text += ElementAsText(tensor.element_type, tensor.data, static_cast<int64_t>(i)) + " ";
  }
  return text;
}

std::string Integer(int64_t value) { return value == INT64_MIN ? "INT64_MIN" : fmt::format("INT64_C({})", value); }

data AttributeData(const poolproof_attribute& attribute, size_t index) {
  const bool list = attribute.kind == POOLPROOF_INT_LIST;
  const bool word = attribute.kind == POOLPROOF_WORD;
  data row;
  row.set("index", std::to_string(index));
  row.set("name", attribute.name);
  row.set("kind", std::to_string(attribute.kind));
  row.set("integer", Integer(list || word ? 0 : attribute.integer));
  row.set("integers", list ? fmt::format("list{}", index) : "NULL");
  row.set("count", std::to_string(list ? attribute.count : 0));
  row.set("word", word ? fmt::format("\"{}\"", attribute.word) : "NULL");
  return row;
}

void SetAttributes(const Call& call, data* page) {
  data attributes(data::type::list), lists(data::type::list);
  std::string names;
  for (size_t i = 0; i < call.call.attribute_count; ++i) {
    const poolproof_attribute& attribute = *call.call.attributes[i];
    attributes << AttributeData(attribute, i);
    names += fmt::format("&attribute{}, ", i);
    if (attribute.kind != POOLPROOF_INT_LIST) continue;
    std::string values;
    for (size_t k = 0; k < attribute.count; ++k) values += Integer(attribute.integers[k]) + ", ";
    data list;
    list.set("index", std::to_string(i));
    list.set("values", values.empty() ? "0" : values);
    lists << list;
  }
  page->set("attributes", attributes);
  page->set("lists", lists);
  page->set("attribute_list", names);
  page->set("attribute_count", std::to_string(call.call.attribute_count));
}

void SetInputs(const Call& call, data* page) {
  data inputs(data::type::list);
  std::string names;
  for (size_t i = 0; i < call.call.input_count; ++i) {
    const poolproof_tensor& tensor = call.inputs[i];
    data row;
    row.set("index", std::to_string(i));
    row.set("bytes", Bytes(tensor.data, tensor.size_bytes));
    row.set("type_number", std::to_string(tensor.element_type));
    row.set("rank", std::to_string(tensor.rank));
    row.set("dims", fmt::format("{}", fmt::join(tensor.dims, tensor.dims + tensor.rank, ",")));
    row.set("size", std::to_string(tensor.size_bytes));
    row.set("frac_bits", std::to_string(tensor.frac_bits));
    inputs << row;
    names += fmt::format("&tensor{}, ", i);
  }
  page->set("inputs", inputs);
  page->set("input_list", names);
  page->set("input_count", std::to_string(call.call.input_count));
}

void SetOutputs(const Result& expected, data* page) {
  data outputs(data::type::list);
  if (expected.status == POOLPROOF_OK) {
    for (size_t i = 0; i < expected.output_count; ++i) {
      const poolproof_tensor& tensor = expected.outputs[i];
      data row;
      row.set("index", std::to_string(i));
      row.set("type", ShapeText(tensor));
      row.set("values", Values(tensor));
      row.set("bytes", Bytes(tensor.data, tensor.size_bytes));
      row.set("element_size", std::to_string(ElementSize(tensor.element_type)));
      outputs << row;
    }
  }
  page->set("outputs", outputs);
  page->set("output_count", std::to_string(expected.output_count));
  page->set("status", std::to_string(expected.status));
}

}  // namespace

std::string ReproducerSource(const PlannedCase& planned, const Call& call, const Expected& expected) {
  const Result& result = expected.result();
  if (!result.computed) return "";
  for (size_t i = 0; i < call.call.input_count; ++i) {
    if (call.inputs[i].size_bytes > kMaxBytes) return "";
  }
  for (size_t i = 0; result.status == POOLPROOF_OK && i < result.output_count; ++i) {
    if (result.outputs[i].size_bytes > kMaxBytes) return "";
  }
  data page;
  static const std::string header = WithoutComments(kBackendHeader);
  page.set("header", header);
  page.set("line", planned.line);
  page.set("op", call.call.op);
  page.set("capacity", fmt::format("{}", fmt::join(planned.problem.capacity.more, ", ")));
  SetAttributes(call, &page);
  SetInputs(call, &page);
  SetOutputs(result, &page);
  kainjow::mustache::mustache source{std::string(kReproducerTemplate)};
  return source.render(page);
}

}  // namespace poolproof
