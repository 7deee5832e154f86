// Goal: nothing slips past the judge. Method: take results that pass, change one bit of one element,
// or one field of one description, and demand another verdict; where the result may still pass,
// the reason is checked here by other means than the judge's own.

#include "conformance/judge/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

constexpr uint64_t kProblems = 3000;

// A problem with its input, its expected result, and a backend's answer that is just that.
class Answered {
 public:
  explicit Answered(uint64_t index) : problem(RandomProblem(BuiltInSpecs(), 11, index)) {
    call.Bind(problem);
    input.resize(std::max<size_t>(call.inputs[0].size_bytes, 1));
    FillInput(problem, input.data());
    call.inputs[0].data = input.data();
    expected.Compute(call, {}, false);
    result.ran = true;
    result.placements = 2;
    result.prefill = {std::byte{0xA5}, std::byte{0x5A}};
    for (size_t i = 0; i < Want().output_count; ++i) {
      const auto* bytes = static_cast<const std::byte*>(Want().outputs[i].data);
      memory[i].assign(bytes, bytes + Want().outputs[i].size_bytes);
      result.outputs[i] = Want().outputs[i];
      for (auto& placement : result.data) placement[i] = memory[i].data();
    }
  }

  Judgement Decide() { return judge.Decide(problem, call, {&expected}, result); }
  const Result& Want() const { return expected.result(); }

  Problem problem;
  Call call;
  Expected expected;
  CaseResult result;
  std::vector<std::byte> input;
  std::array<std::vector<std::byte>, kMaxOutputs> memory;
  Judge judge;
};

// Whether the sum of the window may leave the range of its own type (ledger: mean-accumulation,
// mean-overflow).
bool SumMayOverflow(const Answered& answered, int64_t i) {
  const auto* op = reference::FindOperator(answered.call.call.op);
  const poolproof_element_type type = answered.problem.type;
  const Number largest = type == POOLPROOF_F16   ? 65504.0L
                         : type == POOLPROOF_F64 ? std::numeric_limits<double>::max()
                                                 : std::numeric_limits<float>::max();
  Number sum = 0;
  for (const int64_t offset : op->window(answered.call.call, {}, i).offsets) {
    sum += std::fabs(ElementAsNumber(type, answered.input.data(), offset));
  }
  return sum > largest / 2;
}

// Whether a reading may give this value in place of NaN (ledger: nan): an element of the window has it, or it is
// where a search for the maximum starts.
bool MayStandForNaN(const Answered& answered, int64_t i, Number value) {
  const auto window = reference::FindOperator(answered.call.call.op)->window(answered.call.call, {}, i);
  if (value == -std::numeric_limits<Number>::infinity()) return true;
  return std::any_of(window.offsets.begin(), window.offsets.end(), [&](int64_t offset) {
    return ElementAsNumber(answered.problem.type, answered.input.data(), offset) == value;
  });
}

// Whether a changed value may still pass: by tolerance, as the other zero, as another NaN.
bool ValueMayPass(const Answered& answered, size_t output, int64_t i) {
  const poolproof_tensor& want = answered.Want().outputs[output];
  const Number a = ElementAsNumber(want.element_type, want.data, i);
  const Number b = ElementAsNumber(want.element_type, answered.memory[output].data(), i);
  const auto compare = answered.problem.spec->outputs[output].compare;
  if (std::isnan(a)) return std::isnan(b) || (compare == Compare::kExact && MayStandForNaN(answered, i, b));
  if (a == 0 && b == 0) return true;
  if (compare != Compare::kMean && compare != Compare::kNorm) return false;
  if (!IsFloat(want.element_type)) return std::fabs(a - b) <= 2;  // neighbours of one mean
  const auto* op = reference::FindOperator(answered.call.call.op);
  const size_t at = static_cast<size_t>(i) * ElementSize(want.element_type);
  if (!std::isfinite(b) && compare == Compare::kNorm) return true;  // powers overflow early
  if (!std::isfinite(b)) return SumMayOverflow(answered, i);        // NaN: partial sums of both signs
  Number bound = 0;                                                 // of the least strict reading
  reference::Readings readings;
  readings[reference::Entry::kMeanAccumulation] = 1;
  for (uint8_t scaling = 0; scaling < 2; ++scaling) {
    for (uint8_t flushed = 0; flushed < reference::ComputableReadings(reference::Entry::kSubnormals); ++flushed) {
      readings[reference::Entry::kMeanScaling] = scaling;
      readings[reference::Entry::kSubnormals] = flushed;
      const auto judged = op->judge(answered.call.call, readings, output, i, answered.memory[output].data() + at);
      bound = std::max(bound, static_cast<Number>(judged.bound));
    }
  }
  return std::fabs(a - b) <= 4 * bound;
}

