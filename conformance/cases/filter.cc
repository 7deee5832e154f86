#include "conformance/cases/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "conformance/cases/embedded.h"
#include "conformance/cases/names.h"
#include "conformance/cases/plan.h"
#include "conformance/format/glob.h"
#include "conformance/format/text.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

std::vector<std::string> SplitWords(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Whether `word` names one of the words of `text`, which `separator` separates.
bool NamesWordOf(std::string_view text, char separator, std::string_view word) {
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find(separator));
    if (GlobMatches(word, name)) return true;
    text.remove_prefix(std::min(name.size() + 1, text.size()));
  }
  return false;
}

// "MaxPool-8/example-1" and its parts name a documented case, the words of its line any case.
bool Names(const PlannedCase& planned, std::string_view word) {
  return GlobMatches(word, SectionName(planned.section)) || GlobMatches(word, planned.problem.spec->family) ||
         NamesWordOf(planned.line, ' ', word) ||
         (planned.id != planned.line && (GlobMatches(word, planned.id) || NamesWordOf(planned.id, '/', word)));
}

// Whether the text has what no name of a case has.
bool IsCondition(std::string_view text, const std::vector<std::string>& words, const expression::Vocabulary& names) {
  constexpr std::string_view kSigns[] = {"=", "!=", "in", "and", "or", "not"};
  if (text.find_first_of("<>(") != text.npos) return true;
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    const bool is_truth = std::any_of(names.begin(), names.end(), [&](const expression::Name& name) {
      return name.kind == expression::Kind::kTruth && name.name == word;
    });
    return is_truth || std::find(std::begin(kSigns), std::end(kSigns), word) != std::end(kSigns);
  });
}

bool Holds(const expression::Expression& condition, const PlannedCase& planned) {
  Occasion occasion;
  occasion.section = SectionName(planned.section);
  if (planned.invalid != nullptr) occasion.rule = planned.invalid->rule;
  if (planned.example != nullptr) occasion.example = planned.example->id;
  Call call;
  call.Bind(planned.problem);
  reference::Context context;
  const bool valid = reference::InferShapes(call.call, context) == POOLPROOF_OK;
  return condition.Holds(
      ProblemSubject(condition.names(), planned.problem, occasion, valid ? call.call.outputs[0] : nullptr));
}

}  // namespace

std::optional<CaseFilter> CaseFilter::Parse(const Specs& specs, std::string_view text, Error* error) {
  CaseFilter filter;
  filter.words_ = SplitWords(text);
  if (specs.names == nullptr || !IsCondition(text, filter.words_, *specs.names)) return filter;
  filter.condition_ = expression::Expression::Condition(*specs.names, text, error);
  if (!filter.condition_) {
    Fail(fmt::format("--filter: {}.", error->message), error);
    return std::nullopt;
  }
  return filter;
}

bool CaseFilter::Matches(const PlannedCase& planned) const {
  if (condition_) return Holds(*condition_, planned);
  return std::all_of(words_.begin(), words_.end(), [&](const std::string& word) {
    const bool negated = word.size() > 1 && word[0] == '!';
    return Names(planned, negated ? std::string_view(word).substr(1) : word) != negated;
  });
}

std::vector<std::string> FamiliesOf(const Specs& specs) {
  std::vector<std::string> families;
  for (const OperatorSpec& spec : specs.operators) {
    if (std::find(families.begin(), families.end(), spec.family) == families.end()) families.push_back(spec.family);
  }
  return families;
}

std::vector<std::string> BuiltInFamilies() {
  std::set<std::string> folders;
  for (const EmbeddedFile& file : EmbeddedSpecs()) {
    if (const size_t end = file.path.find('/'); end != file.path.npos) folders.emplace(file.path.substr(0, end));
  }
  return {folders.begin(), folders.end()};
}

std::optional<std::string> WithFamilies(const Specs& specs, const std::string& filter, std::string_view list,
                                        Error* error) {
  const std::vector<std::string> known = FamiliesOf(specs);
  std::set<std::string> chosen;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string name(list.substr(at, end - at));
    at = end + 1;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      Fail(fmt::format("--family: there is no family \"{}\" (nearest: {}).", EscapeForTerminal(name),
                       NearestWord(name, known)),
           error);
      return std::nullopt;
    }
    chosen.insert(name);
  }
  const std::string families = fmt::format("family in {{{}}}", fmt::join(chosen, ", "));
  if (filter.empty()) return families;
  if (IsCondition(filter, SplitWords(filter), *specs.names)) return fmt::format("({}) and {}", filter, families);
  std::string words = filter;
  for (const std::string& family : known) {
    if (!chosen.contains(family)) words += " !" + family;
  }
  return words;
}

std::string WithoutSection(const std::string& filter, std::string_view section) {
  if (IsCondition(filter, SplitWords(filter), *BuiltInSpecs().names)) {
    return fmt::format("({}) and section != {}", filter, section);
  }
  return fmt::format("{}{}!{}", filter, filter.empty() ? "" : " ", section);
}

}  // namespace poolproof
