// SPDX-License-Identifier: MIT
// Numbers, texts and matrices as bytes, for processes of the same program: numbers come back to the same bits.
// One function serves both directions:
//   template <class A> void archive_fields(A& archive, Result& r) { archive(r.x, r.value, r.history); }
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "error.hpp"

namespace perilune::ranks {

template <bool Reads>
class Archive {
 public:
  static constexpr bool reads = Reads;
  Archive() = default;
  explicit Archive(std::string_view bytes) : bytes_(bytes) {}

  template <class... Items>
  void operator()(Items&... items) {
    (item(items), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void raw(void* at, std::size_t count) {
    if constexpr (Reads) {
      if (bytes_.size() - next_ < count) throw Error("a message between processes ends too early");
      if (count > 0) std::memcpy(at, bytes_.data() + next_, count);
      next_ += count;
    } else {
      bytes_.append(static_cast<const char*>(at), count);
    }
  }
  std::size_t size(std::size_t now) {
    std::uint64_t number = now;
    raw(&number, sizeof number);
    return static_cast<std::size_t>(number);
  }

  template <class Item>
  void item(Item& value) {
    if constexpr (std::is_arithmetic_v<Item> || std::is_enum_v<Item>) {
      raw(&value, sizeof value);
    } else {
      archive_fields(*this, value);
    }
  }
  void item(std::string& text) {
    const std::size_t count = size(text.size());
    if constexpr (Reads) text.resize(count);
    raw(text.data(), count);
  }
  template <int Rows, int Columns>
  void item(Eigen::Matrix<double, Rows, Columns>& m) {
    const std::size_t rows = size(static_cast<std::size_t>(m.rows()));
    const std::size_t columns = size(static_cast<std::size_t>(m.cols()));
    if constexpr (Reads) m.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    raw(m.data(), rows * columns * sizeof(double));
  }
  template <class Item>
  void item(std::vector<Item>& list) {
    const std::size_t count = size(list.size());
    if constexpr (Reads) list.resize(count);
    for (Item& value : list) item(value);
  }
  template <class Item>
  void item(std::optional<Item>& maybe) {
    bool is_there = maybe.has_value();
    raw(&is_there, sizeof is_there);
    if constexpr (Reads) {
      if (is_there) maybe.emplace();
    }
    if (is_there) item(*maybe);
  }

  std::string bytes_;
  std::size_t next_ = 0;
};

template <class Item>
std::string packed(const Item& item) {
  Archive<false> archive;
  archive(const_cast<Item&>(item));  // one function serves both directions; this one only reads it
  return archive.bytes();
}

template <class Item>
Item unpacked(std::string_view bytes) {
  Item item;
  Archive<true> archive(bytes);
  archive(item);
  return item;
}

}  // namespace perilune::ranks
