#pragma once
// A JSON value with its place in the file, so that every complaint says where: "file:3: jobs[2].id:
// found "x", expected a whole number". Paths are only built when something is wrong.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "io/json/documents.h"

namespace eco::io {

class JsonValue {
 public:
  JsonValue(const nlohmann::json& json, const Location& where) : json_(&json), where_(&where) {}

  [[nodiscard]] bool is_array() const { return json_->is_array(); }
  [[nodiscard]] bool is_object() const { return json_->is_object(); }
  [[nodiscard]] bool is_text() const { return json_->is_string(); }
  [[nodiscard]] bool is_number(int value) const { return json_->is_number() && *json_ == value; }
  [[nodiscard]] std::size_t size() const { return json_->size(); }
  [[nodiscard]] bool has(const char* key) const { return json_->contains(key); }

  // Members and elements; the value they come from has to outlive them.
  [[nodiscard]] JsonValue operator[](const char* key) const;  // throws if missing
  [[nodiscard]] JsonValue at(std::size_t index) const;

  [[nodiscard]] double number() const;  // finite and within kMaxMagnitude
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::int64_t quantity() const;  // whole, 0 to kMaxQuantity; or an array of one such
  [[nodiscard]] std::string text() const;
  void require_array(std::string_view expected) const;
  void require_object() const;
  void require_keys(std::span<const std::string_view> known) const;
  void require_keys(std::initializer_list<std::string_view> known) const {
    require_keys(std::span(known.begin(), known.size()));
  }

  [[noreturn]] void fail(std::string_view expected) const;  // "found <this>, expected ..."
  [[nodiscard]] Error error(std::string_view found, std::string_view expected) const;

 private:
  [[nodiscard]] std::string path() const;

  const nlohmann::json* json_;
  const Location* where_;
  const JsonValue* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

// Throws eco::Error (input) with the line of the mistake, also for a key that stands twice.
[[nodiscard]] nlohmann::json parse_json(const JsonDocuments::Document& document,
                                        const std::string& file);

}  // namespace eco::io
