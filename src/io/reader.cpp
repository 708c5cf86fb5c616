#include "io/reader.h"

#include <algorithm>
#include <utility>

#include "io/csv/header.h"
#include "io/csv/instance.h"
#include "io/json/documents.h"
#include "io/json/instance.h"
#include "io/problem_formats.h"
#include "io/scanner.h"
#include "io/text_input.h"
#include "io/tsplib/instance.h"

namespace eco::io {

namespace {

// One file, one instance, which was parsed at once.
class SingleReader final : public InstanceReader {
 public:
  SingleReader(Instance instance, Format format)
      : instance_(std::move(instance)), format_(format) {}
  std::optional<Instance> next() override { return std::exchange(instance_, std::nullopt); }
  bool more() override { return instance_.has_value(); }
  [[nodiscard]] Format format() const override { return format_; }

 private:
  std::optional<Instance> instance_;
  Format format_;
};

class LineReader final : public InstanceReader {
 public:
  LineReader(TextInput input, const ReadOptions& options, Format format)
      : input_(std::move(input)),
        options_(options),
        format_(format),
        problem_(**std::find_if(problem_formats.begin(), problem_formats.end(),
                                [&](const auto* problem) { return problem->lines == format; })) {}

  std::optional<Instance> next() override {
    if (!more()) return std::nullopt;
    const auto line = input_.line();
    Instance instance = problem_.read_line(*line, input_, options_);
    if (instance.size() == 1) refuse_points();
    return instance;
  }
  bool more() override {
    while (const auto line = input_.line()) {
      if (trimmed(*line).empty()) continue;
      input_.unread();
      return true;
    }
    return false;
  }
  [[nodiscard]] Format format() const override { return format_; }

 private:
  // One point a line looks like many instances of one node, which nobody means.
  void refuse_points() {
    if (!more()) return;
    const auto line = input_.line();
    Scanner fields(*line, input_);
    std::size_t count = 0;
    for (; !fields.at_end() && !fields.at_word() && count < 3; ++count) (void)fields.word();
    if (count == 2) {
      throw input_.error("a second line with one point",
                         "a line for each instance with all its points (x1 y1 x2 y2 ...); a list "
                         "of points is read as TSPLIB, JSON or CSV with a header");
    }
    input_.unread();
  }

  TextInput input_;
  ReadOptions options_;
  Format format_;
  const ProblemFormats& problem_;  // whose lines these are
};

class JsonReader final : public InstanceReader {
 public:
  JsonReader(TextInput input, const ReadOptions& options)
      : input_(std::move(input)), options_(options), documents_(input_) {}

  std::optional<Instance> next() override {
    const auto document = documents_.next();
    if (!document) return std::nullopt;
    return read_json_instance(*document, input_.name(), options_);
  }
  bool more() override { return documents_.more(); }
  [[nodiscard]] Format format() const override { return Format::json; }

 private:
  TextInput input_;
  ReadOptions options_;
  JsonDocuments documents_;
};

// Gives every instance the number of vehicles that was asked for.
class FleetReader final : public InstanceReader {
 public:
  FleetReader(std::unique_ptr<InstanceReader> reader, std::size_t vehicles, std::string file)
      : reader_(std::move(reader)), vehicles_(vehicles), file_(std::move(file)) {}

  std::optional<Instance> next() override {
    std::optional<Instance> instance = reader_->next();
    if (!instance) return instance;
    if (!instance->has_depot()) {
      throw Error(ErrorKind::usage, file_ + ": a number of vehicles is for problems with a depot");
    }
    instance->vehicles = vehicles_;
    auto& ids = instance->vehicle_ids;
    ids.resize(ids.size() < vehicles_ ? 0 : vehicles_);
    validate(*instance, file_);
    return instance;
  }
  bool more() override { return reader_->more(); }
  [[nodiscard]] Format format() const override { return reader_->format(); }

 private:
  std::unique_ptr<InstanceReader> reader_;
  std::size_t vehicles_;
  std::string file_;
};

Format detect(TextInput& input) {
  const std::string_view head = input.head();
  const std::size_t start = head.find_first_not_of(" \t\r\n\v\f");
  const Location whole{input.name(), 0};
  constexpr std::string_view kExpected = "a TSPLIB, CVRPLIB, JSON, CSV or line-format instance";
  if (start == std::string_view::npos) throw input_error(whole, "an empty file", kExpected);
  const std::string_view text = head.substr(start);
  const char first = text.front();
  // The first field, which in a table ends with a comma or a semicolon.
  const std::size_t end = text.find_first_of(",;: \t\r\n");
  const bool table = end != std::string_view::npos && (text[end] == ',' || text[end] == ';');
  const auto starts_with = [&](std::string_view word) {
    return same_word(text.substr(0, word.size()), word);
  };
  if (first == '{' || first == '[') return Format::json;
  if (is_csv_header(text.substr(0, text.find_first_of("\r\n")))) return Format::csv;
  if (starts_with("depot,") || starts_with("depot ,")) return Format::cvrp_lines;
  const std::string_view file = input.name();
  if (table || first == '"' || file.ends_with(".csv") || file.ends_with(".tsv")) return Format::csv;
  const bool number =
      (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
  if (number || starts_with("nan") || starts_with("inf")) return Format::tsp_lines;
  if (is_letter(first)) return Format::tsplib;
  throw input_error(whole, quoted(text.substr(0, 40)), kExpected);
}

std::unique_ptr<InstanceReader> plain_reader(TextInput input, const ReadOptions& options) {
  const Format format = options.format ? *options.format : detect(input);
  if (format != Format::csv && (options.capacity || !options.depot.empty())) {
    throw Error(ErrorKind::usage, input.name() + ": a capacity and a depot are asked for tables " +
                                      "(CSV); this file is " + std::string(to_string(format)));
  }
  switch (format) {
    case Format::tsp_lines:
    case Format::cvrp_lines:
      return std::make_unique<LineReader>(std::move(input), options, format);
    case Format::json:
      return std::make_unique<JsonReader>(std::move(input), options);
    case Format::csv:
      return std::make_unique<SingleReader>(read_csv(input, options), format);
    case Format::tsplib:
    case Format::cvrplib:
      break;
  }
  Instance instance = read_tsplib(input, options);  // only its TYPE tells which format it is
  const Format type = formats_of(instance.kind).library;
  return std::make_unique<SingleReader>(std::move(instance), type);
}

std::unique_ptr<InstanceReader> reader_of(TextInput input, const ReadOptions& options) {
  const std::string name = input.name();
  auto reader = plain_reader(std::move(input), options);
  if (!options.vehicles) return reader;
  return std::make_unique<FleetReader>(std::move(reader), *options.vehicles, name);
}

std::string shown_name(const std::string& path) {
  return path == "-" ? "stdin" : path;
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::tsplib:
      return "tsplib";
    case Format::cvrplib:
      return "cvrplib";
    case Format::tsp_lines:
      return "tsp-lines";
    case Format::cvrp_lines:
      return "cvrp-lines";
    case Format::json:
      return "json";
    case Format::csv:
      return "csv";
  }
  return "?";
}

std::unique_ptr<InstanceReader> open_instances(const std::string& path,
                                               const ReadOptions& options) {
  return reader_of(TextInput(open_bytes(path), shown_name(path)), options);
}

std::unique_ptr<InstanceReader> instances_in(std::string_view bytes, const std::string& name,
                                             const ReadOptions& options) {
  return reader_of(TextInput(bytes_in(bytes, name), name), options);
}

}  // namespace eco::io
