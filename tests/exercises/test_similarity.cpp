// SPDX-License-Identifier: MIT
// Which scripts are said to be similar: copies with other names, and not solutions by other ways.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "course/similarity.hpp"

using namespace perilune::lua;

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string original = R"(
local mbs = require "perilune"
local function total(list)
  local sum = 0
  for i, value in ipairs(list) do sum = sum + value * i end
  return sum
end
local answers = {}
for k = 1, 10 do answers[k] = total { k, k ^ 2, 3.5 } end
if #answers > 5 then print("done", answers[1]) end
return { answers = answers, first = answers[1], total = total }
)";

const std::string copy = R"(
--[[ my own
work ]] local  P=require [==[perilune]==]; -- really
local function summe(l) local s = 0x1F
  for j, w in ipairs(l) do s = s + w * j end; return s end
local e = {}
for n = 2.5e-3, 7 do e[n] = summe { n, n ^ 4, .5 } end
if #e > 1 then print('fertig', e[3]) end
return { loesung = e, erste = e[2], summe = summe }
)";

const std::string different = R"(
local mbs = require "perilune"
local answers = {}
local k = 0
repeat
  k = k + 1
  local sum = k + 2 * k ^ 2
  sum = sum + 3 * 3.5
  answers[#answers + 1] = sum
until k >= 10
answers.first, answers.count = answers[1], #answers
while k > 0 do k = k - 1 end
return answers
)";

}  // namespace

TEST_CASE("names, numbers, texts, comments and layout do not hide a copy", "[similarity]") {
  const auto found = similar_scripts({different, original, copy}, "");
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == 1);
  CHECK(found[0].second == 2);
  CHECK(found[0].share == 1);
}

TEST_CASE("what the starter has does not count", "[similarity]") {
  CHECK(similar_scripts({original, copy}, original).empty());
  CHECK(similar_scripts({original + different, copy}, original).empty());
  CHECK(similar_scripts({original + different, copy + different}, original).size() == 1);
}

TEST_CASE("short scripts, long ones, and what is no Lua are not compared or do no harm", "[similarity]") {
  CHECK(similar_scripts({"return { 1, 2, 3, 4, 5, 6, 7, 8 }", "return { 1, 2, 3, 4, 5, 6, 7, 8 }"}, "").empty());
  const std::string unit = original + " ";
  std::string large;
  while (large.size() <= longest_compared) large += unit;
  CHECK(similar_scripts({large, large}, "").empty());
  for (const char* wrong : {"", "\"", "'\\", "[[", "[==[ x", "--[[", "--", "0x", "1e+", "[=", "\xff\xfe\x00", "..."}) {
    CHECK(similar_scripts({original + wrong, copy + wrong}, "").size() == 1);
    CHECK(same_tokens(wrong, wrong));
  }
}

TEST_CASE("the same but for comments and layout", "[similarity]") {
  CHECK(same_tokens("return  {a=1} -- x", "return { a = 1 }\n"));
  CHECK_FALSE(same_tokens("return { a = 1 }", "return { a = 2 }"));
  CHECK_FALSE(same_tokens("return { a = 1 }", "return { a = 1 } return"));
}

// What docs/howto/teaching.md says of the threshold.
TEST_CASE("copies with one mistake are found, and solutions by other ways mostly not", "[similarity]") {
  const fs::path scripts = EXERCISE_SCRIPTS;
  int mistaken = 0, found_mistaken = 0, others = 0, found_others = 0;
  for (const auto& each : fs::directory_iterator(scripts / "exercises")) {
    if (!each.is_directory()) continue;
    const std::string starter = text_of(each.path() / "starter.lua");
    const std::string reference = text_of(scripts / "teacher" / (each.path().filename().string() + ".lua"));
    const auto count = [&](const char* folder, int& all, int& found) {
      std::error_code failure;
      for (const auto& script : fs::directory_iterator(each.path() / folder, failure)) {
        ++all;
        found += static_cast<int>(similar_scripts({reference, text_of(script.path())}, starter).size());
      }
    };
    count("wrong", mistaken, found_mistaken);
    count("right", others, found_others);
  }
  REQUIRE(mistaken >= 250);
  REQUIRE(others >= 10);
  CHECK(found_mistaken >= 0.95 * mistaken);
  CHECK(found_others <= 0.1 * others);
}
