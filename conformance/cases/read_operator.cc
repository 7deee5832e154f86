#include <algorithm>

#include "conformance/cases/read.h"

namespace poolproof::read {
namespace {

// Limits of what a problem has room for.
constexpr size_t kMaxAttributes = 12;
constexpr size_t kMaxTensors = 2;

Function ReadFunction(const Node& node) {
  Function function;
  Object object(node);
  object.Read("name", &Node::AsString, &function.name);
  object.Read("types", &Node::AsElementTypes, &function.types);
  if (const auto layout = object.Required("layout")) {
    function.layout =
        layout->AsChoice<std::string>({{"NC...", "NC..."}, {"C...", "C..."}, {"CHW", "CHW"}, {"HWC", "HWC"}});
  }
  object.ReadOptional("generic", &Node::AsString, &function.generic);
  object.ReadOptional("any_rank", &Node::AsBool, &function.any_rank);
  object.Read("clause", &Node::AsString, &function.clause);
  return function;
}

InputSpec ReadInput(const Node& node) {
  InputSpec input;
  Object object(node);
  object.Read("name", &Node::AsString, &input.name);
  object.ReadOptional("sizes", &Node::AsBool, &input.sizes);
  object.ReadOptional("types", &Node::AsElementTypes, &input.types);
  object.Read("clause", &Node::AsString, &input.clause);
  return input;
}

OutputSpec ReadOutput(const Node& node) {
  OutputSpec output;
  Object object(node);
  object.Read("name", &Node::AsString, &output.name);
  if (const auto compare = object.Required("compare")) {
    output.compare = compare->AsChoice<Compare>(
        {{"exact", Compare::kExact}, {"index", Compare::kIndex}, {"mean", Compare::kMean}, {"norm", Compare::kNorm}});
  }
  object.Read("type_from", &Node::AsString, &output.type_from);
  object.ReadOptional("optional", &Node::AsBool, &output.optional);
  object.ReadOptional("whole_tensor", &Node::AsBool, &output.whole_tensor);
  object.Read("clause", &Node::AsString, &output.clause);
  output.value_clause = output.clause;
  object.ReadOptional("value_clause", &Node::AsString, &output.value_clause);
  return output;
}

void CheckCount(const Node& node, std::string_view what, size_t count, size_t least, size_t most) {
  if (count >= least && count <= most) return;
  node.Fail("\"" + std::string(what) + "\" has " + std::to_string(count) + " entries, not " + std::to_string(least) +
            " to " + std::to_string(most));
}

void CheckLimits(const Node& node, const OperatorSpec& spec) {
  CheckCount(node, "functions", spec.functions.size(), 1, 1000);
  CheckCount(node, "inputs", spec.inputs.size(), 1, kMaxTensors);
  CheckCount(node, "outputs", spec.outputs.size(), 1, kMaxTensors);
  CheckCount(node, "attributes", spec.attributes.size(), 0, kMaxAttributes);
  if (spec.min_rank < 1 || spec.min_rank > spec.max_rank || spec.max_rank > POOLPROOF_MAX_RANK) {
    node.Fail("the ranks " + std::to_string(spec.min_rank) + " to " + std::to_string(spec.max_rank) +
              " are not inside [1, " + std::to_string(POOLPROOF_MAX_RANK) + "]");
  }
}

// Clauses of an operator's own documents are about that operator.
void NameOperator(const std::string& id, std::vector<Document>* documents) {
  for (Document& document : *documents) {
    for (Clause& clause : document.clauses) clause.operators = {id};
  }
}

void ReadFunctions(Object* object, OperatorSpec* spec) {
  object->ReadList("functions", &ReadFunction, &spec->functions);
  std::vector<std::vector<Function>> rules;
  object->ReadOptionalList("specializations", &ReadSpecializations, &rules);
  for (std::vector<Function>& rule : rules) {
    std::move(rule.begin(), rule.end(), std::back_inserter(spec->functions));
  }
}

}  // namespace

OperatorFile ReadOperatorFile(const Node& node) {
  OperatorFile file;
  OperatorSpec& spec = file.spec;
  {
    Object object(node);
    object.Read("id", &Node::AsString, &spec.id);
    object.Read("title", &Node::AsString, &spec.title);
    object.Read("document", &Node::AsString, &spec.document);
    object.ReadOptionalList("documents", &ReadDocument, &file.documents);
    ReadFunctions(&object, &spec);
    object.Read("min_rank", &Node::AsSmallInteger, &spec.min_rank);
    object.Read("max_rank", &Node::AsSmallInteger, &spec.max_rank);
    object.ReadOptional("whole_planes", &Node::AsBool, &spec.whole_planes);
    object.ReadOptional("kernel_within_input", &Node::AsBool, &spec.kernel_within_input);
    object.ReadOptional("pad_below_kernel", &Node::AsBool, &spec.pad_below_kernel);
    object.ReadOptional("pad_within_half", &Node::AsBool, &spec.pad_within_half);
    object.ReadList("inputs", &ReadInput, &spec.inputs);
    object.ReadList("outputs", &ReadOutput, &spec.outputs);
    object.ReadList("attributes", &ReadAttribute, &spec.attributes);
    object.ReadList("examples", &ReadExample, &spec.examples);
    object.ReadList("invalid_calls", &ReadInvalidCall, &spec.invalid_calls);
  }
  CheckLimits(node, spec);
  NameOperator(spec.id, &file.documents);
  return file;
}

}  // namespace poolproof::read
