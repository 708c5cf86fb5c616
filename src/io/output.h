#pragma once
// Text on its way out: to a file that appears whole or not at all, or to standard output (`-`);
// compressed if the name ends in .gz. Numbers are written in the shortest form that reads back as
// the same bits.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/atomic_file.h"

namespace eco::io {

class Output {
 public:
  Output();  // in memory, for text()
  explicit Output(const std::string& path);
  ~Output();  // without commit() no file appears
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);
  Output& operator<<(char c) { return *this << std::string_view(&c, 1); }
  Output& operator<<(double value);
  Output& operator<<(std::int64_t value);
  Output& operator<<(std::size_t value) { return *this << static_cast<std::int64_t>(value); }

  void prepare();  // everything is written; what is left to commit() hardly fails
  void commit();   // prepares first if that is not done
  [[nodiscard]] const std::string& text() const { return buffer_; }  // of one in memory

 private:
  struct Compressor;

  void flush();
  void write(std::string_view bytes);

  bool in_memory_ = false, prepared_ = false;
  std::unique_ptr<AtomicFile> file_;  // null for standard output and in memory
  std::unique_ptr<Compressor> compressor_;
  std::string buffer_;
};

}  // namespace eco::io
