// SPDX-License-Identifier: MIT
#include "output/picture/terminal_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "error.hpp"
#include "format/text.hpp"
#include "output/picture/axis.hpp"
#include "output/picture/decimate.hpp"
#include "output/picture/dot_canvas.hpp"

namespace perilune::output {

using namespace format;
namespace {

constexpr std::string_view kGlyphs = "*o+x#@%&=~";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
// The 256-colour palette's neighbours of Okabe and Ito's colours, readable on black and on white.
constexpr std::array<int, 8> kTerminalColours = {32, 208, 36, 175, 166, 74, 178, 245};

struct TextPanel {
  std::vector<std::size_t> columns;
  double low = 0, high = 1;
  std::vector<std::string> labels;  // one per row, most of them empty
  bool empty = true;
};

std::string repeat(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

// Enough digits to tell the ends of the range apart, as far as the label is to be no wider than `width`.
std::string label_text(double value, double low, double high, int width) {
  const double largest = std::max(std::abs(low), std::abs(high));
  const int lost = static_cast<int>(std::ceil(std::log10(largest / (high / 2 - low / 2) / 2)));
  const double shown = std::abs(value) < 1e-12 * largest ? 0.0 : value;
  int digits = std::clamp(lost + 4, 4, 16);
  std::string text = significant(shown, digits);
  while (terminal_width(text) > width && digits > 1) text = significant(shown, --digits);
  return text;
}

class TextPlot {
 public:
  TextPlot(const Table& table, const TerminalPlotOptions& options) : table_(table), options_(options) {
    const auto groups = panels_by_unit(table);
    rows_ = groups.size() == 1 ? options.height : std::max(4, options.height / static_cast<int>(groups.size()));
    for (const auto& group : groups) add_panel(group);
    int widest = 0;
    for (const TextPanel& panel : panels_) {
      for (const std::string& label : panel.labels) widest = std::max(widest, terminal_width(label));
    }
    margin_ = widest + 2;
    columns_ = std::max(1, options.width - margin_);
    Range range;
    for (const double value : table.columns.front().values) range.include(value);
    x_range_ = range;
    x_axis_ = linear_axis(range, 4, 0);
  }

  std::string draw() {
    if (!options_.title.empty()) {
      const std::string title = clean(options_.title, options_.width);
      put_line(repeat(" ", (options_.width - terminal_width(title)) / 2) + title);
    }
    for (const TextPanel& panel : panels_) {
      draw_legend(panel);
      draw_panel(panel);
    }
    draw_abscissa();
    return std::move(out_);
  }

 private:
  std::string clean(std::string_view text, int width) const { return terminal_text(text, width, options_.unicode); }
  std::string_view pick(std::string_view unicode, std::string_view ascii) const {
    return options_.unicode ? unicode : ascii;
  }
  bool lettered(const TextPanel& panel) const {
    return options_.unicode && !options_.colour && panel.columns.size() > 1;
  }

  // `width_used` is for text with escape sequences, which take no column.
  void put_line(const std::string& text, int width_used = -1) {
    const int used = width_used < 0 ? terminal_width(text) : width_used;
    out_ += text + repeat(" ", options_.width - used) + "\n";
  }

  std::string painted(std::string_view text, std::size_t column) const {
    if (!options_.colour) return std::string(text);
    return "\x1b[38;5;" + std::to_string(kTerminalColours[(column - 1) % kTerminalColours.size()]) + "m" +
           std::string(text) + "\x1b[0m";
  }

  void add_panel(const std::vector<std::size_t>& group) {
    TextPanel& panel = panels_.emplace_back();
    panel.columns = group;
    Range range;
    for (const std::size_t column : group) {
      for (std::size_t i = 0; i < table_.columns[column].values.size(); ++i) {
        if (std::isfinite(table_.columns[0].values[i])) range.include(table_.columns[column].values[i]);
      }
    }
    panel.empty = range.empty();
    const Axis axis = linear_axis(range, std::max(2, rows_ / 3), 0);
    panel.low = axis.low;
    panel.high = axis.high;
    panel.labels.resize(static_cast<std::size_t>(rows_));
    if (panel.empty) return;
    const auto label = [&](int row, double value) {
      panel.labels[static_cast<std::size_t>(row)] = label_text(value, panel.low, panel.high, options_.width / 2 - 2);
    };
    // Round values between the ends, each on the row nearest to it; the ends themselves are exact.
    for (const Tick& tick : axis.ticks) {
      const int row = static_cast<int>(std::lround((1 - axis.fraction(tick.value)) * (rows_ - 1)));
      if (row > 1 && row < rows_ - 2) label(row, tick.value);
    }
    label(0, panel.high);
    label(rows_ - 1, panel.low);
  }

  std::string mark(const TextPanel& panel, std::size_t index) const {
    if (!options_.unicode) return std::string(1, kGlyphs[index % kGlyphs.size()]);
    if (lettered(panel)) return std::string(1, kLetters[index % kLetters.size()]);
    return options_.colour ? "━━" : "";
  }

  void draw_legend(const TextPanel& panel) {
    const std::string indent = repeat(" ", margin_);
    std::string line = indent;
    int used = margin_;
    for (std::size_t k = 0; k < panel.columns.size(); ++k) {
      const std::string sign = mark(panel, k);
      const int sign_width = sign.empty() ? 0 : terminal_width(sign) + 1;
      const std::string name = clean(heading(table_.columns[panel.columns[k]]), columns_ - sign_width);
      const int width = sign_width + terminal_width(name);
      if (used > margin_ && used + 3 + width > options_.width) {
        put_line(line, used);
        line = indent;
        used = margin_;
      }
      if (used > margin_) {
        line += "   ";
        used += 3;
      }
      line += (sign.empty() ? "" : painted(sign, panel.columns[k]) + " ") + name;
      used += width;
    }
    put_line(line, used);
  }

  DotCanvas rasterize(const TextPanel& panel, std::size_t column) const {
    DotCanvas canvas(columns_, rows_, options_.unicode);
    const std::vector<double>&x = table_.columns.front().values, &y = table_.columns[column].values;
    const Axis y_axis{.low = panel.low, .high = panel.high};
    const auto across = [&](std::size_t i) {
      return static_cast<int>(std::lround(x_axis_.fraction(x[i]) * (canvas.dots_across() - 1)));
    };
    const auto down = [&](std::size_t i) {
      return static_cast<int>(std::lround((1 - y_axis.fraction(y[i])) * (canvas.dots_down() - 1)));
    };
    std::size_t previous = kGap;
    for (const std::size_t i : decimate(x, y, static_cast<std::size_t>(canvas.dots_across()) * 4)) {
      if (i != kGap) {
        const std::size_t from = previous == kGap ? i : previous;
        canvas.line(across(from), down(from), across(i), down(i));
      }
      previous = i;
    }
    return canvas;
  }

  // Letters along the curves, staggered, where each curve has a dot.
  void write_letters(const TextPanel& panel, const std::vector<DotCanvas>& curves,
                     std::vector<std::vector<std::string>>& cells) const {
    const int count = static_cast<int>(curves.size());
    const int spacing = std::max(16, 4 * count);
    for (int k = 0; k < count; ++k) {
      for (int column = spacing * (2 * k + 1) / (2 * count); column < columns_; column += spacing) {
        for (int row = 0; row < rows_; ++row) {
          if (curves[static_cast<std::size_t>(k)].cell(column, row) == 0) continue;
          cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
              mark(panel, static_cast<std::size_t>(k));
          break;
        }
      }
    }
  }

  void draw_panel(const TextPanel& panel) {
    std::vector<DotCanvas> curves;
    for (const std::size_t column : panel.columns) curves.push_back(rasterize(panel, column));
    std::vector<std::vector<std::string>> cells(static_cast<std::size_t>(rows_),
                                                std::vector<std::string>(static_cast<std::size_t>(columns_), " "));
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        std::string& cell = cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        std::size_t top = curves.size();  // the last curve wins the cell
        unsigned dots = 0;
        for (std::size_t k = 0; k < curves.size(); ++k) {
          if (curves[k].cell(column, row) == 0) continue;
          top = k;
          dots |= curves[k].cell(column, row);
        }
        if (top == curves.size()) continue;
        if (options_.unicode) {
          cell.clear();
          append_utf8(cell, 0x2800 + dots);
        } else {
          cell = mark(panel, top);
        }
        cell = painted(cell, panel.columns[top]);
      }
    }
    if (lettered(panel)) write_letters(panel, curves, cells);
    const std::string_view note = "no data";
    for (int row = 0; row < rows_; ++row) {
      const std::string& label = panel.labels[static_cast<std::size_t>(row)];
      std::string line = repeat(" ", margin_ - 2 - terminal_width(label)) + label + " ";
      line += label.empty() ? pick("│", "|") : pick("┤", "+");
      if (panel.empty && row == rows_ / 2 && columns_ >= static_cast<int>(note.size())) {
        put_line(line + repeat(" ", (columns_ - static_cast<int>(note.size())) / 2) + std::string(note));
        continue;
      }
      for (const std::string& cell : cells[static_cast<std::size_t>(row)]) line += cell;
      put_line(line, options_.width);
    }
  }

