#include "report/document.h"

#include "report/chart.h"

namespace eco {

namespace {

constexpr const char* kPageStyle =
    "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #ccc;padding:.25rem .6rem;"
    "text-align:left}th{background:#f4f4f4}pre{background:#f4f4f4;padding:.6rem;overflow:auto}"
    "svg{max-width:100%;height:auto}figcaption{color:#555}";

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const std::string& cell : rows[r]) {
      out += "| ";
      for (const char c : cell) {
        if (c == '|') out += '\\';  // a bar in a cell would end it
        out += c;
      }
      out += ' ';
    }
    out += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < rows[0].size(); ++c) out += "|---";
    out += "|\n";
  }
  return out;
}

// Text between two backticks is code.
std::string html_text(const std::string& text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') {
      out += code ? "</code>" : "<code>";
      code = !code;
    } else {
      out += xml_text(std::string(1, c));
    }
  }
  return code ? out + "</code>" : out;
}

std::string html_table(const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string tag = r == 0 ? "th" : "td";
    out += "<tr>";
    for (const std::string& cell : rows[r]) {
      out.append("<").append(tag).append(">").append(html_text(cell));
      out.append("</").append(tag).append(">");
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

}  // namespace

std::string Document::markdown(const std::string& folder) const {
  std::string out = "# " + title_ + "\n";
  Kind last = Kind::heading;
  for (const Part& part : parts_) {
    if (part.kind != Kind::bullet || last != Kind::bullet) out += "\n";
    last = part.kind;
    switch (part.kind) {
      case Kind::heading:
        out += "## " + part.text + "\n";
        break;
      case Kind::paragraph:
        out += part.text + "\n";
        break;
      case Kind::bullet:
        out += "- " + part.text + "\n";
        break;
      case Kind::code:
        out += "```\n" + part.text + "```\n";
        break;
      case Kind::table:
        out += markdown_table(part.cells);
        break;
      case Kind::figure:
        out += "![" + part.text + "](" + folder + "/" + part.cells[0][0] + ".svg)\n";
        break;
    }
  }
  return out;
}

std::string Document::html() const {
  std::string out = "<!doctype html>\n<html lang='en'>\n<meta charset='utf-8'>\n<title>" +
                    xml_text(title_) + "</title>\n<style>" + kPageStyle + "</style>\n<h1>" +
                    xml_text(title_) + "</h1>\n";
  bool list = false;
  for (const Part& part : parts_) {
    if (list != (part.kind == Kind::bullet)) {
      out += list ? "</ul>\n" : "<ul>\n";
      list = !list;
    }
    switch (part.kind) {
      case Kind::heading:
        out += "<h2>" + html_text(part.text) + "</h2>\n";
        break;
      case Kind::paragraph:
        out += "<p>" + html_text(part.text) + "</p>\n";
        break;
      case Kind::bullet:
        out += "<li>" + html_text(part.text) + "</li>\n";
        break;
      case Kind::code:
        out += "<pre>" + xml_text(part.text) + "</pre>\n";
        break;
      case Kind::table:
        out += html_table(part.cells);
        break;
      case Kind::figure:
        out += "<figure>" + part.cells[0][1] + "<figcaption>" + html_text(part.text) +
               "</figcaption></figure>\n";
        break;
    }
  }
  return out + (list ? "</ul>\n" : "") + "</html>\n";
}

std::vector<Document::Figure> Document::figures() const {
  std::vector<Figure> figures;
  for (const Part& part : parts_) {
    if (part.kind == Kind::figure) figures.push_back({part.cells[0][0], part.cells[0][1]});
  }
  return figures;
}

}  // namespace eco
