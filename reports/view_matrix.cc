#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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

std::vector<const OperatorTally*> Supported(const Run& run) {
  std::vector<const OperatorTally*> operators;
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

// Operators that have a type in common stand in one table of types.
struct TypeTable {
  std::vector<std::string> types;
  std::vector<const OperatorTally*> operators;
};

std::vector<TypeTable> TypeTables(const Run& run) {
  std::vector<TypeTable> tables;
  for (const OperatorTally* op : Supported(run)) {
    TypeTable joined{TypesOf(*op), {}};
    const auto apart = [&](const TypeTable& table) {
      return std::none_of(table.types.begin(), table.types.end(),
                          [&](const std::string& type) { return Has(joined.types, type); });
    };
    const auto first = std::stable_partition(tables.begin(), tables.end(), apart);
    TypeTable whole;
    for (auto it = first; it != tables.end(); ++it) {
      for (const std::string& type : it->types) {
        if (!Has(whole.types, type)) whole.types.push_back(type);
      }
      whole.operators.insert(whole.operators.end(), it->operators.begin(), it->operators.end());
    }
    for (const std::string& type : joined.types) {
      if (!Has(whole.types, type)) whole.types.push_back(type);
    }
    whole.operators.push_back(op);
    tables.erase(first, tables.end());
    tables.push_back(std::move(whole));
  }
  return tables;
}

Json TypeRow(const OperatorTally& op, const std::vector<std::string>& columns, bool* any_others) {
  const std::vector<std::string> own = TypesOf(op);
  Json cells = Json::array();
  for (const std::string& type : columns) {
    const auto it = op.types.find(type);
    cells.push_back(!Has(own, type)        ? Nothing()
                    : it == op.types.end() ? Cell(VerdictCounts())
                                           : Cell(it->second, op.Supports(type)));
  }
  VerdictCounts others;
  for (const auto& [type, counts] : op.types) {
    for (size_t i = 0; i < kVerdictCount && !Has(own, type); ++i) others.n[i] += counts.n[i];
  }
  *any_others |= others.Answered() > 0;
  return {{"operator", op.name},
          {"cells", cells},
          {"others", others.Total() > 0 ? Cell(others) : Nothing()},
          {"all", Cell(op.counts)}};
}

// Operators that have most attribute names in common stand in one table. Those that the backend does
// not have are left out: their columns would say nothing that the matrix of types does not say.
std::vector<std::vector<const OperatorTally*>> Families(const Run& run) {
  std::vector<const OperatorTally*> operators;
  for (const OperatorTally* op : Supported(run)) {
    if (!op->attributes.empty()) operators.push_back(op);
  }
  std::vector<size_t> family(operators.size());
  std::iota(family.begin(), family.end(), size_t{0});
  const auto share = [](const OperatorTally& a, const OperatorTally& b) {
    size_t common = 0;
    for (const AttributeCounts& x : a.attributes) {
      for (const AttributeCounts& y : b.attributes) common += x.name == y.name ? 1 : 0;
    }
    return 2 * common >= std::max(a.attributes.size(), b.attributes.size());
  };
  for (size_t i = 0; i < operators.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (family[i] == family[k] || !share(*operators[i], *operators[k])) continue;
      std::replace(family.begin(), family.end(), std::max(family[i], family[k]), std::min(family[i], family[k]));
    }
  }
  std::vector<std::vector<const OperatorTally*>> families;
  for (size_t f = 0; f < operators.size(); ++f) {
    std::vector<const OperatorTally*> members;
    for (size_t i = 0; i < operators.size(); ++i) {
      if (family[i] == f) members.push_back(operators[i]);
    }
    if (!members.empty()) families.push_back(members);
  }
  return families;
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

Json ValueRow(const std::vector<const OperatorTally*>& family, const std::string& name, const std::string& value,
              bool* any) {
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

Json AttributeRows(const std::vector<const OperatorTally*>& family, const std::string& name) {
  std::vector<std::string> values;
  for (const OperatorTally* op : family) {
    const AttributeCounts* attribute = FindAttribute(*op, name);
    if (attribute == nullptr) continue;
    for (const ValueCounts& tally : attribute->values) {
      if (std::find(values.begin(), values.end(), tally.value) == values.end()) {
        values.push_back(tally.value);
      }
    }
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

Json FamilyView(const std::vector<const OperatorTally*>& family) {
  Json operators = Json::array(), attributes = Json::array();
  std::vector<std::string> names;
  for (const OperatorTally* op : family) {
    operators.push_back(op->name);
    for (const AttributeCounts& attribute : op->attributes) {
      if (std::find(names.begin(), names.end(), attribute.name) == names.end()) {
        names.push_back(attribute.name);
      }
    }
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
  for (const TypeTable& table : TypeTables(run)) {
    Json rows = Json::array();
    bool any_others = false;
    for (const OperatorTally* op : table.operators) {
      rows.push_back(TypeRow(*op, table.types, &any_others));
    }
    for (Json& row : rows) row["any_others"] = any_others;
    tables.push_back(
        {{"first", table.operators.front()->name}, {"types", table.types}, {"any_others", any_others}, {"rows", rows}});
  }
  for (const OperatorTally& op : run.operators) {
    if (op.Supports()) continue;
    none.push_back({{"operator", op.name}, {"cases", Plural(op.counts.Total(), "case")}});
  }
  return {{"tables", tables}, {"none_count", Plural(none.size(), "operator")}, {"none", none}};
}

Json HoleMapView(const Run& run) {
  Json families = Json::array();
  for (const auto& family : Families(run)) families.push_back(FamilyView(family));
  return {{"families", families}};
}

}  // namespace poolproof::reports
