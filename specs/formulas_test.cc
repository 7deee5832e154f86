// Compares the documents' formulas with the oracle for every fixed problem of the plan and many random ones,
// under every reading that a formula knows.
#include "conformance/cases/formulas.h"

#include <gtest/gtest.h>

#include <map>

#include "conformance/cases/geometry.h"
#include "conformance/cases/plan.h"
#include "specs/run_reference.h"

namespace poolproof {
namespace {

constexpr uint64_t kRandom = 5000;
constexpr int64_t kMostWindows = 8;                  // of one problem that are looked at
constexpr int64_t kMostElements = int64_t{1} << 20;  // of the input of such a problem: the oracle lists all taps
constexpr int64_t kMostIndices = 1000;               // of an input and an output that are computed

// The documented readings, and each other one of an entry that a formula names, with what the formula has of it.
struct ReadingOfFormulas {
  std::string start;
  reference::Readings readings;
};

std::vector<ReadingOfFormulas> ReadingsOfFormulas() {
  std::vector<ReadingOfFormulas> all(1);
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    const std::string start = std::string(reference::EntryId(entry)) + " = ";
    bool is_named = false;
    for (const Document& document : BuiltInSpecs().documents) {
      for (const Clause& clause : document.clauses) {
        for (const Formula& formula : clause.formulas) is_named |= formula.text.find(start) != std::string::npos;
      }
    }
    for (uint8_t r = 1; is_named && r < reference::ComputableReadings(entry); ++r) {
      all.push_back({start, {}});
      all.back().readings[entry] = r;
    }
  }
  return all;
}

int64_t OfOracle(Gives gives, size_t axis, const reference::Window& window) {
  switch (gives) {
    case Gives::kPadBefore: return window.pad_begin[axis];
    case Gives::kPadAfter: return window.pad_end[axis];
    case Gives::kStart: return window.begin[axis];
    default: return window.begin[axis] + (window.taps[axis] - 1) * window.step[axis] + 1;
  }
}

// One problem under one set of readings.
class FormulasOfProblem {
 public:
  FormulasOfProblem(const PlannedCase& planned, const reference::Readings& readings)
      : planned_(planned), readings_(readings), formulas_(BuiltInSpecs(), planned.problem, readings) {
    call_.Bind(planned.problem);
  }

  bool IsAbout(const std::string& text) const {
    const auto has_text = [&](const Formulas::Printed& each) { return each.formula->text.find(text) != text.npos; };
    return std::any_of(formulas_.All().begin(), formulas_.All().end(), has_text);
  }

  // Counts what is compared.
  void Check(std::map<Gives, int64_t>* counts) {
    reference::Context context;
    context.readings = readings_;
    if (reference::InferShapes(call_.call, context) != POOLPROOF_OK) return;
    counts_ = counts;
    CheckSizes();
    if (planned_.problem.Elements() > kMostElements) return;
    const poolproof_tensor& output = call_.outputs[0];
    const auto elements = static_cast<int64_t>(output.size_bytes / ElementSize(output.element_type));
    const int64_t step = std::max<int64_t>(elements / kMostWindows, 1) | 1;
    for (int64_t element = 0; element < elements; element += step) CheckWindow(element);
    if (readings_ == reference::Readings()) CheckIndices(elements);
  }

 private:
  void Compare(const Formulas::Printed& printed, int axis, const WindowPlace& place, std::optional<int64_t> got,
               int64_t want) {
    ++(*counts_)[printed.formula->gives];
    EXPECT_EQ(got, want) << planned_.line << "\n" << formulas_.TextOf(printed, axis, place);
  }

  void CheckSizes() {
    const int spatial = LayoutOf(*planned_.problem.function).spatial;
    bool has_size = planned_.problem.IsMliLayout();  // of which the document prints none
    for (const Formulas::Printed& each : formulas_.All()) {
      if (each.formula->gives != Gives::kOut) continue;
      has_size = true;
      for (int axis = 0; axis < planned_.problem.SpatialRank(); ++axis) {
        Compare(each, axis, {}, formulas_.ValueOf(*each.formula, axis, {}), call_.outputs[0].dims[spatial + axis]);
      }
    }
    EXPECT_TRUE(has_size) << planned_.line;
  }

  void CheckWindow(int64_t element) {
    const WindowPlace place = PlaceOf(planned_.problem, call_.outputs[0], element);
    const reference::Window window = reference::FindOperator(call_.call.op)->window(call_.call, readings_, element);
    bool has_start = false;
    for (const Formulas::Printed& each : formulas_.All()) {
      const Gives gives = each.formula->gives;
      has_start |= gives == Gives::kStart;
      if (gives == Gives::kOut || gives == Gives::kIndex) continue;
      int64_t divisor = 1;
      for (int axis = 0; axis < window.spatial_rank; ++axis) {
        const std::optional<int64_t> value = formulas_.ValueOf(*each.formula, axis, place);
        divisor *= value.value_or(0);
        if (gives == Gives::kDivisor) continue;
        Compare(each, axis, place, value, OfOracle(gives, static_cast<size_t>(axis), window));
      }
      if (gives == Gives::kDivisor) Compare(each, 0, place, divisor, window.divisor);
    }
    EXPECT_TRUE(has_start) << planned_.line;
  }

