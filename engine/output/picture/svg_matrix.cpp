// SPDX-License-Identifier: MIT
#include "output/picture/svg_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "error.hpp"
#include "output/picture/svg_canvas.hpp"

namespace perilune::output {

namespace {

using Eigen::Index;
using Rgb = std::array<double, 3>;  // from 0 to 1

// The first two of Okabe and Ito's colours, which colour-blind readers tell apart.
constexpr Rgb kNegative = {0, 114 / 255.0, 178 / 255.0}, kPositive = {213 / 255.0, 94 / 255.0, 0};
constexpr double kCell = 62, kLabel = 12, kNote = 10, kLongestName = 220;
constexpr std::string_view kNoNumber = "fill=\"#e4e4e4\" stroke=\"#ccc\"";

Rgb colour_of(double value) {
  const Rgb& end = value < 0 ? kNegative : kPositive;
  const double share = std::min(1.0, std::abs(value));
  Rgb mixed{};
  for (std::size_t k = 0; k < mixed.size(); ++k) mixed[k] = 1 + share * (end[k] - 1);
  return mixed;
}

std::string hex(const Rgb& colour) {
  std::array<char, 8> text{};
  const auto byte = [](double part) { return static_cast<unsigned>(std::lround(255 * part)); };
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", byte(colour[0]), byte(colour[1]), byte(colour[2]));
  return text.data();
}

// Black and white have the same contrast with a relative luminance of 0.179 (Web Content Accessibility Guidelines 2.1).
std::string_view ink_on(const Rgb& colour) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  const double luminance = 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  return luminance > 0.179 ? "fill=\"#000\"" : "fill=\"#fff\"";
}

void draw_scale(SvgCanvas& svg, double x, double top, double height) {
  constexpr int steps = 40;
  constexpr double width = 14;
  for (int k = 0; k < steps; ++k) {
    const double value = 1 - 2 * (k + 0.5) / steps;
    // A little more than its share, lest the background shows between two of them.
    svg.rectangle(x, top + height * k / steps, width, height / steps + (k + 1 < steps ? 0.5 : 0),
                  "fill=\"" + hex(colour_of(value)) + "\"");
  }
  svg.rectangle(x, top, width, height, "fill=\"none\" stroke=\"#444\"");
  for (const int value : {1, 0, -1}) {
    svg.text(x + width + 6, top + height * (1 - value) / 2 + 4, "start", with_minus_signs(std::to_string(value)));
  }
}

}  // namespace

std::string correlation_number(double value) {
  std::array<char, 32> text{};
  for (int decimals = 2; decimals <= 5; ++decimals) {
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    if (std::abs(value) >= 1 || std::abs(std::strtod(text.data(), nullptr)) < 1) break;
  }
  const std::string number = text.data();
  return with_minus_signs(number == "-0.00" ? "0.00" : number);
}

std::string svg_correlation(const CorrelationPicture& picture) {
  const std::size_t n = picture.names.size();
  const auto size = static_cast<Index>(n);
  if (picture.unknown.size() != n || picture.values.rows() != size || picture.values.cols() != size) {
    throw Error("a picture of correlations of " + std::to_string(n) + " names needs as many rows, columns and notes.");
  }
  double longest = 30;
  for (std::size_t k = 0; k < n; ++k) {
    longest = std::max({longest, text_width(picture.names[k], kLabel), text_width(picture.unknown[k], kNote)});
  }
  longest = std::ceil(std::min(longest, kLongestName));
  const double left = 12 + longest + 10, side = kCell * static_cast<double>(n);
  const double head = picture.title.empty() ? 8 : 34, top = head + longest + 10;
  const int width = std::max(320, static_cast<int>(left + side + 64)), height = static_cast<int>(top + side + 14);
  SvgCanvas svg(width, height, picture.title);
  if (!picture.title.empty()) {
    svg.text(width / 2.0, 22, "middle", fit_text(picture.title, 16, width - 20),
             "font-size=\"15\" font-weight=\"bold\"");
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double middle = kCell * (static_cast<double>(k) + 0.5);
    const bool is_noted = !picture.unknown[k].empty();
    const std::string name = fit_text(picture.names[k], kLabel, longest + 0.01);
    svg.text(left - 8, top + middle + (is_noted ? -2 : 4), "end", name);
    if (is_noted) {
      svg.text(left - 8, top + middle + 12, "end", fit_text(picture.unknown[k], kNote, longest + 0.01),
               "font-size=\"10\" fill=\"#666\"");
    }
    svg.text(left + middle + 4, top - 8, "start", name, "", -90);
  }
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      const double x = left + kCell * static_cast<double>(j), y = top + kCell * static_cast<double>(i);
      const double value = picture.values(i, j);
      const bool is_known = std::isfinite(value) && picture.unknown[static_cast<std::size_t>(i)].empty() &&
                            picture.unknown[static_cast<std::size_t>(j)].empty();
      if (!is_known) {
        svg.rectangle(x, y, kCell, kCell, kNoNumber);
        svg.text(x + kCell / 2, y + kCell / 2 + 4, "middle", "?", "fill=\"#666\"");
        continue;
      }
      const Rgb colour = colour_of(value);
      svg.rectangle(x, y, kCell, kCell, "fill=\"" + hex(colour) + "\" stroke=\"#ccc\"");
      svg.text(x + kCell / 2, y + kCell / 2 + 4, "middle", correlation_number(value), ink_on(colour));
    }
  }
  svg.rectangle(left, top, side, side, "fill=\"none\" stroke=\"#444\"");
  draw_scale(svg, left + side + 16, top, side);
  return std::move(svg).finish();
}

}  // namespace perilune::output
