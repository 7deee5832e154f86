#include "conformance/cases/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "conformance/cases/geometry.h"
#include "conformance/cases/names.h"

namespace poolproof {
namespace {

using expression::Kind;
using expression::Value;

// Names of formulas alone, behind those of conditions.
enum : size_t { kAt, kTap, kOutermost };
// Results that others may name. Conditions name the padding too, where no document is at hand.
constexpr Gives kNameable[] = {Gives::kPadBefore, Gives::kPadAfter, Gives::kStart, Gives::kEnd};

std::string_view NameOf(Gives gives) { return kGives[static_cast<size_t>(gives)]; }

// The place of its name; the number of names where it has none.
size_t PlaceIn(const expression::Vocabulary& names, Gives gives) {
  const auto is_it = [&](const expression::Name& name) { return name.name == NameOf(gives); };
  return static_cast<size_t>(std::ranges::find_if(names, is_it) - names.begin());
}

// Names the result of a formula for a reader: "size of axis 1".
std::string WordsFor(Gives gives, int axis) {
  constexpr const char* kWords[] = {"padding before axis",         "padding after axis",        "size of axis",
                                    "start of the window on axis", "end of the window on axis", "divisor on axis"};
  if (gives == Gives::kIndex) return "index of the tap";
  return fmt::format("{} {}", kWords[static_cast<size_t>(gives)], axis);
}

std::string AsSentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return " " + text + ".";
}

}  // namespace

expression::Vocabulary FormulaNamesOf(expression::Vocabulary names) {
  names.push_back({"at", Kind::kNumber, true, {}});
  names.push_back({"tap", Kind::kNumber, false, {}});
  names.push_back({"outermost", Kind::kTruth, true, {}});
  for (const Gives gives : kNameable) {
    if (PlaceIn(names, gives) == names.size()) names.push_back({std::string(NameOf(gives)), Kind::kNumber, true, {}});
  }
  return names;
}

bool Compile(const expression::Vocabulary& names, Formula* formula, Error* error) {
  const auto fail = [&](const std::string& why) {
    return Fail(fmt::format("formulas, {}: {}", NameOf(formula->gives), why), error);
  };
  formula->compiled = expression::Expression::Formula(names, formula->text, error);
  if (!formula->compiled) return fail(error->message);
  for (const Gives other : kNameable) {
    if (other < formula->gives || !formula->compiled->Names(PlaceIn(names, other))) continue;
    return fail(fmt::format("it may not name {}", NameOf(other)));
  }
  return formula->compiled->kind() == Kind::kNumber || fail("it gives no number");
}

WindowPlace PlaceOf(const Problem& problem, const poolproof_tensor& output, int64_t element) {
  WindowPlace place;
  const int spatial = LayoutOf(*problem.function).spatial;
  for (int d = output.rank; d-- > 0; element /= std::max<int64_t>(output.dims[d], 1)) {
    const int axis = d - spatial;
    if (axis < 0 || axis >= problem.SpatialRank()) continue;
    place.at[static_cast<size_t>(axis)] = element % std::max<int64_t>(output.dims[d], 1);
  }
  return place;
}

// A problem as formulas see it.
class Formulas::Subject : public ProblemSubject {
 public:
  Subject(const Formulas& formulas, const WindowPlace& place)
      : ProblemSubject(*formulas.specs_.names, formulas.problem_, OccasionOf(formulas)),
        formulas_(formulas),
        place_(place),
        common_(formulas.specs_.names->size()) {
    for (size_t i = 0; i < std::size(kNameable); ++i) given_[i] = PlaceIn(*formulas.specs_.formula_names, kNameable[i]);
  }

  Value ValueOf(size_t name, int axis) const override {
    const size_t given = static_cast<size_t>(std::ranges::find(given_, name) - given_.begin());
    if (given < given_.size()) return Given(kNameable[given], axis);
    if (name < common_) return ProblemSubject::ValueOf(name, axis);
    if (name == common_ + kAt) return Value::Of(place_.at[static_cast<size_t>(axis)]);
    if (name == common_ + kTap) return Value::Of(place_.tap);
    return Value::Of(int64_t{axis == 0});
  }

