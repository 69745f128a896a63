// SPDX-License-Identifier: MIT
// Records that grow by blocks.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "blocks.hpp"

using perilune::Blocks;
using perilune::Stretches;

TEST_CASE("rows keep their values while a record grows, shrinks and grows again", "[blocks]") {
  for (const std::size_t width : {1, 3, 7, 200000}) {  // the last: a row is larger than a block
    INFO("rows of " << width);
    Blocks<double> record(width);
    const std::size_t rows = width > 1000 ? 5 : 400000 / width;
    const auto fill = [&](std::size_t from) {
      for (std::size_t k = from; k < rows; ++k) {
        double* row = record.append();
        row[0] = static_cast<double>(k);
        row[width - 1] = static_cast<double>(k);
      }
    };
    const auto is_right = [&] {
      for (std::size_t k = 0; k < record.size(); ++k) {
        if (record.row(k)[0] != static_cast<double>(k) || record.row(k)[width - 1] != static_cast<double>(k))
          return false;
      }
      return true;
    };
    fill(0);
    CHECK(record.size() == rows);
    CHECK(is_right());
    for (const std::size_t left : {rows - 1, rows / 2, std::size_t{1}, std::size_t{0}}) {
      record.truncate(left);
      CHECK(record.size() == left);
      CHECK(is_right());
      fill(left);
      CHECK(record.size() == rows);
      CHECK(is_right());
    }
  }
}

TEST_CASE("a record grows without moving rows of its later blocks", "[blocks]") {
  Blocks<double> record(2);
  std::vector<double*> places;
  for (int k = 0; k < 300000; ++k) places.push_back(record.append());
  const std::size_t first_block = perilune::block_bytes / (2 * sizeof(double));
  for (std::size_t k = first_block; k < record.size(); ++k) REQUIRE(record.row(k) == places[k]);
}

TEST_CASE("rows of no values are counted", "[blocks]") {
  Blocks<double> record(0);
  for (int k = 0; k < 5; ++k) record.append();
  CHECK(record.size() == 5);
  record.truncate(2);
  CHECK(record.size() == 2);
}

TEST_CASE("records of objects end the life of what they forget", "[blocks]") {
  const auto object = std::make_shared<const std::string>("held");
  Blocks<std::shared_ptr<const std::string>> record;
  record.reserve(100000);
  for (int k = 0; k < 100000; ++k) record.push_back(object);
  CHECK(object.use_count() == 100001);
  CHECK(*record.back() == "held");
  record.truncate(10);
  CHECK(object.use_count() == 11);
  const Blocks<std::shared_ptr<const std::string>> copy = record;
  CHECK(object.use_count() == 21);
  CHECK(*copy[9] == "held");
}

TEST_CASE("stretches of any length keep their places", "[blocks]") {
  Stretches<double> record;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::span<double>> all;
    std::size_t sum = 0;
    for (std::size_t k = 0; k < 2000; ++k) {
      const std::size_t count = k == 1000 ? 300000 : k % 700;  // one is larger than a block
      all.push_back(record.append(count));
      REQUIRE(all.back().size() == count);
      std::fill(all.back().begin(), all.back().end(), static_cast<double>(k));
      sum += count;
    }
    CHECK(record.size() == sum);
    for (std::size_t k = 0; k < all.size(); ++k) {
      REQUIRE(std::all_of(all[k].begin(), all[k].end(), [&](double x) { return x == static_cast<double>(k); }));
    }
    record.clear();
    CHECK(record.size() == 0);
  }
}
