#pragma once
// The output of a long job, made of many items, that survives being killed: OUT.partial holds the
// bytes so far and OUT.journal a line for every append (items, bytes, hash of all bytes so far).
// Opening the same output again with the same identity drops what the journal does not vouch for
// and goes on behind it; another identity is refused, so that two different jobs never mix in one
// file. OUT itself appears only by commit(), whole, and compressed if its name ends in .gz.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace eco::io {

class ResumableFile {
 public:
  // `identity`: one line with everything that the content depends on, readable for the user who is
  // told how it differs. `restart` discards what an earlier run left. Throws eco::Error: usage if
  // another job's partial file is there, resource if another process is writing it now.
  ResumableFile(std::string path, std::string identity, bool restart = false);
  // Leaves both files for the next run; removes them if no item is done.
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  [[nodiscard]] std::size_t items() const { return items_; }  // done, in this and earlier runs
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::string& partial_path() const { return partial_; }

  // Once this returns, a kill of the process does not lose it (a power cut may, by seconds).
  void append(std::string_view bytes, std::size_t items = 1);
  void commit();

 private:
  void open_journal(bool restart);
  void recover();
  void start();
  void sync();
  void write_compressed() const;

  std::string path_, partial_, journal_, identity_;
  int data_file_ = -1, journal_file_ = -1;
  std::size_t items_ = 0;
  std::uint64_t bytes_ = 0, hash_;
  double last_sync_ = 0;
};

// FNV-1a, 64 bits: to notice damage and difference, not malice.
inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325U;
[[nodiscard]] std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = kHashStart);

}  // namespace eco::io
