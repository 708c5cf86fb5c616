#include "io/output.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_text.h"

namespace eco::io {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18U;
constexpr std::size_t kLongestNumber = 32;

}  // namespace

struct Output::Compressor {
  Compressor() {
    constexpr int kGzip = 16 + MAX_WBITS;
    constexpr int kMemory = 8;  // zlib's default
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorKind::resource, "cannot start compression");
    }
  }
  ~Compressor() { deflateEnd(&stream); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // Compresses all of `text`; sink(std::string_view) takes what comes out.
  template <class Sink>
  void run(std::string& text, int mode, Sink sink) {
    std::array<char, 1U << 16U> out;
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      (void)deflate(&stream, mode);  // cannot fail with a valid stream and room for output
      sink(std::string_view(out.data(), out.size() - stream.avail_out));
    } while (stream.avail_out == 0);
  }

  z_stream stream{};
};

Output::Output() : in_memory_(true) {}

Output::Output(const std::string& path) {
  if (path != "-") file_ = std::make_unique<AtomicFile>(path);
  if (path.ends_with(".gz")) compressor_ = std::make_unique<Compressor>();
  buffer_.reserve(kBuffer + 64);
}

Output::~Output() = default;

Output& Output::operator<<(std::string_view text) {
  while (!in_memory_ && buffer_.size() + text.size() > kBuffer) {
    const std::size_t room = kBuffer - buffer_.size();
    buffer_ += text.substr(0, room);
    text.remove_prefix(room);
    flush();
  }
  buffer_ += text;
  return *this;
}

Output& Output::operator<<(double value) {
  if (!in_memory_ && buffer_.size() + kLongestNumber > kBuffer) flush();
  append_number(buffer_, value);
  return *this;
}

Output& Output::operator<<(std::int64_t value) {
  if (!in_memory_ && buffer_.size() + kLongestNumber > kBuffer) flush();
  append_number(buffer_, value);
  return *this;
}

void Output::write(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
    throw Error(ErrorKind::resource,
                std::string("cannot write to stdout: ") + std::strerror(errno));
  }
}

void Output::flush() {
  if (compressor_) {
    compressor_->run(buffer_, Z_NO_FLUSH, [this](std::string_view bytes) { write(bytes); });
  } else {
    write(buffer_);
  }
  buffer_.clear();
}

void Output::prepare() {
  if (std::exchange(prepared_, true)) return;
  flush();
  if (compressor_) {
    compressor_->run(buffer_, Z_FINISH, [this](std::string_view bytes) { write(bytes); });
  }
  if (file_) {
    file_->prepare();
  } else if (std::fflush(stdout) != 0) {
    throw Error(ErrorKind::resource,
                std::string("cannot write to stdout: ") + std::strerror(errno));
  }
}

void Output::commit() {
  prepare();
  if (file_) file_->commit();
}

}  // namespace eco::io
