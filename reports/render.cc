#include <fmt/format.h>

#include <kainjow/mustache.hpp>
#include <stdexcept>

#include "conformance/format/text.h"
#include "reports/templates.h"

namespace poolproof::reports {
namespace {

namespace mustache = kainjow::mustache;

mustache::data ToData(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      mustache::data data{mustache::data::type::object};
      for (const auto& [key, member] : value.items()) {
        data.set(key, ToData(member));
        if (member.is_array()) data.set("any_" + key, mustache::data(!member.empty()));
      }
      return data;
    }
    case Json::value_t::array: {
      mustache::data data{mustache::data::type::list};
      for (const Json& element : value) data << ToData(element);
      return data;
    }
    case Json::value_t::boolean: return mustache::data(value.get<bool>());
    case Json::value_t::number_float: return mustache::data(Decimal(value.get<double>()));
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return mustache::data(value.dump());
    case Json::value_t::string: {
      const std::string text = value.get<std::string>();
      return text.empty() ? mustache::data(false) : mustache::data(text);
    }
    default: return mustache::data(false);
  }
}

// Explains what the templates mark as {{#term}}word{{/term}}.
mustache::data Term() {
  return mustache::data(mustache::lambda2(
      [](const std::string& text, const mustache::renderer& render) { return Explained(render(text, false)); }));
}

}  // namespace

std::string_view TemplateText(std::string_view name) {
  for (const TemplateFile& file : TemplateFiles()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error(fmt::format("no template {}", name));
}

std::string Render(const std::string& name, const Json& view) {
  mustache::mustache page{std::string(TemplateText(name))};
  page.set_custom_escape([](const std::string& text) { return EscapeMarkup(text, Markup::kHtml); });
  mustache::data data = ToData(view);
  data.set("term", Term());
  // Every template can be a part of another one, under its file name.
  for (const TemplateFile& file : TemplateFiles()) {
    const std::string part(file.name);
    data.set(part, mustache::data(mustache::partial([part] { return std::string(TemplateText(part)); })));
  }
  std::string text = page.render(data);
  if (!page.is_valid()) throw std::logic_error(name + ": " + page.error_message());
  return text;
}

}  // namespace poolproof::reports
