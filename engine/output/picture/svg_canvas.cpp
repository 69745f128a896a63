// SPDX-License-Identifier: MIT
#include "output/picture/svg_canvas.hpp"

#include "format/text.hpp"

namespace perilune::output {

using namespace format;
namespace {

// In units of the font size, on the generous side: a label that is narrower than estimated only gains some air.
double character_width(char32_t c) {
  const std::u32string_view narrow = U"iIjlft.,:;|!'()[]/ ";
  if (narrow.find(c) != std::u32string_view::npos) return 0.36;
  if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@' || c == '%') return 0.92;
  if (c >= 'A' && c <= 'Z') return 0.70;
  if (c < 0x80) return 0.59;
  std::string encoded;
  append_utf8(encoded, c);
  return 0.62 * terminal_width(encoded);
}

void attribute(std::string& out, std::string_view name, double value) {
  out.append(" ").append(name).append("=\"").append(coordinate(value)).append("\"");
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for (std::size_t i = 0; i < text.size();) width += character_width(next_code_point(text, i));
  return width * font_size;
}

std::string fit_text(std::string_view text, double font_size, double width) {
  if (text_width(text, font_size) <= width) return std::string(text);
  std::string cut;
  double used = font_size;  // the ellipsis
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    used += character_width(c) * font_size;
    if (used > width) break;
    append_utf8(cut, c);
  }
  return cut + "…";
}

std::string coordinate(double value) {
  std::string text = fixed(value, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text.empty() || text == "-" ? "0" : text;
}

std::string with_minus_signs(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '-') {
      result += "−";
    } else {
      result += c;
    }
  }
  return result;
}

SvgCanvas::SvgCanvas(int width, int height, std::string_view accessible_title) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + w + "\" height=\"" + h +
         "\" viewBox=\"0 0 " + w + " " + h +
         "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#222\">\n";
  if (!accessible_title.empty()) out_ += "<title>" + xml_text(accessible_title) + "</title>\n";
  out_ += "<rect width=\"" + w + "\" height=\"" + h + "\" fill=\"#fff\"/>\n";
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view style) {
  out_ += "<line";
  attribute(out_, "x1", x1);
  attribute(out_, "y1", y1);
  attribute(out_, "x2", x2);
  attribute(out_, "y2", y2);
  out_.append(" ").append(style).append("/>\n");
}

void SvgCanvas::rectangle(double x, double y, double width, double height, std::string_view style) {
  out_ += "<rect";
  attribute(out_, "x", x);
  attribute(out_, "y", y);
  attribute(out_, "width", width);
  attribute(out_, "height", height);
  out_.append(" ").append(style).append("/>\n");
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view style) {
  out_ += "<circle";
  attribute(out_, "cx", x);
  attribute(out_, "cy", y);
  attribute(out_, "r", radius);
  out_.append(" ").append(style).append("/>\n");
}

void SvgCanvas::path(std::string_view data, std::string_view style) {
  out_.append("<path d=\"").append(data).append("\" ").append(style).append("/>\n");
}

void SvgCanvas::text(double x, double y, std::string_view anchor, std::string_view content, std::string_view style,
                     double angle) {
  markup(x, y, anchor, xml_text(content), style, angle);
}

void SvgCanvas::markup(double x, double y, std::string_view anchor, std::string_view content, std::string_view style,
                       double angle) {
  out_ += "<text";
  attribute(out_, "x", x);
  attribute(out_, "y", y);
  out_.append(" text-anchor=\"").append(anchor).append("\"");
  if (angle != 0) {
    out_ += " transform=\"rotate(" + coordinate(angle) + " " + coordinate(x) + " " + coordinate(y) + ")\"";
  }
  if (!style.empty()) out_.append(" ").append(style);
  out_.append(">").append(content).append("</text>\n");
}

std::string SvgCanvas::finish() && { return std::move(out_.append("</svg>\n")); }

std::string SvgCanvas::power(std::string_view base, std::string_view exponent) {
  if (exponent.empty()) return with_minus_signs(xml_text(base));
  return with_minus_signs(xml_text(base)) + "<tspan dy=\"-5\" font-size=\"75%\">" +
         with_minus_signs(xml_text(exponent)) + "</tspan>";
}

}  // namespace perilune::output
