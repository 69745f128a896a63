// SPDX-License-Identifier: MIT
// CSV and JSON: numbers come back bit for bit, text is escaped, misuse is refused.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "error.hpp"
#include "format/csv.hpp"
#include "format/json.hpp"

using namespace perilune::format;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> awkward_numbers() {
  std::vector<double> numbers = {
      0.0,    -0.0,   0.1,  1.0 / 3, 1e308,  -1.7976931348623157e308, 5e-324,
      3e-310, 1e22,   1e23, 123456,  -2.5e9, 9007199254740993.0,      2.2250738585072014e-308,
      1e-5,   4.35e17};
  std::uint64_t state = 12345;  // any bit patterns, to reach what nobody lists
  while (numbers.size() < 2000) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double number = std::bit_cast<double>(state ^ (state >> 29));
    if (std::isfinite(number)) numbers.push_back(number);
  }
  return numbers;
}

std::string csv(const Table& table) {
  std::ostringstream out;
  write_csv(table, out);
  return out.str();
}

std::string json(const Table& table) {
  std::ostringstream out;
  write_json(table, out);
  return out.str();
}

// The numbers of a text with the given separators, read by the C library.
std::vector<double> read_numbers(const std::string& text, char separator) {
  std::vector<double> numbers;
  std::istringstream in(text);
  for (std::string cell; std::getline(in, cell, separator);) numbers.push_back(std::strtod(cell.c_str(), nullptr));
  return numbers;
}

void require_same_bits(const std::vector<double>& actual, const std::vector<double>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("number " << i << " is " << expected[i]);
    REQUIRE(std::bit_cast<std::uint64_t>(actual[i]) == std::bit_cast<std::uint64_t>(expected[i]));
  }
}

// Runs the calls on a compact writer and returns the document.
template <class Calls>
std::string written(Calls calls, int indent = 0) {
  std::ostringstream out;
  JsonWriter writer(out, indent);
  calls(writer);
  return out.str();
}

}  // namespace

TEST_CASE("CSV numbers read back to the same bits", "[result][csv]") {
  const std::vector<double> numbers = awkward_numbers();
  const std::string text = csv({{{"x", "m", numbers}}});
  const std::size_t first = text.find('\n') + 1;
  CHECK(text.substr(0, first) == "x [m]\n");
  require_same_bits(read_numbers(text.substr(first), '\n'), numbers);
}

TEST_CASE("JSON numbers read back to the same bits", "[result][json]") {
  const std::vector<double> numbers = awkward_numbers();
  const std::string text = json({{{"x", "m", numbers}}});
  const std::size_t first = text.rfind('[') + 1;
  require_same_bits(read_numbers(text.substr(first, text.rfind(']', text.rfind(']') - 1) - first), ','), numbers);
  CHECK(json({{{"x", "", {-0.0}}}}).find("[-0.0]") != std::string::npos);
}

TEST_CASE("CSV quotes headings and names what is not finite", "[result][csv]") {
  const Table table{
      {{"t", "s", {0, 0.5}}, {"a \"b\", c", "m", {kNan, -kInfinity}}, {"line\nbreak", "", {1e100, kInfinity}}}};
  CHECK(csv(table) == "t [s],\"a \"\"b\"\", c [m]\",\"line\nbreak\"\n0,nan,1e+100\n0.5,-inf,inf\n");
  CHECK(csv({{{"x", "", {-kNan}}}}) == "x\nnan\n");
  CHECK(csv({}).empty());
}

TEST_CASE("Tables with columns of different lengths are refused", "[result]") {
  const Table ragged{{{"t", "s", {0, 1}}, {"x", "m", {0}}}};
  CHECK_THROWS_AS(csv(ragged), perilune::Error);
  CHECK_THROWS_AS(json(ragged), perilune::Error);
  CHECK_THROWS_WITH(csv(ragged), Catch::Contains("\"t\" has 2") && Catch::Contains("\"x\" has 1"));
}