  // The index of a window with taps is that of one which holds its maximum.
  void CheckIndices(int64_t elements) {
    const auto is_index = [](const Formulas::Printed& each) { return each.formula->gives == Gives::kIndex; };
    const auto found = std::find_if(formulas_.All().begin(), formulas_.All().end(), is_index);
    EXPECT_EQ(found != formulas_.All().end(), call_.call.output_count > 1) << planned_.line;
    const Problem& problem = planned_.problem;
    if (found == formulas_.All().end() || problem.ShapesAlone()) return;
    if (elements > kMostIndices || problem.Elements() > kMostIndices) return;
    const ReferenceAnswer answer = RunReference(problem);
    if (answer.status != POOLPROOF_OK) return;
    std::vector<std::byte> input(static_cast<size_t>(problem.Elements()) * ElementSize(problem.type));
    FillInput(problem, input.data());
    for (int64_t element = 0; element < elements; ++element) {
      const Number most = answer.outputs[0].values[static_cast<size_t>(element)];
      const Number index = answer.outputs[1].values[static_cast<size_t>(element)];
      WindowPlace place;
      bool is_of_maximum = false;
      const auto window = reference::FindOperator(call_.call.op)->window(call_.call, readings_, element);
      for (const int64_t tap : window.offsets) {
        const Number value = ElementAsNumber(problem.type, input.data(), tap);
        if (value != most && !(value != value && most != most)) continue;
        place.tap = tap;
        is_of_maximum |= static_cast<Number>(formulas_.ValueOf(*found->formula, 0, place).value_or(-1)) == index;
      }
      ++(*counts_)[Gives::kIndex];
      EXPECT_TRUE(is_of_maximum || window.offsets.empty())
          << planned_.line << ", index " << static_cast<int64_t>(index) << " of element " << element << "\n"
          << formulas_.TextOf(*found, 0, place);
    }
  }

  const PlannedCase& planned_;
  const reference::Readings& readings_;
  const Formulas formulas_;
  Call call_;
  std::map<Gives, int64_t>* counts_ = nullptr;
};

TEST(Formulas, GiveWhatTheOracleDoes) {
  PlanOptions options;
  options.level = Level::kFull;
  options.random_count = kRandom;
  Error error;
  const std::optional<Plan> plan = Plan::Make(BuiltInSpecs(), options, &error);
  ASSERT_TRUE(plan) << error.message;
  const std::vector<ReadingOfFormulas> all = ReadingsOfFormulas();
  EXPECT_EQ(all.size(), 18u);
  std::map<Gives, int64_t> counts;
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size() && !testing::Test::HasFailure(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    for (const ReadingOfFormulas& each : all) {
      FormulasOfProblem formulas(planned, each.readings);
      if (formulas.IsAbout(each.start)) formulas.Check(&counts);
    }
  }
  for (size_t i = 0; i < std::size(kGives); ++i) {
    EXPECT_GT(counts[static_cast<Gives>(i)], 10000) << kGives[i];
  }
}

class Sentences : public testing::Test {
 protected:
  Sentences() {
    want_.rank = 4;
    for (const int64_t size : {1, 1, 3, 4}) want_.dims[want_.size_bytes++] = size;
  }
  Problem Parsed(const char* line) {
    Error error;
    const auto problem = ParseLine(BuiltInSpecs(), line, &error);
    EXPECT_TRUE(problem) << error.message;
    return problem.value_or(Problem());
  }
  poolproof_tensor want_{};
};

TEST_F(Sentences, SayOnceForEachAxisWhySizesDiffer) {
  const Problem problem = Parsed("MaxPool-8 f32 in=1x1x5x6 k=3 s=2 pb=1 pe=1 rounding=ceil");
  poolproof_tensor got = want_;
  EXPECT_EQ(WhySizesAre(BuiltInSpecs(), problem, {}, want_, got), "");
  got.dims[3] = 3;
  EXPECT_EQ(WhySizesAre(BuiltInSpecs(), problem, {}, want_, got),
            " Size of axis 1: ceil((6 + 1 + 1 - 3) / 2) + 1 = 4 (maxpool-8/explicit-ceil).");
  got.rank = 3;
  EXPECT_EQ(WhySizesAre(BuiltInSpecs(), problem, {}, want_, got), "");
}

TEST_F(Sentences, SayWhyAWindowIs) {
  const Problem problem = Parsed("AvgPool-1 f32 in=1x1x5x6 k=3 s=2 pb=1 pe=1 rounding=ceil exclude_pad=false");
  EXPECT_EQ(WhyWindowIs(BuiltInSpecs(), problem, {}, want_, 11),
            " Start of the window on axis 0: 2 * 2 - 1 = 3 (avgpool-1/operation)."
            " Start of the window on axis 1: 3 * 2 - 1 = 5 (avgpool-1/operation)."
            " Divisor on axis 0: 3 (avgpool-1/exclude-pad)."
            " Divisor on axis 1: 3 (avgpool-1/exclude-pad).");
}

}  // namespace
}  // namespace poolproof