  void draw_abscissa() {
    put_line(repeat(" ", margin_ - 1) + std::string(pick("└", "+")) + repeat(pick("─", "-"), columns_));
    if (x_range_.empty()) {
      put_line(repeat(" ", margin_) + clean(heading(table_.columns.front()), columns_));
      return;
    }
    const std::string left = label_text(x_axis_.low, x_axis_.low, x_axis_.high, options_.width / 2 - 1);
    const std::string right = label_text(x_axis_.high, x_axis_.low, x_axis_.high, options_.width / 2 - 1);
    const int ends = static_cast<int>(left.size() + right.size());
    const int space = std::max(0, columns_ - ends);
    const std::string name = clean(heading(table_.columns.front()), std::max(0, space - 2));
    const int before = std::max(0, (space - terminal_width(name)) / 2);
    const int after = std::max(0, space - before - terminal_width(name));
    // The labels stand under the ends of the axis; when they are too long for it they start further left.
    const int indent = std::max(0, std::min(margin_, options_.width - ends - 1));
    put_line(repeat(" ", indent) + left + repeat(" ", before) + name + repeat(" ", after) + (space == 0 ? " " : "") +
             right);
  }

  const Table& table_;
  const TerminalPlotOptions& options_;
  std::vector<TextPanel> panels_;
  Range x_range_;
  Axis x_axis_{.low = 0, .high = 1};
  int rows_ = 0, columns_ = 0, margin_ = 0;
  std::string out_;
};

}  // namespace

std::string terminal_plot(const Table& table, const TerminalPlotOptions& options) {
  if (options.width < 24 || options.height < 3) {
    throw Error("A terminal plot of " + std::to_string(options.width) + " columns and " +
                std::to_string(options.height) + " rows is too small: use at least 24 columns and 3 rows.");
  }
  return TextPlot(table, options).draw();
}

}  // namespace perilune::output
