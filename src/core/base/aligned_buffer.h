#pragma once
// Arrays on a 64-byte boundary for SIMD kernels: one of a fixed size, zeroed, of trivially copyable
// values, and a vector.

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace eco {

template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t kAlignment = 64;

  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size)
      : data_(static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{kAlignment}))),
        size_(size) {
    std::memset(data_.get(), 0, size * sizeof(T));
  }
  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(T* data) const { ::operator delete (data, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  AlignedAllocator() = default;
  template <class Other>
  explicit AlignedAllocator(const AlignedAllocator<Other>& /*other*/) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* data, std::size_t /*count*/) { ::operator delete(data, kAlignment); }
  friend bool operator==(const AlignedAllocator& /*a*/, const AlignedAllocator& /*b*/) {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace eco
