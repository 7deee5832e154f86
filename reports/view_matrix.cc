#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "conformance/format/case_counts.h"
#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

// One cell of a matrix. Where nothing went wrong, unsupported cases are of no interest.
Json Cell(const VerdictCounts& counts, bool supported = true) {
  if (counts.Total() == 0) {
    return {{"tone", "hole"}, {"symbol", "○"}, {"word", "never tested"}, {"label", "never tested"}};
  }
  const std::string label = Breakdown(counts);
  if (counts.Bad() > 0) {
    const VerdictFacts& worst = Facts(counts.Worst());
    return {{"tone", std::string(worst.tone)},
            {"symbol", std::string(worst.symbol)},
            {"text", WithCommas(counts.Bad())},
            {"of", WithCommas(counts.Total() - counts[Verdict::kUnsupported])},
            {"label", label}};
  }
  if (counts[Verdict::kPass] == 0 || !supported) {
    return {{"tone", "skip"}, {"symbol", "–"}, {"word", "unsupported"}, {"label", label}};
  }
  return {{"tone", "good"}, {"symbol", "✓"}, {"text", WithCommas(counts[Verdict::kPass])}, {"label", label}};
}

Json Nothing() { return {{"tone", "none"}, {"label", "not in the spec"}}; }

using Operators = std::vector<const OperatorTally*>;

// Those that the backend does not have are left out: their lines and columns would say nothing.
Operators Supported(const Run& run) {
  Operators operators;
  for (const OperatorTally& op : run.operators) {
    if (op.Supports()) operators.push_back(&op);
  }
  return operators;
}

// The types that an operator is to have; those that occur where the header does not say.
std::vector<std::string> TypesOf(const OperatorTally& op) {
  if (!op.spec_types.empty()) return op.spec_types;
  std::vector<std::string> types;
  for (const auto& [type, counts] : op.types) {
    if (types.size() < 40) types.push_back(type);
  }
  return types;
}

bool Has(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The id of an operator's row in the matrix of types; with a type, that of its cell. Empty where there is none.
std::string PlaceOf(const Run& run, const OperatorTally& op, const std::string& type = "") {
  if (!op.Supports()) return "";
  const auto row = &op - run.operators.data();
  if (type.empty()) return fmt::format("operator-{}", row);
  const std::vector<std::string> types = TypesOf(op);
  const auto column = std::find(types.begin(), types.end(), type);
  return column == types.end() ? "" : fmt::format("operator-{}-{}", row, column - types.begin());
}

// The line of the matrix in which an operator is counted; nullptr where there is none.
const OperatorTally* FindTally(const Run& run, const std::string& name) {
  std::vector<std::string> names;
  for (const OperatorTally& op : run.operators) names.push_back(op.name);
  const size_t listed = ListedOperator(names, name);
  if (listed == names.size()) return nullptr;
  const auto shared = std::find(names.begin(), names.end(), SpecializationsOf(names[listed]));
  if (names[listed] == name || shared == names.end()) return &run.operators[listed];
  return &run.operators[static_cast<size_t>(shared - names.begin())];
}

void AddOnce(const std::string& word, std::vector<std::string>* list) {
  if (!Has(*list, word)) list->push_back(word);
}

// Operators that stand in one table: those that are alike, and those that both are like a third one.
template <typename Alike>
std::vector<Operators> Tables(const Operators& operators, const Alike& alike) {
  std::vector<size_t> table(operators.size());
  std::iota(table.begin(), table.end(), size_t{0});
  for (size_t i = 0; i < operators.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (table[i] == table[k] || !alike(*operators[i], *operators[k])) continue;
      std::replace(table.begin(), table.end(), std::max(table[i], table[k]), std::min(table[i], table[k]));
    }
  }
  std::map<size_t, Operators> tables;
  for (size_t i = 0; i < operators.size(); ++i) tables[table[i]].push_back(operators[i]);
  std::vector<Operators> list;
  for (auto& [first, members] : tables) list.push_back(std::move(members));
  return list;
}

bool ShareAType(const OperatorTally& a, const OperatorTally& b) {
  const std::vector<std::string> types = TypesOf(a), others = TypesOf(b);
  return std::any_of(types.begin(), types.end(), [&](const std::string& type) { return Has(others, type); });
}

bool ShareMostAttributes(const OperatorTally& a, const OperatorTally& b) {
  size_t common = 0;
  for (const AttributeCounts& x : a.attributes) {
    for (const AttributeCounts& y : b.attributes) common += x.name == y.name ? 1 : 0;
  }
  return 2 * common >= std::max(a.attributes.size(), b.attributes.size());
}

Json TypeRow(const Run& run, const OperatorTally& op, const std::vector<std::string>& columns, bool* any_others) {
  const std::vector<std::string> own = TypesOf(op);
  Json cells = Json::array();
  for (const std::string& type : columns) {
    const auto it = op.types.find(type);
    cells.push_back(!Has(own, type)        ? Nothing()
                    : it == op.types.end() ? Cell(VerdictCounts())
                                           : Cell(it->second, op.Supports(type)));
    cells.back()["cell_id"] = PlaceOf(run, op, type);
  }
  VerdictCounts others;
  for (const auto& [type, counts] : op.types) {
    if (!Has(own, type)) others += counts;
  }
  *any_others |= others.Answered() > 0;
  return {{"operator", op.name},
          {"row_id", PlaceOf(run, op)},
          {"cells", cells},
          {"others", others.Total() > 0 ? Cell(others) : Nothing()},
          {"all", Cell(op.counts)}};
}