 private:
  Value Given(Gives gives, int axis) const {
    for (const Printed& each : formulas_.all_) {
      if (each.formula->gives == gives) return each.formula->compiled->ValueAt(*this, axis);
    }
    return {};
  }

  static Occasion OccasionOf(const Formulas& formulas) {
    Occasion occasion;
    occasion.readings = formulas.readings_;
    return occasion;
  }

  const Formulas& formulas_;
  const WindowPlace place_;
  const size_t common_;  // names of conditions as well
  std::array<size_t, std::size(kNameable)> given_{};
};

Formulas::Formulas(const Specs& specs, const Problem& problem, const reference::Readings& readings)
    : specs_(specs), problem_(problem), readings_(readings) {
  const Subject subject(*this, {});
  for (const Document& document : specs.documents) {
    for (const Clause& clause : document.clauses) {
      if (clause.formulas.empty() || !clause.exercised_when->Holds(subject)) continue;
      for (const Formula& formula : clause.formulas) all_.push_back({&formula, &clause});
    }
  }
  std::stable_sort(all_.begin(), all_.end(),
                   [](const Printed& a, const Printed& b) { return a.formula->gives < b.formula->gives; });
}

std::optional<int64_t> Formulas::ValueOf(const Formula& formula, int axis, const WindowPlace& place) const {
  return formula.compiled->NumberAt(Subject(*this, place), axis);
}

std::string Formulas::TextOf(const Printed& printed, int axis, const WindowPlace& place) const {
  const Formula& formula = *printed.formula;
  const std::optional<int64_t> value = ValueOf(formula, axis, place);
  const std::string text = formula.compiled->TextWithValues(Subject(*this, place), axis);
  const std::string result = value ? std::to_string(*value) : "?";
  return fmt::format("{}: {}{} ({})", WordsFor(formula.gives, axis), text, text == result ? "" : " = " + result,
                     printed.clause->id);
}

std::vector<std::string> Formulas::Texts(Gives first, Gives last, const WindowPlace& place) const {
  std::vector<std::string> texts;
  for (const Printed& each : all_) {
    const Gives gives = each.formula->gives;
    if (gives < first || gives > last) continue;
    const int axes = gives == Gives::kIndex ? 1 : problem_.SpatialRank();
    for (int axis = 0; axis < axes; ++axis) texts.push_back(TextOf(each, axis, place));
  }
  return texts;
}

std::string WhySizesAre(const Specs& specs, const Problem& problem, const reference::Readings& readings,
                        const poolproof_tensor& want, const poolproof_tensor& got) {
  std::string text;
  if (want.rank != got.rank) return text;
  const int spatial = LayoutOf(*problem.function).spatial;
  const Formulas formulas(specs, problem, readings);
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const int64_t size = want.dims[spatial + axis];
    if (size == got.dims[spatial + axis]) continue;
    // The first clause that gives it is enough.
    const auto found = std::find_if(formulas.All().begin(), formulas.All().end(), [&](const Formulas::Printed& each) {
      return each.formula->gives == Gives::kOut && formulas.ValueOf(*each.formula, axis, {}) == size;
    });
    if (found != formulas.All().end()) text += AsSentence(formulas.TextOf(*found, axis, {}));
  }
  return text;
}

std::string WhyWindowIs(const Specs& specs, const Problem& problem, const reference::Readings& readings,
                        const poolproof_tensor& want, int64_t element) {
  std::string text;
  const Formulas formulas(specs, problem, readings);
  for (std::string& each : formulas.Texts(Gives::kStart, Gives::kDivisor, PlaceOf(problem, want, element))) {
    text += AsSentence(std::move(each));
  }
  return text;
}

}  // namespace poolproof
