#include "io/writer.h"

#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "io/json/instance.h"
#include "io/output.h"
#include "io/plan/write.h"
#include "io/problem_formats.h"
#include "io/reference.h"
#include "io/tsplib/instance.h"

namespace eco::io {

namespace {

std::string_view without_gz(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return path;
}

void require_kind(Format format, ProblemKind kind) {
  if (format == Format::csv) {
    throw Error(ErrorKind::usage, "instances are not written as CSV; write .json");
  }
  const ProblemFormats& formats = formats_of(kind);
  if (format != Format::json && format != formats.library && format != formats.lines) {
    throw Error(ErrorKind::usage, "the format " + std::string(to_string(format)) +
                                      " cannot hold a " + std::string(to_string(kind)) +
                                      " instance");
  }
}

void write_instance(Output& output, const Instance& instance, Format format) {
  switch (format) {
    case Format::tsp_lines:
    case Format::cvrp_lines:
      return formats_of(instance.kind).write_line(output, instance);
    case Format::json:
      return write_json_instance(output, instance);
    case Format::csv:  // refused by require_kind
    case Format::tsplib:
    case Format::cvrplib:
      return write_tsplib(output, instance);
  }
}

class FileWriter final : public InstanceWriter {
 public:
  FileWriter(const std::string& path, ProblemKind kind, Format format)
      : path_(path), kind_(kind), format_(format), output_(path) {}

  void write(const Instance& instance) override {
    if (instance.kind != kind_) require_kind(format_, instance.kind);
    ++written_;
    const bool single = format_ == Format::tsplib || format_ == Format::cvrplib;
    if (single && written_ > 1) {
      throw Error(ErrorKind::usage, path_ + ": a " + std::string(to_string(format_)) +
                                        " file holds one instance; write .txt or .json");
    }
    write_instance(output_, instance, format_);
  }
  void commit() override { output_.commit(); }

 private:
  std::string path_;
  ProblemKind kind_;
  Format format_;
  Output output_;
  std::size_t written_ = 0;
};

std::int64_t label(const Instance& instance, NodeId node) {
  if (instance.labels.empty()) return static_cast<std::int64_t>(node.index() + 1);
  return instance.labels[node.index()];
}

void write_tour(Output& output, const Instance& instance, const Solution& tour, double cost) {
  std::string name = instance.name.empty() ? "tour" : instance.name + ".tour";
  for (char& c : name) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  output << "NAME : " << name << "\nCOMMENT : Length = " << cost
         << "\nTYPE : TOUR\nDIMENSION : " << instance.size() << "\nTOUR_SECTION\n";
  for (const NodeId node : tour.sequence) output << label(instance, node) << '\n';
  output << "-1\nEOF\n";
}

void write_sol(Output& output, const Solution& solution, double cost) {
  std::size_t number = 0;
  for (const Route& route : to_routes(solution)) {
    output << "Route #" << ++number << ':';
    for (const NodeId node : route) output << ' ' << node.index();
    output << '\n';
  }
  output << "Cost " << cost << '\n';
}

}  // namespace

Format format_by_name(const std::string& path, ProblemKind kind) {
  const std::string_view name = without_gz(path);
  const ProblemFormats& formats = formats_of(kind);
  if (name.ends_with(".json") || name.ends_with(".jsonl")) return Format::json;
  if (path == "-") return formats.lines.value_or(Format::json);
  if (name.ends_with(".txt") && formats.lines) return *formats.lines;
  if (name.ends_with(formats.extension)) return formats.library;
  if (name.ends_with(".atsp") && formats.extension == ".tsp") return formats.library;
  throw Error(ErrorKind::usage,
              path + ": the name does not tell a format for a " + std::string(to_string(kind)) +
                  " instance; expected " + std::string(formats.extension) +
                  (formats.lines ? ", .txt" : "") + " or .json (each also with .gz)");
}

std::string instance_text(const Instance& instance, Format format) {
  require_kind(format, instance.kind);
  Output output;
  write_instance(output, instance, format);
  return output.text();
}

std::unique_ptr<InstanceWriter> create_instances(const std::string& path, ProblemKind kind,
                                                 std::optional<Format> format) {
  if (!format) format = format_by_name(path, kind);
  require_kind(*format, kind);
  return std::make_unique<FileWriter>(path, kind, *format);
}

SolutionFormat solution_format_by_name(const std::string& path, std::optional<ProblemKind> kind) {
  const std::string_view name = without_gz(path);
  if (name.ends_with(".json")) return SolutionFormat::json;
  if (name.ends_with(".csv")) return SolutionFormat::csv;
  if (name.ends_with(".geojson")) return SolutionFormat::geojson;
  std::string extensions;
  for (const ProblemKind candidate : kProblems) {
    if (kind && candidate != *kind) continue;
    const ProblemFormats& formats = formats_of(candidate);
    if (path == "-" || name.ends_with(formats.solution_extension)) return formats.solution;
    if (extensions.find(formats.solution_extension) != std::string::npos) continue;
    extensions += (extensions.empty() ? "" : ", ") + std::string(formats.solution_extension);
  }
  throw Error(ErrorKind::usage, path + ": expected a name in " + extensions +
                                    ", .json, .csv or .geojson for the solution" +
                                    (kind ? " of a " + std::string(to_string(*kind)) : ""));
}

void require_solution_format(const std::string& path, const Instance& instance) {
  const SolutionFormat format = solution_format_by_name(path, instance.kind);
  if (format == SolutionFormat::geojson) require_degrees(instance);
}

std::unique_ptr<Output> prepare_solution(const std::string& path, const Instance& instance,
                                         const Solution& solution) {
  require_solution_format(path, instance);
  const SolutionFormat format = solution_format_by_name(path, instance.kind);
  const CheckResult judged = check(instance, solution);
  if (!judged.feasible && !judged.lacks_vehicles) {
    throw input_error({path, 0}, "infeasible solution: " + judged.reason);
  }
  auto output = std::make_unique<Output>(path);
  switch (format) {
    case SolutionFormat::json:
      write_json_solution(*output, instance, solution, judged.cost);
      break;
    case SolutionFormat::csv:
      write_plan_csv(*output, instance, solution);
      break;
    case SolutionFormat::geojson:
      write_plan_geojson(*output, instance, solution);
      break;
    case SolutionFormat::sol:
      write_sol(*output, solution, judged.cost);
      break;
    case SolutionFormat::tour:
      write_tour(*output, instance, solution, judged.cost);
      break;
  }
  output->prepare();
  return output;
}

void write_solution(const std::string& path, const Instance& instance, const Solution& solution) {
  prepare_solution(path, instance, solution)->commit();
}

}  // namespace eco::io