const AttributeCounts* FindAttribute(const OperatorTally& op, const std::string& name) {
  for (const AttributeCounts& attribute : op.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

const VerdictCounts* FindValue(const AttributeCounts& attribute, const std::string& value) {
  for (const ValueCounts& tally : attribute.values) {
    if (tally.value == value) return &tally.counts;
  }
  return nullptr;
}

// Values that need not occur: single integers have no "per axis", and so on.
bool MayBeEmpty(const std::string& value) {
  return value == "per axis" || value == "any other word" || value == "negative" || value == "absent";
}

Json ValueRow(const Operators& family, const std::string& name, const std::string& value, bool* any) {
  Json cells = Json::array();
  *any = false;
  for (const OperatorTally* op : family) {
    const AttributeCounts* attribute = FindAttribute(*op, name);
    const VerdictCounts* counts = attribute == nullptr ? nullptr : FindValue(*attribute, value);
    cells.push_back(counts == nullptr ? Nothing() : Cell(*counts));
    *any |= counts != nullptr && counts->Total() > 0;
  }
  return {{"value", value}, {"cells", cells}};
}

Json AttributeRows(const Operators& family, const std::string& name) {
  std::vector<std::string> values;
  for (const OperatorTally* op : family) {
    const AttributeCounts* attribute = FindAttribute(*op, name);
    if (attribute == nullptr) continue;
    for (const ValueCounts& tally : attribute->values) AddOnce(tally.value, &values);
  }
  Json rows = Json::array();
  for (const std::string& value : values) {
    bool any = false;
    Json row = ValueRow(family, name, value, &any);
    if (any || !MayBeEmpty(value)) rows.push_back(row);
  }
  if (!rows.empty()) {
    rows[0]["heading"] = {{"attribute", name}, {"span", rows.size()}};
  }
  for (Json& row : rows) row["label"] = name + ", " + StringOr(row, "value");
  return rows;
}

Json FamilyView(const Operators& family) {
  Json operators = Json::array(), attributes = Json::array();
  std::vector<std::string> names;
  for (const OperatorTally* op : family) {
    operators.push_back(op->name);
    for (const AttributeCounts& attribute : op->attributes) AddOnce(attribute.name, &names);
  }
  for (const std::string& name : names) attributes.push_back({{"rows", AttributeRows(family, name)}});
  return {{"operators", operators},
          {"many", family.size() > 7},
          {"first", family.front()->name},
          {"attributes", attributes}};
}

}  // namespace

Json TypeMatrixView(const Run& run) {
  Json tables = Json::array(), none = Json::array();
  for (const Operators& table : Tables(Supported(run), ShareAType)) {
    std::vector<std::string> types;
    for (const OperatorTally* op : table) {
      for (const std::string& type : TypesOf(*op)) AddOnce(type, &types);
    }
    Json rows = Json::array();
    bool any_others = false;
    for (const OperatorTally* op : table) rows.push_back(TypeRow(run, *op, types, &any_others));
    tables.push_back({{"first", table.front()->name}, {"types", types}, {"any_others", any_others}, {"rows", rows}});
  }
  for (const OperatorTally& op : run.operators) {
    if (op.Supports()) continue;
    none.push_back({{"operator", op.name}, {"cases", Plural(op.counts.Total(), "case")}});
  }
  return {{"tables", tables}, {"none_count", Plural(none.size(), "operator")}, {"none", none}};
}

Json MatrixLinks(const Run& run, const Json& group) {
  constexpr size_t kMost = 12;
  const std::vector<std::string> operators = StringsOf(group, "operators"), types = StringsOf(group, "types");
  Json rows = Json::array(), cells = Json::array();
  for (size_t i = 0; i < std::min(operators.size(), kMost / 2); ++i) {
    const OperatorTally* op = FindTally(run, operators[i]);
    rows.push_back({{"name", Shorten(operators[i], 100)}, {"place", op == nullptr ? "" : PlaceOf(run, *op)}});
  }
  for (size_t i = 0; i < std::min(types.size(), kMost); ++i) {
    std::string place;  // of the first operator that has the type
    for (size_t k = 0; k < operators.size() && place.empty(); ++k) {
      const OperatorTally* op = FindTally(run, operators[k]);
      if (op != nullptr && op->types.contains(types[i])) place = PlaceOf(run, *op, types[i]);
    }
    cells.push_back({{"name", Shorten(types[i], 100)}, {"place", place}});
  }
  const auto rest = [](size_t all, size_t shown) {
    return all == shown ? "" : fmt::format("and {} more", all - shown);
  };
  return {{"operators", rows},
          {"more_operators", rest(operators.size(), rows.size())},
          {"types", cells},
          {"more_types", rest(types.size(), cells.size())}};
}

Json HoleMapView(const Run& run) {
  Json families = Json::array();
  Operators operators = Supported(run);
  std::erase_if(operators, [](const OperatorTally* op) { return op->attributes.empty(); });
  for (const Operators& family : Tables(operators, ShareMostAttributes)) families.push_back(FamilyView(family));
  return {{"families", families}};
}

}  // namespace poolproof::reports
