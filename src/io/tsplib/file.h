#pragma once
// A TSPLIB95 or CVRPLIB instance file as written: headers and sections in whatever order, not yet
// interpreted. Only what the file really holds is stored, never what its DIMENSION promises.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/instance/metric.h"
#include "io/text_input.h"

namespace eco::io {

struct TsplibFile {
  struct Header {
    std::string value;
    std::size_t line = 0;
  };
  struct Coordinates {  // NODE_COORD_SECTION or DISPLAY_DATA_SECTION
    std::vector<std::int64_t> labels;
    std::vector<Point> points;
  };
  struct Demand {
    std::int64_t label = 0;
    std::int64_t demand = 0;
    std::size_t line = 0;
  };

  std::string name;                       // of the file, for messages
  std::map<std::string, Header> headers;  // COMMENT lines are joined by line ends
  std::size_t dimension = 0;
  std::map<std::string, std::size_t> sections;  // name -> line of its keyword
  Coordinates nodes, display;
  std::vector<double> weights;  // EDGE_WEIGHT_SECTION, in file order
  std::vector<Demand> demands;
  std::vector<std::int64_t> depots;

  [[nodiscard]] const Header* header(const std::string& keyword) const {
    const auto found = headers.find(keyword);
    return found == headers.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool has_section(const std::string& keyword) const {
    return sections.contains(keyword);
  }
};

// Checks syntax and counts: every number, every section against DIMENSION, nothing twice. Throws
// eco::Error (input) with the line.
[[nodiscard]] TsplibFile parse_tsplib(TextInput& input);

}  // namespace eco::io