TEST_CASE("A table as JSON", "[result][json]") {
  CHECK(json({{{"t", "s", {0, 0.1}}, {"x", "", {kNan, kInfinity}}}}) == R"({
  "columns": [
    {
      "name": "t",
      "unit": "s",
      "values": [0, 0.1]
    },
    {
      "name": "x",
      "unit": "",
      "values": [null, null]
    }
  ]
}
)");
}

TEST_CASE("JSON text is escaped", "[result][json]") {
  CHECK(json_string("a\"b\\c/d") == R"("a\"b\\c/d")");
  CHECK(json_string("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(json_string(std::string("\0\x1f\x7f", 3)) == R"("\u0000\u001f\u007f")");
  CHECK(json_string("</script>") == R"("\u003c/script>")");
  CHECK(json_string("θ 角 🌒") == "\"θ 角 🌒\"");
}

TEST_CASE("Malformed UTF-8 becomes replacement characters", "[result][json]") {
  const std::string mark = "\xEF\xBF\xBD";
  CHECK(json_string("a\xFFz") == "\"a" + mark + "z\"");
  CHECK(json_string("\x80") == "\"" + mark + "\"");
  CHECK(json_string("\xC0\xAF") == "\"" + mark + mark + "\"");                        // overlong
  CHECK(json_string("\xED\xA0\x80") == "\"" + mark + mark + mark + "\"");             // surrogate
  CHECK(json_string("\xF4\x90\x80\x80") == "\"" + mark + mark + mark + mark + "\"");  // past U+10FFFF
  CHECK(json_string("\xE8\xA7") == "\"" + mark + "\"");                               // cut short
  CHECK(json_string("\xE8\xA7x") == "\"" + mark + "x\"");
  CHECK(json_string("\xF4\x8F\xBF\xBF") == "\"\xF4\x8F\xBF\xBF\"");  // the last code point is fine
}

TEST_CASE("JSON values of every type", "[result][json]") {
  const auto all = [](JsonWriter& w) {
    w.begin_object().key("a").begin_array().value(1).value(std::int64_t{-9223372036854775807 - 1}).value(0.5);
    w.value(true).value("text").value(std::string("s")).null().value(kNan).value(-kInfinity).value(UINT64_MAX);
    w.begin_array().end_array().begin_object().end_object().end_array().key("b").value(false).end_object();
  };
  CHECK(written(all) == R"({"a":[1,-9223372036854775808,0.5,true,"text","s",null,null,null,18446744073709551615,)"
                        R"([],{}],"b":false})");
  const auto nested = [](JsonWriter& w) {
    w.begin_array().begin_array().value(1).value(2).end_array().begin_object().key("k").null().end_object().end_array();
  };
  CHECK(written(nested, 2) == "[\n  [1, 2],\n  {\n    \"k\": null\n  }\n]");
}

TEST_CASE("Misuse of the JSON writer is refused before anything is written", "[result][json]") {
  std::ostringstream out;
  JsonWriter w(out);
  CHECK_FALSE(w.complete());
  CHECK_THROWS_AS(w.key("outside"), std::logic_error);
  CHECK_THROWS_AS(w.end_array(), std::logic_error);
  w.begin_object();
  CHECK_THROWS_AS(w.value(1), std::logic_error);
  CHECK_THROWS_AS(w.begin_array(), std::logic_error);
  CHECK_THROWS_AS(w.end_array(), std::logic_error);
  w.key("a");
  CHECK_THROWS_AS(w.key("b"), std::logic_error);
  CHECK_THROWS_AS(w.end_object(), std::logic_error);
  w.begin_array();
  CHECK_THROWS_AS(w.key("in an array"), std::logic_error);
  CHECK_THROWS_AS(w.end_object(), std::logic_error);
  CHECK_FALSE(w.complete());
  w.end_array().end_object();
  CHECK(w.complete());
  CHECK_THROWS_AS(w.value(1), std::logic_error);
  CHECK_THROWS_AS(w.begin_object(), std::logic_error);
  CHECK(out.str() == "{\n  \"a\": []\n}");
  CHECK_THROWS_AS(JsonWriter(out, -1), std::logic_error);
}
