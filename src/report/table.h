#pragma once
// A text table for terminals: columns as wide as their widest cell, numbers to the right.

#include <string>
#include <vector>

namespace eco {

class Table {
 public:
  explicit Table(std::vector<std::string> header);
  // Missing cells are empty; surplus ones are an error of the caller.
  void add_row(std::vector<std::string> cells);
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

// Fixed decimals: decimal(3.14159, 2) is "3.14".
[[nodiscard]] std::string decimal(double value, int digits);

}  // namespace eco
