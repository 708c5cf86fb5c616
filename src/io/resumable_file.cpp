#include "io/resumable_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "io/output.h"

namespace eco::io {

namespace {

constexpr double kSecondsBetweenSyncs = 2;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::resource, path + ": " + what + ": " + std::strerror(errno));
}

int open_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) fail(path, "cannot open");
  return file;
}

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(path, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::size_t read_some(int file, char* buffer, std::size_t size, const std::string& path) {
  for (;;) {
    const ssize_t count = ::read(file, buffer, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail(path, "cannot read");
  }
}

std::string read_whole(int file, const std::string& path) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = read_some(file, buffer.data(), buffer.size(), path)) {
    text.append(buffer.data(), count);
  }
  return text;
}

void cut(int file, std::uint64_t size, const std::string& path) {
  if (::ftruncate(file, static_cast<off_t>(size)) != 0 || ::lseek(file, 0, SEEK_END) < 0) {
    fail(path, "cannot write");
  }
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// One line of the journal: the state of the partial file after an append.
struct Record {
  std::size_t items = 0;
  std::uint64_t bytes = 0, hash = 0;
  std::size_t journal_end = 0;  // where the line ends
};

std::string record_line(std::size_t items, std::uint64_t bytes, std::uint64_t hash) {
  std::ostringstream line;
  line << items << ' ' << bytes << ' ' << std::hex << hash << '\n';
  return line.str();
}

// Only whole lines count; the first that is not a record ends the list.
std::vector<Record> records_of(const std::string& journal, std::size_t begin) {
  std::vector<Record> records;
  while (begin < journal.size()) {
    const std::size_t end = journal.find('\n', begin);
    if (end == std::string::npos) break;
    std::istringstream line(journal.substr(begin, end - begin));
    Record record;
    if (!(line >> record.items >> record.bytes >> std::hex >> record.hash)) break;
    begin = record.journal_end = end + 1;
    records.push_back(record);
  }
  return records;
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

ResumableFile::ResumableFile(std::string path, std::string identity, bool restart)
    : path_(std::move(path)),
      partial_(path_ + ".partial"),
      journal_(path_ + ".journal"),
      identity_(std::move(identity)),
      hash_(kHashStart) {
  std::replace(identity_.begin(), identity_.end(), '\n', ' ');
  try {
    open_journal(restart);
  } catch (...) {
    if (journal_file_ >= 0) (void)::close(journal_file_);
    if (data_file_ >= 0) (void)::close(data_file_);
    throw;
  }
  last_sync_ = now();
}

ResumableFile::~ResumableFile() {
  const bool open = journal_file_ >= 0;
  if (open && items_ == 0) {
    (void)::unlink(partial_.c_str());
    (void)::unlink(journal_.c_str());
  }
  if (data_file_ >= 0) (void)::close(data_file_);
  if (open) (void)::close(journal_file_);
}

void ResumableFile::open_journal(bool restart) {
  journal_file_ = open_file(journal_);
  if (::flock(journal_file_, LOCK_EX | LOCK_NB) != 0) {
    throw Error(ErrorKind::resource, path_ + ": another process is writing this file");
  }
  data_file_ = open_file(partial_);
  if (restart) {
    start();
  } else {
    recover();
  }
}

void ResumableFile::start() {
  cut(data_file_, 0, partial_);
  cut(journal_file_, 0, journal_);
  write_all(journal_file_, identity_ + "\n", journal_);
}

void ResumableFile::recover() {
  const std::string journal = read_whole(journal_file_, journal_);
  const std::size_t head = journal.find('\n');
  const auto records =
      head == std::string::npos ? std::vector<Record>{} : records_of(journal, head + 1);
  if (records.empty()) return start();
  if (journal.compare(0, head, identity_) != 0) {
    throw Error(ErrorKind::usage, path_ +
                                      ": an unfinished run with other options is there\n  its: " +
                                      journal.substr(0, head) + "\n  now: " + identity_ +
                                      "\nRepeat its options to finish it, or give --restart to "
                                      "discard it");
  }
  // The last record whose hash is that of the bytes it counts.
  Record last;
  std::uint64_t hash = kHashStart, position = 0;
  std::array<char, 65536> buffer{};
  for (const Record& record : records) {
    while (position < record.bytes) {
      const auto wanted = std::min<std::uint64_t>(buffer.size(), record.bytes - position);
      const std::size_t count = read_some(data_file_, buffer.data(), wanted, partial_);
      if (count == 0) break;
      hash = hash_bytes({buffer.data(), count}, hash);
      position += count;
    }
    if (position != record.bytes || hash != record.hash) break;
    last = record;
  }
  if (last.items == 0) return start();
  items_ = last.items;
  bytes_ = last.bytes;
  hash_ = last.hash;
  cut(data_file_, bytes_, partial_);
  cut(journal_file_, last.journal_end, journal_);
}

void ResumableFile::append(std::string_view bytes, std::size_t items) {
  write_all(data_file_, bytes, partial_);
  items_ += items;
  bytes_ += bytes.size();
  hash_ = hash_bytes(bytes, hash_);
  write_all(journal_file_, record_line(items_, bytes_, hash_), journal_);
  if (now() - last_sync_ > kSecondsBetweenSyncs) sync();
}

void ResumableFile::sync() {
  if (::fdatasync(data_file_) != 0) fail(partial_, "cannot write");
  if (::fdatasync(journal_file_) != 0) fail(journal_, "cannot write");
  last_sync_ = now();
}

void ResumableFile::write_compressed() const {
  if (::lseek(data_file_, 0, SEEK_SET) < 0) fail(partial_, "cannot read");
  Output output(path_);
  std::array<char, 65536> buffer{};
  while (const std::size_t count = read_some(data_file_, buffer.data(), buffer.size(), partial_)) {
    output << std::string_view(buffer.data(), count);
  }
  output.commit();
  (void)::unlink(partial_.c_str());
}

void ResumableFile::commit() {
  sync();
  if (path_.ends_with(".gz")) {
    write_compressed();
  } else if (std::rename(partial_.c_str(), path_.c_str()) != 0) {
    fail(path_, "cannot write");
  }
  (void)::unlink(journal_.c_str());
  (void)::close(std::exchange(data_file_, -1));
  (void)::close(std::exchange(journal_file_, -1));
  sync_folder_of(path_);
}

}  // namespace eco::io
