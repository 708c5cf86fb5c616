#include "io/json/value.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "io/scanner.h"

namespace eco::io {

using nlohmann::json;

JsonValue JsonValue::operator[](const char* key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) throw error("no \"" + std::string(key) + "\"", "it");
  JsonValue member(*found, *where_);
  member.parent_ = this;
  member.key_ = key;
  return member;
}

JsonValue JsonValue::at(std::size_t index) const {
  JsonValue element((*json_)[index], *where_);
  element.parent_ = this;
  element.index_ = index;
  return element;
}

double JsonValue::number() const {
  if (!json_->is_number()) fail("a number");
  const double value = json_->get<double>();
  if (!(std::fabs(value) <= kMaxMagnitude)) fail("a number of at most 1e100");
  return value;
}

std::int64_t JsonValue::integer() const {
  // Beyond the signed range the library keeps an unsigned number.
  if (!json_->is_number_integer() || (json_->is_number_unsigned() && *json_ > INT64_MAX)) {
    fail("a whole number");
  }
  return json_->get<std::int64_t>();
}

std::int64_t JsonValue::quantity() const {
  if (is_array() && size() == 1 && !(*json_)[0].is_array()) return at(0).quantity();
  const double value = json_->is_number() ? json_->get<double>() : -1;
  if (!(value >= 0 && value <= static_cast<double>(kMaxQuantity) && value == std::floor(value))) {
    fail("a whole number from 0 to " + std::to_string(kMaxQuantity));
  }
  return static_cast<std::int64_t>(value);
}

std::string JsonValue::text() const {
  if (!json_->is_string()) fail("a string");
  return json_->get<std::string>();
}

void JsonValue::require_array(std::string_view expected) const {
  if (!is_array()) fail(expected);
}

void JsonValue::require_object() const {
  if (!is_object()) fail("an object");
}

void JsonValue::require_keys(std::span<const std::string_view> known) const {
  for (const auto& [key, value] : json_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string list;
    for (const std::string_view name : known)
      list += (list.empty() ? "" : ", ") + std::string(name);
    throw error("the key " + eco::quoted(key), "one of " + list);
  }
}

std::string JsonValue::path() const {
  if (parent_ == nullptr) return "";
  const std::string above = parent_->path();
  if (key_ == nullptr) return above + "[" + std::to_string(index_) + "]";
  return (above.empty() ? "" : above + ".") + key_;
}

Error JsonValue::error(std::string_view found, std::string_view expected) const {
  const std::string place = path();
  return input_error(
      *where_, place.empty() ? std::string(found) : std::string(found) + " at " + place, expected);
}

void JsonValue::fail(std::string_view expected) const {
  if (is_array()) throw error("an array of " + std::to_string(size()), expected);
  if (is_object()) throw error("an object", expected);
  throw error(eco::quoted(json_->dump()), expected);
}

json parse_json(const JsonDocuments::Document& document, const std::string& file) {
  std::set<std::string, std::less<>> keys;
  const auto on_event = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key && depth == 1 &&
        !keys.insert(parsed.get<std::string>()).second) {
      throw input_error({file, document.line}, "a second " + eco::quoted(parsed.get<std::string>()),
                        "every key once");
    }
    return true;
  };
  try {
    return json::parse(document.text, on_event);
  } catch (const json::parse_error& problem) {
    const auto end = document.text.begin() +
                     static_cast<std::ptrdiff_t>(std::min(problem.byte, document.text.size()));
    const auto lines = std::count(document.text.begin(), end, '\n');
    const std::string_view message = problem.what();
    const std::size_t detail = message.rfind(": ", message.find(" - "));
    throw input_error(
        {file, document.line + static_cast<std::size_t>(lines)},
        "not valid JSON: " +
            eco::quoted(message.substr(detail == std::string_view::npos ? 0 : detail + 2), 160));
  } catch (const json::exception& problem) {  // a number beyond double
    throw input_error({file, document.line}, "not valid JSON: " + eco::quoted(problem.what(), 160));
  }
}

}  // namespace eco::io
