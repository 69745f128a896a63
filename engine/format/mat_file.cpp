// SPDX-License-Identifier: MIT
#include "format/mat_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <set>

#include "error.hpp"
#include "format/utf16.hpp"
#include "poll.hpp"

namespace perilune::format {

namespace {

static_assert(std::endian::native == std::endian::little, "files are written and read in this order of bytes");

// Types of data elements, and classes of arrays.
enum : std::uint32_t {
  Int8 = 1,
  UInt16 = 4,
  Int32 = 5,
  UInt32 = 6,
  Double = 9,
  Matrix = 14,
  Compressed = 15,
  Utf8 = 16
};
enum : std::uint32_t { CharClass = 4, DoubleClass = 6, LastNumericClass = 15 };
constexpr std::uint32_t complex_flag = 0x0800;
constexpr std::size_t header_size = 128, longest_name = 63;

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

void append(std::string& out, const void* data, std::size_t bytes) {
  out.append(static_cast<const char*>(data), bytes);
}

void append_tag(std::string& out, std::uint32_t type, std::size_t bytes) {
  const std::uint32_t tag[] = {type, static_cast<std::uint32_t>(bytes)};
  append(out, tag, sizeof tag);
}

template <class T>
void append_element(std::string& out, std::uint32_t type, const std::vector<T>& data) {
  const std::size_t bytes = data.size() * sizeof(T);
  append_tag(out, type, bytes);
  append(out, data.data(), bytes);
  out.append(padded(bytes) - bytes, '\0');
}

/// In pieces, between which Ctrl-C is heard.
void write_bytes(std::ostream& out, const void* data, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  const char* from = static_cast<const char*>(data);
  for (; bytes > piece; bytes -= piece, from += piece) out.write(from, piece);
  out.write(from, static_cast<std::streamsize>(bytes));
}

void write_matrix(std::ostream& out, const MatVariable& variable) {
  std::string head;
  append_element<std::uint32_t>(head, UInt32, {variable.is_text ? CharClass : DoubleClass, 0});
  append_element<std::int32_t>(head, Int32,
                               {static_cast<std::int32_t>(variable.rows), static_cast<std::int32_t>(variable.columns)});
  append_element(head, Int8, std::vector<char>(variable.name.begin(), variable.name.end()));
  std::vector<std::uint16_t> text;
  if (variable.is_text) text.assign(variable.values.begin(), variable.values.end());
  const std::size_t bytes = variable.is_text ? 2 * text.size() : sizeof(double) * variable.values.size();
  append_tag(head, variable.is_text ? UInt16 : Double, bytes);
  const std::size_t size = head.size() + padded(bytes);
  if (size > 0xffffffffu) throw Error("'" + variable.name + "' has more than the 4 GB that such a file holds");
  std::string tag;
  append_tag(tag, Matrix, size);
  write_bytes(out, tag.data(), tag.size());
  write_bytes(out, head.data(), head.size());
  write_bytes(out, variable.is_text ? static_cast<const void*>(text.data()) : variable.values.data(), bytes);
  out << std::string(padded(bytes) - bytes, '\0');
}

/// A data element: its type, its bytes, and where the next one starts.
struct Element {
  std::uint32_t type = 0;
  std::string_view data;
};

class ElementReader {
 public:
  explicit ElementReader(std::string_view bytes) : rest_(bytes) {}
  bool is_done() const { return rest_.empty(); }

  Element next() {
    const auto first = number<std::uint32_t>(rest_, 0);
    if (first > 0xffff) {  // small: the count stands in the upper half, the data in the tag
      const std::size_t count = first >> 16;
      if (count > 4) throw broken();
      return {first & 0xffff, take(8).substr(4, count)};
    }
    const std::size_t count = number<std::uint32_t>(rest_, 4);
    take(8);
    // Only the last element, and compressed ones, may end without padding.
    const std::size_t whole = first == Compressed ? count : std::min(padded(count), rest_.size());
    if (count > rest_.size()) throw broken();
    return {first, take(whole).substr(0, count)};
  }

