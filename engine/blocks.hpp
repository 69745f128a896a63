// SPDX-License-Identifier: MIT
// A record that grows with a run. It does not move what it holds: to copy some hundred megabytes into a vector of twice
// the size takes longer than whoever presses Ctrl-C should wait.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace perilune {

inline constexpr std::size_t block_bytes = std::size_t{1} << 20;  // of most blocks, where a row is not larger

/// Rows of equally many values, behind each other within blocks. Rows keep their place but for those of the first
/// block, which grows as a vector does, so that short records are small.
template <class T>
class Blocks {
 public:
  explicit Blocks(std::size_t width = 1)
      : width_(width),
        bits_(static_cast<int>(std::bit_width(
                  std::max<std::size_t>(block_bytes / (std::max<std::size_t>(width, 1) * sizeof(T)), 1))) -
              1) {}

  /// Rows.
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  T* row(std::size_t k) { return blocks_[k >> bits_].data() + within(k) * width_; }
  const T* row(std::size_t k) const { return blocks_[k >> bits_].data() + within(k) * width_; }
  // Of rows of one value.
  T& operator[](std::size_t k) { return *row(k); }
  const T& operator[](std::size_t k) const { return *row(k); }
  T& back() { return *row(size_ - 1); }

  /// One more row, of default values.
  T* append() {
    std::vector<T>& block = block_of(size_);
    const std::size_t before = block.size();
    block.resize(before + width_);
    ++size_;
    return block.data() + before;
  }
  /// One more row of one value.
  void push_back(T value) {
    block_of(size_).push_back(std::move(value));
    ++size_;
  }

  /// No allocations for so many rows in all.
  void reserve(std::size_t rows) {
    for (std::size_t k = 0; k < rows; k += rows_per_block()) {
      if (k >> bits_ == blocks_.size()) blocks_.emplace_back();
      blocks_[k >> bits_].reserve(std::min(rows - k, rows_per_block()) * width_);
    }
  }
  /// Forgets all but the first rows, and keeps the memory.
  void truncate(std::size_t rows) {
    while (size_ > rows) {
      const std::size_t first = std::max((size_ - 1) >> bits_ << bits_, rows);
      blocks_[first >> bits_].resize(within(first) * width_);
      size_ = first;
    }
  }

 private:
  std::size_t rows_per_block() const { return std::size_t{1} << bits_; }
  std::size_t within(std::size_t k) const { return k & (rows_per_block() - 1); }
  std::vector<T>& block_of(std::size_t k) {
    if (k >> bits_ == blocks_.size()) {
      blocks_.emplace_back();
      if (k > 0) blocks_.back().reserve(rows_per_block() * width_);
    }
    return blocks_[k >> bits_];
  }

  std::size_t width_, size_ = 0;
  int bits_;  // of the number of rows of a block, a power of two
  std::vector<std::vector<T>> blocks_;
};

/// Stretches of values, each of its own length, that keep their places.
template <class T>
class Stretches {
 public:
  /// Of default values.
  std::span<T> append(std::size_t count) {
    while (used_ < blocks_.size() && blocks_[used_].size() + count > blocks_[used_].capacity()) ++used_;
    if (used_ == blocks_.size()) {
      blocks_.emplace_back();
      blocks_.back().reserve(std::max(count, std::min(std::max(size_, block_bytes / 256), block_bytes / sizeof(T))));
    }
    std::vector<T>& block = blocks_[used_];
    const std::size_t before = block.size();
    block.resize(before + count);
    size_ += count;
    return {block.data() + before, count};
  }
  /// Values, of all stretches.
  std::size_t size() const { return size_; }
  /// Forgets all of them, and keeps the memory.
  void clear() {
    for (std::vector<T>& block : blocks_) block.clear();
    used_ = size_ = 0;
  }

 private:
  std::vector<std::vector<T>> blocks_;
  std::size_t used_ = 0, size_ = 0;  // the block that is being filled
};

}  // namespace perilune