// The documents' bound of an index: the product of the input's dimensions from `axis` on, or over the
// spatial ones where an operator has no such attribute.
int64_t IndexBound(const Problem& problem) {
  const AttributeValue* axis = problem.Find(Role::kAxis);
  const int64_t rank = problem.shape.size;
  bool has_axis = false;
  for (const AttributeSpec& spec : problem.spec->attributes) has_axis |= spec.role == Role::kAxis;
  int64_t first = has_axis || CountsWholeTensor(*problem.spec) ? 0 : 2;
  if (axis != nullptr && axis->present) first = axis->integer < 0 ? axis->integer + rank : axis->integer;
  int64_t bound = 1;
  for (int64_t d = first; d < rank; ++d) bound *= problem.shape[static_cast<size_t>(d)];
  return bound;
}

// Whether a changed index may still pass: it has to name an element of the window that equals the
// maximum (NaN equals NaN); where nothing but NaN or padding is in the window, any index below the
// bound will do (ledger: nan, empty-window-index).
bool IndexMayPass(const Answered& answered, size_t output, int64_t i) {
  // In which order such positions count is open.
  if (MeaningOf(answered.problem, Role::kStorageOrder) == Meaning::kColumnMajor) return true;
  const auto* op = reference::FindOperator(answered.call.call.op);
  const auto window = op->window(answered.call.call, {}, i);
  const int64_t bound = IndexBound(answered.problem);
  const poolproof_tensor& values = answered.Want().outputs[0];
  const poolproof_tensor& index = answered.Want().outputs[output];
  const Number got = ElementAsNumber(index.element_type, answered.memory[output].data(), i);
  const bool nothing_selected = std::all_of(window.offsets.begin(), window.offsets.end(), [&](int64_t offset) {
    return std::isnan(ElementAsNumber(values.element_type, answered.input.data(), offset));
  });  // true of an empty window as well: nothing was selected that an index could name
  if (nothing_selected) return got >= 0 && got < static_cast<Number>(bound);
  const Number maximum = ElementAsNumber(values.element_type, values.data, i);
  for (const int64_t offset : window.offsets) {
    const Number tap = ElementAsNumber(values.element_type, answered.input.data(), offset);
    const bool tied = tap == maximum || (std::isnan(tap) && std::isnan(maximum));
    if (tied && got == static_cast<Number>(offset % bound)) return true;
  }
  return false;
}

TEST(Judge, PassesWhatTheOracleComputes) {
  for (uint64_t index = 0; index < kProblems; ++index) {
    Answered answered(index);
    EXPECT_EQ(answered.Decide().verdict, Verdict::kPass) << PrintLine(answered.problem);
  }
}

TEST(Judge, OneChangedBitOfOneElementChangesTheVerdict) {
  std::mt19937_64 random(5);
  int changed = 0, rejected = 0;
  for (uint64_t index = 0; index < kProblems; ++index) {
    Answered answered(index);
    for (size_t output = 0; output < answered.Want().output_count; ++output) {
      std::vector<std::byte>& memory = answered.memory[output];
      if (memory.empty()) continue;
      const size_t byte = random() % memory.size();
      const std::byte bit = std::byte{1} << static_cast<int>(random() % 8);
      memory[byte] ^= bit;
      const auto type = answered.Want().outputs[output].element_type;
      const int64_t element = static_cast<int64_t>(byte / ElementSize(type));
      const bool index_output = answered.problem.spec->outputs[output].compare == Compare::kIndex;
      const bool may_pass =
          index_output ? IndexMayPass(answered, output, element) : ValueMayPass(answered, output, element);
      const Verdict verdict = answered.Decide().verdict;
      ++changed;
      rejected += verdict == Verdict::kPass ? 0 : 1;
      if (!may_pass) {
        EXPECT_NE(verdict, Verdict::kPass)
            << PrintLine(answered.problem) << " output " << output << " element " << element;
      }
      memory[byte] ^= bit;
    }
  }
  EXPECT_GT(rejected * 10, changed * 6) << "the test proves little if most changes may pass";
}

