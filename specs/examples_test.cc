// The worked examples: as many as the documents have, and the reference gives their outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/cases/number.h"
#include "conformance/cases/spec.h"
#include "specs/run_reference.h"

namespace poolproof {
namespace {

struct Counts {
  int numeric = 0;
  int layer = 0;
};

Counts CountExamples(std::string_view document) {
  Counts counts;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      if (!example.clause.starts_with(std::string(document) + "/")) continue;
      (example.id.starts_with("layer") ? counts.layer : counts.numeric) += 1;
    }
  }
  return counts;
}

TEST(Examples, AreAllThatTheDocumentsHave) {
  const std::vector<std::tuple<const char*, int, int>> expected = {{"maxpool-8", 7, 3},
                                                                   {"shape-rules", 8, 0},
                                                                   {"maxpool-1", 5, 3},
                                                                   {"adaptive-max-pool-8", 0, 1},
                                                                   {"maxpool-14", 0, 3},
                                                                   {"avgpool-1", 0, 5},
                                                                   {"avgpool-14", 0, 5},
                                                                   {"avgpool-16", 0, 6},
                                                                   {"adaptive-avg-pool-8", 0, 1},
                                                                   {"onnx-maxpool-22", 12, 7},
                                                                   {"onnx-averagepool-22", 9, 11},
                                                                   {"onnx-lppool-22", 2, 6},
                                                                   {"onnx-globalmaxpool-22", 2, 0},
                                                                   {"onnx-globalaveragepool-22", 2, 0},
                                                                   {"torch-maxpool", 0, 5},
                                                                   {"torch-avgpool", 1, 4},
                                                                   {"torch-lppool", 0, 3},
                                                                   {"torch-adaptivemaxpool", 0, 7},
                                                                   {"torch-adaptiveavgpool", 0, 7}};
  for (const auto& [document, numeric, layer] : expected) {
    EXPECT_EQ(CountExamples(document).numeric, numeric) << document;
    EXPECT_EQ(CountExamples(document).layer, layer) << document;
  }
}

bool HasValues(const std::vector<TensorValue>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const TensorValue& tensor) { return !tensor.values.empty(); });
}

TEST(Examples, NumericOnesHaveValuesAndLayersHaveNone) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      const bool numeric = !example.id.starts_with("layer");
      EXPECT_EQ(HasValues(example.inputs), numeric) << example.clause;
      EXPECT_EQ(HasValues(example.outputs), numeric) << example.clause;
      EXPECT_TRUE(example.outputs.size() == spec.outputs.size() || spec.outputs.back().optional) << example.clause;
    }
  }
}

// A document prints decimals; those of integers are exact.
std::vector<Number> Rounded(poolproof_element_type type, const std::vector<Number>& values) {
  std::vector<Number> rounded;
  for (const Number value : values) rounded.push_back(IsFloat(type) ? RoundToType(type, value) : value);
  return rounded;
}

// A value that a document computed in f32 is a few roundings from the exact result.
void ExpectNear(const std::vector<Number>& got, const std::vector<Number>& printed, const std::string& line) {
  ASSERT_EQ(got.size(), printed.size()) << line;
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_LE(std::fabs(got[i] - printed[i]), std::fabs(printed[i]) * 0x1p-21L) << line << " element " << i;
  }
}

TEST(Examples, GiveTheDocumentedOutputInTheReference) {
  Error error;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      std::optional<Problem> problem = ParseLine(BuiltInSpecs(), example.line, &error);
      ASSERT_TRUE(problem) << example.line << ": " << error.message;
      problem->data = Rounded(problem->type, example.inputs[0].values);
      EXPECT_EQ(std::vector<int64_t>(problem->shape.begin(), problem->shape.end()), example.inputs[0].shape);
      const ReferenceAnswer answer = RunReference(*problem);
      ASSERT_EQ(answer.status, POOLPROOF_OK) << example.line << ": " << answer.error;
      ASSERT_EQ(answer.outputs.size(), example.outputs.size());
      for (size_t i = 0; i < answer.outputs.size(); ++i) {
        EXPECT_EQ(answer.outputs[i].shape, example.outputs[i].shape) << example.line;
        if (example.outputs[i].values.empty()) continue;
        const std::vector<Number> values = Rounded(problem->type, example.outputs[i].values);
        if (spec.outputs[i].compare == Compare::kMean || spec.outputs[i].compare == Compare::kNorm) {
          ExpectNear(answer.outputs[i].values, values, example.line);
        } else {
          EXPECT_EQ(answer.outputs[i].values, values) << example.line;
        }
      }
    }
  }
}

size_t Differences(const TensorValue& a, const TensorValue& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.values.size(); ++i) count += a.values[i] != b.values[i] ? 1 : 0;
  return count;
}

// A correction has to be explained, and it corrects no more than the one value that is wrong.
TEST(Examples, PrintedOutputsDifferWhereTheLedgerSaysSo) {
  int corrected = 0;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      const bool differs = !example.printed_outputs.empty() || !example.printed_line.empty();
      EXPECT_TRUE(!differs || !example.ledger.empty()) << example.clause;
      EXPECT_NE(example.line, example.printed_line) << example.clause;
      for (size_t i = 0; i < example.printed_outputs.size(); ++i) {
        const TensorValue& printed = example.printed_outputs[i];
        EXPECT_EQ(printed.shape, example.outputs[i].shape) << example.clause;
        if (printed.values.empty()) continue;
        const bool is_rounded = example.ledger == std::vector<std::string>{"onnx-test-rounded"};
        EXPECT_EQ(Differences(printed, example.outputs[i]), is_rounded ? printed.values.size() : 1u) << example.clause;
        ++corrected;
      }
    }
  }
  // example 1: MaxPool-1 has one output, MaxPool-8 and shape rules two; a node test of ONNX
  EXPECT_EQ(corrected, 6);
}

}  // namespace
}  // namespace poolproof
