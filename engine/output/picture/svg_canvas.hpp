// SPDX-License-Identifier: MIT
// The few SVG elements that a plot is made of.
#pragma once
#include <string>
#include <string_view>

namespace perilune::output {

/// The estimated width, in pixels, of text in a common sans-serif font.
double text_width(std::string_view text, double font_size);

/// The text cut with an ellipsis to the estimated width.
std::string fit_text(std::string_view text, double font_size, double width);

/// Collects elements; every text argument is escaped here, except where a parameter is called markup.
class SvgCanvas {
 public:
  SvgCanvas(int width, int height, std::string_view accessible_title);

  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void rectangle(double x, double y, double width, double height, std::string_view style);
  void circle(double x, double y, double radius, std::string_view style);
  void path(std::string_view data, std::string_view style);
  /// `anchor` is start, middle or end; `angle` in degrees turns the text around its position.
  void text(double x, double y, std::string_view anchor, std::string_view content, std::string_view style = "",
            double angle = 0);
  /// As text(), for content that is markup already, such as the result of power().
  void markup(double x, double y, std::string_view anchor, std::string_view content, std::string_view style = "",
              double angle = 0);
  /// Closes the document and hands it over.
  std::string finish() &&;

  /// base^exponent as markup, raised by means that every renderer knows.
  static std::string power(std::string_view base, std::string_view exponent);

 private:
  std::string out_;
};

/// A coordinate as SVG text: a hundredth of a pixel is enough.
std::string coordinate(double value);

/// The text with typographic minus signs.
std::string with_minus_signs(std::string_view text);

}  // namespace perilune::output