TEST(Judge, OneChangedFieldOfADescriptionChangesTheVerdict) {
  for (uint64_t index = 0; index < 300; ++index) {
    Answered answered(index);
    for (size_t output = 0; output < answered.Want().output_count; ++output) {
      poolproof_tensor& tensor = answered.result.outputs[output];
      const poolproof_tensor right = tensor;
      // Lanes have as many bytes as are described, here up to one more.
      answered.memory[output].push_back({});
      for (auto& placement : answered.result.data) placement[output] = answered.memory[output].data();
      const auto expect_fail = [&](const char* what) {
        EXPECT_NE(answered.Decide().verdict, Verdict::kPass) << what << ": " << PrintLine(answered.problem);
        tensor = right;
      };
      tensor.element_type = right.element_type == POOLPROOF_I8 ? POOLPROOF_U8 : POOLPROOF_I8;
      expect_fail("type");
      tensor.rank = right.rank - 1;
      expect_fail("rank");
      tensor.dims[index % static_cast<uint64_t>(right.rank)] += 1;
      expect_fail("dims");
      tensor.size_bytes += 1;
      expect_fail("size");
      tensor.frac_bits += 1;
      expect_fail("frac_bits");
    }
  }
}

// All of its bytes, or the last one alone.
TEST(Judge, AnElementThatKeepsThePrefillIsUnwritten) {
  int found = 0;
  for (uint64_t index = 0; index < 400; ++index) {
    Answered answered(index / 2);
    const poolproof_tensor& tensor = answered.Want().outputs[0];
    if (tensor.size_bytes == 0) continue;
    const size_t size = index % 2 == 0 ? ElementSize(tensor.element_type) : 1;
    std::array<std::vector<std::byte>, 2> copies = {answered.memory[0], answered.memory[0]};
    for (size_t p = 0; p < 2; ++p) {
      std::memset(copies[p].data() + copies[p].size() - size, std::to_integer<int>(answered.result.prefill[p]), size);
      answered.result.data[p][0] = copies[p].data();
    }
    EXPECT_EQ(answered.Decide().verdict, Verdict::kUnwritten) << PrintLine(answered.problem);
    ++found;
  }
  EXPECT_GT(found, 200);
}

TEST(Judge, TwoRunsThatDifferAreNondeterministic) {
  for (uint64_t index = 0; index < 200; ++index) {
    Answered answered(index);
    if (answered.memory[0].empty()) continue;
    std::vector<std::byte> other = answered.memory[0];
    other.front() ^= std::byte{1};
    answered.result.data[1][0] = other.data();
    const Verdict verdict = answered.Decide().verdict;
    const auto type = answered.Want().outputs[0].element_type;
    if (SameElement(type, other.data(), answered.memory[0].data(), 0)) continue;
    EXPECT_EQ(verdict, Verdict::kNondeterministic) << PrintLine(answered.problem);
  }
}

TEST(Judge, WrongStatusesHaveTheirOwnVerdicts) {
  Answered answered(3);
  answered.result.ran = false;
  answered.result.infer_status = POOLPROOF_INVALID_ARGUMENT;
  EXPECT_EQ(answered.Decide().verdict, Verdict::kWronglyRejected);
  answered.result.infer_status = POOLPROOF_UNSUPPORTED;
  EXPECT_EQ(answered.Decide().verdict, Verdict::kUnsupported);
  answered.result.infer_status = POOLPROOF_INTERNAL_ERROR;
  EXPECT_EQ(answered.Decide().verdict, Verdict::kFail);
  answered.result.infer_status = POOLPROOF_OK;
  EXPECT_EQ(answered.Decide().verdict, Verdict::kMissing);
  answered.result.ran = true;
  answered.result.run_status = {POOLPROOF_UNSUPPORTED, POOLPROOF_UNSUPPORTED};
  EXPECT_EQ(answered.Decide().verdict, Verdict::kFail);
}

}  // namespace
}  // namespace poolproof
