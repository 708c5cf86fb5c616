#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace eco::io {

namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(path) {
    if (path == "-") {
      handle_ = STDIN_FILENO;
      return;
    }
    handle_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle_ < 0) throw input_error({path, 0}, std::string("cannot open: ") + reason());
    struct stat status {};
    if (::fstat(handle_, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(handle_);
      throw input_error({path, 0}, "found a folder, expected a file");
    }
  }
  ~FileSource() override {
    if (handle_ != STDIN_FILENO) ::close(handle_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    for (;;) {
      const ssize_t count = ::read(handle_, out, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) {
        throw Error(ErrorKind::resource, name_ + ": cannot read: " + reason());
      }
    }
  }

 private:
  static std::string reason() { return std::strerror(errno); }

  std::string name_;
  int handle_ = -1;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : left_(bytes) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = left_.copy(out, size);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
};

// Bytes that were taken from a source to look at them, followed by the rest of it.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}
  std::size_t read(char* out, std::size_t size) override {
    if (used_ == prefix_.size()) return rest_->read(out, size);
    const std::size_t count = prefix_.copy(out, size, used_);
    used_ += count;
    return count;
  }

 private:
  std::string prefix_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

// One or more gzip members, as `cat a.gz b.gz` makes them.
class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> compressed, std::string name)
      : compressed_(std::move(compressed)), name_(std::move(name)), buffer_(kBuffer) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw Error(ErrorKind::resource, name_ + ": cannot start decompression");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    // zlib counts in 32 bits.
    const auto room = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30U));
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = room;
    while (stream_.avail_out == room && !finished_) advance();
    return room - stream_.avail_out;
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16U;

  bool refill() {
    if (stream_.avail_in > 0) return true;
    const std::size_t count = compressed_->read(buffer_.data(), buffer_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  void advance() {
    if (!refill()) {
      if (!between_members_) throw input_error({name_, 0}, "the gzip stream ends too early");
      finished_ = true;
      return;
    }
    if (between_members_) {
      inflateReset(&stream_);
      between_members_ = false;
    }
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw Error(ErrorKind::resource, name_ + ": not enough memory to decompress");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw input_error({name_, 0}, std::string("damaged gzip stream: ") +
                                        (stream_.msg == nullptr ? "bad data" : stream_.msg));
    }
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string name_;
  std::vector<char> buffer_;
  z_stream stream_{};
  bool between_members_ = false;
  bool finished_ = false;
};

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw, const std::string& name) {
  std::string start(2, '\0');
  std::size_t count = 0;
  while (count < start.size()) {
    const std::size_t more = raw->read(start.data() + count, start.size() - count);
    if (more == 0) break;
    count += more;
  }
  start.resize(count);
  const bool gzip = start == "\x1f\x8b";
  auto whole = std::make_unique<PrefixedSource>(std::move(start), std::move(raw));
  if (!gzip) return whole;
  return std::make_unique<GzipSource>(std::move(whole), name);
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  return decompressed(std::make_unique<FileSource>(path), path == "-" ? "stdin" : path);
}

std::unique_ptr<ByteSource> bytes_in(std::string_view bytes, const std::string& name) {
  return decompressed(std::make_unique<MemorySource>(bytes), name);
}

}  // namespace eco::io
