#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "reports/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

std::string Breakdown(const Counts& counts) {
  std::string text;
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (counts.n[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", WithCommas(counts.n[i]),
                        Facts(static_cast<Verdict>(i)).name);
  }
  return text;
}

// One cell of a matrix. Where nothing went wrong, unsupported cases are of no interest.
Json Cell(const Counts& counts) {
  if (counts.Total() == 0) {
    return {{"tone", "hole"}, {"symbol", "○"}, {"text", "never"}, {"label", "never tested"}};
  }
  const std::string label = Breakdown(counts);
  if (counts.Bad() > 0) {
    const VerdictFacts& worst = Facts(counts.Worst());
    return {{"tone", std::string(worst.tone)},
            {"symbol", std::string(worst.symbol)},
            {"text", fmt::format("{} of {}", WithCommas(counts.Bad()), WithCommas(counts.Total()))},
            {"label", label}};
  }
  if (counts[Verdict::kPass] == 0) {
    return {{"tone", "skip"}, {"symbol", "–"}, {"text", "unsupported"}, {"label", label}};
  }
  return {{"tone", "good"},
          {"symbol", "✓"},
          {"text", WithCommas(counts[Verdict::kPass])},
          {"label", label}};
}

Json Nothing() { return {{"tone", "none"}, {"label", "not in the spec"}}; }

// Operators that the backend answered at all come first.
std::vector<const OperatorTally*> Ordered(const Run& run) {
  std::vector<const OperatorTally*> operators;
  for (const OperatorTally& op : run.operators) operators.push_back(&op);
  std::stable_partition(operators.begin(), operators.end(), [](const OperatorTally* op) {
    return op->counts.Answered() > 0;
  });
  return operators;
}

std::vector<std::string> AllTypes(const Run& run) {
  std::vector<std::string> types;
  const auto add = [&types](const std::string& type) {
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  };
  for (const OperatorTally* op : Ordered(run)) {
    for (const std::string& type : op->spec_types) add(type);
  }
  for (const OperatorTally& op : run.operators) {
    for (const auto& [type, counts] : op.types) {
      if (types.size() < 40) add(type);
    }
  }
  return types;
}

// Operators whose attributes have names in common stand in one table. Those without any answer are
// left out: their columns would say nothing that the matrix of types does not say.
std::vector<std::vector<const OperatorTally*>> Families(const Run& run) {
  std::vector<const OperatorTally*> operators;
  for (const OperatorTally* op : Ordered(run)) {
    if (!op->attributes.empty() && op->counts.Answered() > 0) operators.push_back(op);
  }
  std::vector<size_t> family(operators.size());
  std::iota(family.begin(), family.end(), size_t{0});
  const auto share = [](const OperatorTally& a, const OperatorTally& b) {
    for (const AttributeTally& x : a.attributes) {
      for (const AttributeTally& y : b.attributes) {
        if (x.name == y.name) return true;
      }
    }
    return false;
  };
  for (size_t i = 0; i < operators.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (family[i] == family[k] || !share(*operators[i], *operators[k])) continue;
      std::replace(family.begin(), family.end(), std::max(family[i], family[k]),
                   std::min(family[i], family[k]));
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

const AttributeTally* FindAttribute(const OperatorTally& op, const std::string& name) {
  for (const AttributeTally& attribute : op.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

const Counts* FindValue(const AttributeTally& attribute, const std::string& value) {
  for (const ValueTally& tally : attribute.values) {
    if (tally.value == value) return &tally.counts;
  }
  return nullptr;
}

// Values that need not occur: single integers have no "per axis", and so on.
bool MayBeEmpty(const std::string& value) {
  return value == "per axis" || value == "any other word" || value == "negative" ||
         value == "absent";
}

Json ValueRow(const std::vector<const OperatorTally*>& family, const std::string& name,
              const std::string& value, bool* any) {
  Json cells = Json::array();
  *any = false;
  for (const OperatorTally* op : family) {
    const AttributeTally* attribute = FindAttribute(*op, name);
    const Counts* counts = attribute == nullptr ? nullptr : FindValue(*attribute, value);
    cells.push_back(counts == nullptr ? Nothing() : Cell(*counts));
    *any |= counts != nullptr && counts->Total() > 0;
  }
  return {{"value", value}, {"cells", cells}};
}

Json AttributeRows(const std::vector<const OperatorTally*>& family, const std::string& name) {
  std::vector<std::string> values;
  for (const OperatorTally* op : family) {
    const AttributeTally* attribute = FindAttribute(*op, name);
    if (attribute == nullptr) continue;
    for (const ValueTally& tally : attribute->values) {
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
  for (Json& row : rows) row["label"] = name + ", " + Str(row, "value");
  return rows;
}

Json FamilyView(const std::vector<const OperatorTally*>& family) {
  Json operators = Json::array(), attributes = Json::array();
  std::vector<std::string> names;
  for (const OperatorTally* op : family) {
    operators.push_back(op->name);
    for (const AttributeTally& attribute : op->attributes) {
      if (std::find(names.begin(), names.end(), attribute.name) == names.end()) {
        names.push_back(attribute.name);
      }
    }
  }
  for (const std::string& name : names) attributes.push_back({{"rows", AttributeRows(family, name)}});
  return {{"operators", operators},
          {"first", family.front()->name},
          {"attributes", attributes}};
}

}  // namespace

Json TypeMatrixView(const Run& run) {
  const std::vector<std::string> types = AllTypes(run);
  Json rows = Json::array();
  for (const OperatorTally* tally : Ordered(run)) {
    const OperatorTally& op = *tally;
    Json cells = Json::array();
    for (const std::string& type : types) {
      const auto it = op.types.find(type);
      const bool in_spec = std::find(op.spec_types.begin(), op.spec_types.end(), type) !=
                           op.spec_types.end();
      cells.push_back(it != op.types.end() ? Cell(it->second)
                      : in_spec            ? Cell(Counts())
                                           : Nothing());
    }
    rows.push_back({{"operator", op.name}, {"cells", cells}, {"all", Cell(op.counts)}});
  }
  return {{"types", types}, {"rows", rows}};
}

Json HoleMapView(const Run& run) {
  Json families = Json::array();
  for (const auto& family : Families(run)) families.push_back(FamilyView(family));
  return {{"families", families}};
}

}  // namespace poolproof::reports
