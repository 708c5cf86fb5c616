#pragma once
// A report: headings, paragraphs, tables, figures, as Markdown (figures as files beside it) and as
// one HTML page that needs nothing else.

#include <string>
#include <vector>

namespace eco {

class Document {
 public:
  explicit Document(std::string title) : title_(std::move(title)) {}

  void heading(const std::string& text) { parts_.push_back({Kind::heading, text, {}}); }
  void paragraph(const std::string& text) { parts_.push_back({Kind::paragraph, text, {}}); }
  void bullet(const std::string& text) { parts_.push_back({Kind::bullet, text, {}}); }
  void code(const std::string& text) { parts_.push_back({Kind::code, text, {}}); }
  // The first row is the header; all rows have as many cells.
  void table(std::vector<std::vector<std::string>> rows) {
    parts_.push_back({Kind::table, {}, std::move(rows)});
  }
  // `name`: of the file, without folder and ending.
  void figure(const std::string& name, const std::string& caption, const std::string& svg) {
    parts_.push_back({Kind::figure, caption, {{name, svg}}});
  }

  // `folder`: where the figures are from the Markdown file.
  [[nodiscard]] std::string markdown(const std::string& folder) const;
  [[nodiscard]] std::string html() const;

  struct Figure {
    std::string name, svg;
  };
  [[nodiscard]] std::vector<Figure> figures() const;

 private:
  enum class Kind { heading, paragraph, bullet, code, table, figure };
  struct Part {
    Kind kind;
    std::string text;
    std::vector<std::vector<std::string>> cells;
  };

  std::string title_;
  std::vector<Part> parts_;
};

}  // namespace eco
