#include "core/instance/tsplib_text.h"

#include <algorithm>

#include "core/base/number_text.h"

namespace eco {

namespace {

constexpr std::size_t kPiece = 1U << 15U;

class TsplibWriter {
 public:
  TsplibWriter(const Instance& instance, const TsplibText& how,
               const std::function<void(std::string_view)>& sink)
      : instance_(instance), how_(how), sink_(sink) {}

  // Solvers are particular: HGS-CVRP skips three lines for name, comment and type, and needs the
  // blanks around the colon.
  void write() {
    const bool depot = instance_.has_depot();
    if (!how_.name.empty()) header("NAME", how_.name);
    comments();
    header("TYPE", how_.type.empty() ? instance_.problem().tsplib : how_.type);
    header("DIMENSION", std::to_string(instance_.size()));
    header("EDGE_WEIGHT_TYPE", how_.weight_type);
    if (how_.weight) header("EDGE_WEIGHT_FORMAT", "FULL_MATRIX");
    if (depot) header("CAPACITY", std::to_string(instance_.capacity));
    if (how_.vehicles) header("VEHICLES", std::to_string(*how_.vehicles));
    if (how_.weight) matrix();
    if (how_.point) points();
    if (depot) demands();
    text_ += "EOF\n";
    sink_(text_);
  }

 private:
  // A value may not start a new line, or it would be read as a keyword.
  void header(std::string_view keyword, std::string_view value) {
    text_.append(keyword).append(" : ");
    for (const char c : value) text_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    text_ += '\n';
  }

  void comments() {
    for (std::string_view rest = how_.comment; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      header("COMMENT", rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void matrix() {
    text_ += "EDGE_WEIGHT_SECTION\n";
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      for (std::size_t j = 0; j < instance_.size(); ++j) {
        if (j > 0) text_ += ' ';
        how_.weight(text_, node(i), node(j));
      }
      end_row();
    }
  }

  void points() {
    text_ += how_.weight ? "DISPLAY_DATA_SECTION\n" : "NODE_COORD_SECTION\n";
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      append_number(text_, label(node(i)));
      text_ += ' ';
      how_.point(text_, node(i));
      end_row();
    }
  }

  void demands() {
    text_ += "DEMAND_SECTION\n";
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      append_number(text_, label(node(i)));
      text_ += ' ';
      append_number(text_, instance_.demands[node(i)]);
      end_row();
    }
    text_ += "DEPOT_SECTION\n";
    append_number(text_, label(kDepot.index()));
    text_ += "\n-1\n";
  }

  void end_row() {
    text_ += '\n';
    if (text_.size() < kPiece) return;
    sink_(text_);
    text_.clear();
  }

  [[nodiscard]] std::size_t node(std::size_t row) const {
    return how_.order.empty() ? row : how_.order[row];
  }
  [[nodiscard]] std::int64_t label(std::size_t node) const {
    return how_.labels.empty() ? static_cast<std::int64_t>(node + 1) : how_.labels[node];
  }

  const Instance& instance_;
  const TsplibText& how_;
  const std::function<void(std::string_view)>& sink_;
  std::string text_;
};

}  // namespace

void write_tsplib_text(const Instance& instance, const TsplibText& how,
                       const std::function<void(std::string_view)>& sink) {
  TsplibWriter(instance, how, sink).write();
}

}  // namespace eco