  template <class T>
  static T number(std::string_view bytes, std::size_t at) {
    if (bytes.size() < at + sizeof(T)) throw broken();
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  static Error broken() { return Error("the file ends in the middle, or is damaged"); }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw broken();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

template <class T>
std::vector<double> as_doubles(std::string_view data) {
  std::vector<double> out;
  out.reserve(data.size() / sizeof(T));
  Poll poll;
  for (std::size_t at = 0; at + sizeof(T) <= data.size(); at += sizeof(T)) {
    poll();
    out.push_back(static_cast<double>(ElementReader::number<T>(data, at)));
  }
  return out;
}

std::vector<double> numbers(const Element& element) {
  switch (element.type) {
    case 1:
      return as_doubles<std::int8_t>(element.data);
    case 2:
      return as_doubles<std::uint8_t>(element.data);
    case 3:
      return as_doubles<std::int16_t>(element.data);
    case UInt16:
    case 17:  // UTF-16
      return as_doubles<std::uint16_t>(element.data);
    case Int32:
      return as_doubles<std::int32_t>(element.data);
    case UInt32:
      return as_doubles<std::uint32_t>(element.data);
    case 7:
      return as_doubles<float>(element.data);
    case Double:
      return as_doubles<double>(element.data);
    case 12:
      return as_doubles<std::int64_t>(element.data);
    case 13:
      return as_doubles<std::uint64_t>(element.data);
    default:
      throw ElementReader::broken();
  }
}

MatVariable variable_of(std::string_view body) {
  ElementReader reader(body);
  const auto flags = ElementReader::number<std::uint32_t>(reader.next().data, 0);
  const std::uint32_t kind = flags & 0xff;
  const std::vector<double> sizes = numbers(reader.next());
  MatVariable out;
  out.name = std::string(reader.next().data);
  const auto only = [&](const std::string& what) {
    return Error("variable '" + out.name + "' is " + what + "; only real matrices and text are read: save those alone");
  };
  if (kind != CharClass && (kind < DoubleClass || kind > LastNumericClass)) {
    static const char* names[] = {"unknown", "a cell array", "a struct", "an object", "", "sparse"};
    throw only(kind < 6 ? names[kind] : "of an unknown class");
  }
  if (flags & complex_flag) throw only("complex");
  if (std::any_of(sizes.begin(), sizes.end(), [](double n) { return n < 0; })) throw ElementReader::broken();
  if (sizes.size() != 2) throw only("an array of " + std::to_string(sizes.size()) + " dimensions");
  out.rows = static_cast<std::size_t>(sizes[0]);
  out.columns = static_cast<std::size_t>(sizes[1]);
  out.is_text = kind == CharClass;
  if (out.rows * out.columns > 0 || !reader.is_done()) {
    const Element element = reader.next();
    const auto text = element.type == Utf8 ? utf16_of(element.data) : std::vector<std::uint16_t>();
    out.values = element.type == Utf8 ? std::vector<double>(text.begin(), text.end()) : numbers(element);
  }
  if (static_cast<double>(out.values.size()) != sizes[0] * sizes[1]) throw ElementReader::broken();
  return out;
}

}  // namespace

void write_mat(const std::vector<MatVariable>& variables, std::ostream& out) {
  std::string text = "MATLAB 5.0 MAT-file, written by Perilune";
  text.resize(124, ' ');
  const std::uint16_t version[] = {0x0100, 0x4d49};  // "MI", which tells the order of bytes
  append(text, version, sizeof version);
  write_bytes(out, text.data(), text.size());
  for (const MatVariable& variable : variables) write_matrix(out, variable);
}

std::string mat_name(std::string_view name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (out.empty() || !std::isalpha(static_cast<unsigned char>(out[0]))) out = "x" + out;
  return out.substr(0, longest_name);
}

std::vector<MatVariable> mat_variables(const Table& table) {
  std::vector<MatVariable> out;
  std::set<std::string> names;
  for (const Column& column : table.columns) {
    out.push_back({mat_name(column.name), column.values.size(), 1, column.values});
    if (!names.insert(out.back().name).second) {
      throw Error("two signals would be called " + out.back().name + " in Octave; write them to files of their own");
    }
  }
  return out;
}

std::vector<MatVariable> read_mat(std::string_view bytes) {
  if (bytes.size() < header_size || bytes.substr(126, 2) != "IM" || bytes.substr(0, 6) != "MATLAB") {
    throw Error("this is no file of level 5 of Octave or MATLAB; write it with: save -v6 file names");
  }
  std::vector<MatVariable> out;
  for (ElementReader reader(bytes.substr(header_size)); !reader.is_done();) {
    const Element element = reader.next();
    if (element.type == Compressed) throw Error("the file is compressed; write it with: save -v6 file names");
    if (element.type != Matrix) throw ElementReader::broken();
    out.push_back(variable_of(element.data));
  }
  return out;
}

}  // namespace perilune::format
