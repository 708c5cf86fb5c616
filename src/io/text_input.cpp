#include "io/text_input.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace eco::io {

namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 16U;
constexpr std::size_t kHead = std::size_t{1} << 15U;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlank = " \t\r\n\v\f";

}  // namespace

TextInput::TextInput(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(kFirstBuffer) {}

bool TextInput::fill() {
  if (ended_) return false;
  if (begin_ > 0 && end_ == buffer_.size()) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kMaxLine) {
      ++number_;
      throw error("a line of more than " + std::to_string(kMaxLine) + " bytes", "shorter lines");
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t count = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  ended_ = count == 0;
  return !ended_;
}

void TextInput::skip_mark() {
  if (std::exchange(started_, true)) return;
  while (end_ - begin_ < kByteOrderMark.size() && fill()) {
  }
  if (std::string_view(buffer_.data() + begin_, end_ - begin_).starts_with(kByteOrderMark)) {
    begin_ += kByteOrderMark.size();
  }
}

std::string_view TextInput::head() {
  skip_mark();
  for (;;) {
    const std::string_view unread(buffer_.data() + begin_, end_ - begin_);
    const bool shown = unread.find_first_not_of(kBlank) != std::string_view::npos;
    if (shown || unread.size() >= kHead || !fill()) return unread;
  }
}

std::optional<std::string_view> TextInput::line() {
  if (std::exchange(again_, false)) return last_;
  skip_mark();
  std::size_t searched = 0;  // bytes of the unread part known to hold no line end
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const auto* stop =
        static_cast<const char*>(std::memchr(start + searched, '\n', end_ - begin_ - searched));
    searched = end_ - begin_;
    if (stop == nullptr && fill()) continue;
    if (stop == nullptr && searched == 0) return std::nullopt;
    start = buffer_.data() + begin_;
    last_ = {start, stop == nullptr ? searched : static_cast<std::size_t>(stop - start)};
    begin_ += last_.size() + (stop == nullptr ? 0 : 1);
    ++number_;
    if (last_.ends_with('\r')) last_.remove_suffix(1);
    return last_;
  }
}

}  // namespace eco::io
