// SPDX-License-Identifier: MIT
// Motions as animated pictures, and as series of pictures: the page that run:view writes draws and packs them, in a
// Chromium without a window.
#include "runs/movie.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/program.hpp"
#include "base/scratch_folder.hpp"
#include "base/suggest.hpp"
#include "error.hpp"
#include "format/base64.hpp"
#include "format/text.hpp"
#include "output/scene/view_page.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

namespace {

/// What the second argument says; none: as the page has it.
struct Wishes {
  double width = 800, height = 500;
  std::optional<double> rate, speed, from, to;
};

struct Wish {
  const char* name;
  double least, most;
  const char* unit;
};
constexpr std::array<Wish, 6> kWishes = {{{"width", 100, 4000, "pixels"},
                                          {"height", 100, 4000, "pixels"},
                                          {"rate", 0.1, 100, "pictures a second"},
                                          {"speed", 1e-9, 1e9, "s of the motion in one of the movie"},
                                          {"from", -HUGE_VAL, HUGE_VAL, "s"},
                                          {"to", -HUGE_VAL, HUGE_VAL, "s"}}};

std::optional<double> wish_at(lua_State* L, const Wish& wish) {
  const std::string name = wish.name;
  std::optional<double> out;
  if (lua_getfield(L, 3, wish.name) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      throw Error("movie: " + name + " must be a number, got " + described_value(L, -1));
    out = lua_tonumber(L, -1);
    if (!std::isfinite(*out)) throw Error("movie: " + name + " must be finite, got " + format::significant(*out, 6));
    if (*out < wish.least || *out > wish.most) {
      throw Error("movie: " + name + " must be between " + format::significant(wish.least, 6) + " and " +
                  format::significant(wish.most, 6) + " " + wish.unit + ", got " + format::significant(*out, 6));
    }
  }
  lua_pop(L, 1);
  return out;
}

void check_wishes(lua_State* L) {
  std::vector<std::string> names;
  for (const Wish& wish : kWishes) names.emplace_back(wish.name);
  if (lua_gettop(L) > 3) throw Error("movie: expected nothing behind its settings, got " + described_value(L, 4));
  if (!lua_istable(L, 3)) {
    throw Error(
        "movie: expected a table with width, height, rate, speed, from or to behind the name of the file, got " +
        described_value(L, 3));
  }
  for (lua_pushnil(L); lua_next(L, 3) != 0; lua_pop(L, 1)) {
    const std::string name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : described_value(L, -2);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw Error("movie has no setting '" + name + "'" + suggestion_or_list(name, names, "it has"));
  }
}

Wishes wishes_from(lua_State* L, const simulation::Trajectory& trajectory) {
  Wishes out;
  if (lua_isnoneornil(L, 3)) return out;
  check_wishes(L);
  std::array<std::optional<double>, kWishes.size()> given;
  for (std::size_t k = 0; k < kWishes.size(); ++k) given[k] = wish_at(L, kWishes[k]);
  out = {given[0].value_or(out.width), given[1].value_or(out.height), given[2], given[3], given[4], given[5]};
  const double first = trajectory.times().front(), last = trajectory.times().back();
  for (const std::optional<double>& t : {out.from, out.to}) {
    if (!t || (*t >= first && *t <= last)) continue;
    throw Error("movie: the run is from " + format::significant(first, 6) + " s to " + format::significant(last, 6) +
                " s, which " + format::significant(*t, 6) + " s is outside of");
  }
  if (out.from.value_or(first) > out.to.value_or(last)) throw Error("movie: from must not be later than to");
  return out;
}

/// What the page is told behind the mark #.
std::string fragment_of(const Wishes& wishes, bool is_series) {
  std::string out = is_series ? "#movie,frames" : "#movie";
  const auto add = [&out](const char* name, const std::optional<double>& value) {
    if (value) out += std::string(",") + name + "=" + format::shortest(*value);
  };
  add("width", std::round(wishes.width));
  add("height", std::round(wishes.height));
  add("rate", wishes.rate);
  add("speed", wishes.speed);
  add("from", wishes.from);
  add("to", wishes.to);
  return out;
}

/// The name of picture k of a series, which is where the name has %d or %04d, else behind it.
std::string numbered(const std::filesystem::path& path, std::size_t k) {
  std::string name = path.string();
  std::size_t at = name.find('%'), digits = 4, end = at;
  if (at == std::string::npos) {
    at = end = name.size() - path.extension().string().size();
    name.insert(at++, "_");
    ++end;
  } else {
    end = name.find('d', at) + 1;
    const std::string width = name.substr(at + 1, end - at - 2);
    digits = width.empty() ? 1 : std::stoul(width);
  }
  const std::string number = std::to_string(k);
  return name.replace(at, end - at, std::string(digits - std::min(digits, number.size()), '0') + number);
}

void check_name(const std::filesystem::path& path) {
  const std::string name = path.string();
  if (path.extension() != ".gif" && path.extension() != ".png") {
    throw Error("movie: the name of the file must end in .gif, an animated picture, or in .png, for a series of " +
                std::string("pictures; got '") + name +
                "'. Other formats are made from it, as by ffmpeg -i motion.gif motion.webm");
  }
  std::size_t at = name.find('%');
  if (at == std::string::npos || path.extension() == ".gif") return;
  std::size_t end = name.find_first_not_of("0123456789", at + 1);
  const bool is_number = end != std::string::npos && name[end] == 'd' && end - at <= 3;
  if (is_number && name.find('%', end) == std::string::npos && name.find('/', at) == std::string::npos) return;
  throw Error("movie: the number of a picture goes where its name has one %d or %04d, got '" + name + "'");
}

std::string url_of(const std::filesystem::path& file) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-_.~";
  constexpr const char* digits = "0123456789ABCDEF";
  std::string out = "file://";
  for (const char c : file.string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

/// The document that the page has become, when it has drawn all frames.
std::string document_of(const std::string& chromium, const std::filesystem::path& folder,
                        const std::filesystem::path& page, const std::string& fragment) {
  constexpr std::size_t most = std::size_t{1} << 30;
  constexpr double seconds = 600;
  std::vector<std::string> arguments = {"--headless",
                                        "--disable-quic",
                                        "--no-first-run",
                                        "--disable-background-networking",
                                        "--disable-component-update",
                                        "--disable-sync",
                                        "--use-gl=angle",
                                        "--use-angle=swiftshader",  // frames that are the same on all machines
                                        "--enable-unsafe-swiftshader",
                                        "--window-size=800,500",
                                        "--user-data-dir=" + (folder / "profile").string(),
                                        "--dump-dom",
                                        url_of(page) + fragment};
  // It refuses to start for root otherwise, and opens nothing but our own page.
  if (geteuid() == 0) arguments.insert(arguments.begin(), "--no-sandbox");
  return output_of(chromium, arguments, most, seconds).text;
}

/// One for each picture of a series, else the movie.
std::vector<std::string> files_in(const std::string& document) {
  constexpr std::string_view open = "<script type=\"text/plain\" id=\"movie\">", close = "</script>";
  // The last one: the page's own text comes before it.
  const std::size_t from = document.rfind(open);
  const std::size_t to = from == std::string::npos ? from : document.find(close, from);
  if (to == std::string::npos)
    throw Error("movie: Chromium has not drawn the frames; run:view shows the motion itself");
  std::istringstream lines(document.substr(from + open.size(), to - from - open.size()));
  std::vector<std::string> out;
  constexpr std::string_view refusal = "refused: ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(refusal)) throw Error("movie: " + line.substr(refusal.size()));
    const std::optional<std::string> bytes = format::from_base64(line);
    if (!bytes) throw Error("movie: Chromium has not drawn the frames: " + line.substr(0, 300));
    out.push_back(*bytes);
  }
  if (out.empty()) throw Error("movie: Chromium has drawn no frames; run:view shows the motion itself");
  return out;
}

int movie(lua_State* L) {
  const RunHandle& run = check_run(L, "movie");
  const std::filesystem::path path = check_path(L, "movie");
  check_name(path);
  const Wishes wishes = wishes_from(L, *run.trajectory);
  const bool is_series = path.extension() == ".png";
  std::deque<OutputFile> files;                                       // none has its name before all are complete
  files.emplace_back(is_series ? numbered(path, 1) : path.string());  // before the work, for it may not be allowed
  if (const std::string problem(output::missing_viewer()); !problem.empty()) throw Error("movie: " + problem);
  const std::string chromium = find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
  if (chromium.empty()) {
    throw Error(
        "movie: the frames are drawn by Chromium, which is not here: apt-get install chromium; run:view makes "
        "a page that any browser plays");
  }
  std::ostringstream page;
  output::write_view_page(run.trajectory->model().name(), {{"", run.trajectory.get(), {}}}, page);
  const ScratchFolder folder;
  const std::filesystem::path page_file = folder.path() / "page.html";
  {
    std::ofstream out(page_file, std::ios::binary);
    out << page.str();
    if (!out.flush()) throw Error("movie: cannot write '" + page_file.string() + "'");
  }
  const std::vector<std::string> pictures =
      files_in(document_of(chromium, folder.path(), page_file, fragment_of(wishes, is_series)));
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    if (k > 0) files.emplace_back(numbered(path, k + 1));
    files.back().stream() << pictures[k];
    files.back().close();
  }
  for (OutputFile& file : files) file.replace();
  if (const std::string next = numbered(path, pictures.size() + 1); is_series && std::filesystem::exists(next)) {
    print_warnings(L, {"movie: '" + next + "' is of another, longer series: remove it and what follows"});
  }
  return 0;
}

}  // namespace

Function movie_entry() {
  return {.name = "run:movie",
          .signature = "run:movie(file, settings)",
          .arguments = {{"file", "string", "name.gif, or name.png for a series, to be written", unitless},
                        {"settings", "table?", "width, height, rate, speed, from, to", unitless}},
          .summary =
              "Writes the mechanism in motion as an animated GIF of 800 x 500 pixels for slides and pages that run no\n"
              "scripts; or with name.png as the pictures name_0001.png, name_0002.png and so on, of which other\n"
              "programs make videos: ffmpeg -i name_%04d.png name.mp4. A name with %04d has the number there. There\n"
              "are 25 pictures a second, fewer in long motions, as fast as the page of run:view plays; else as the\n"
              "settings say: width and height (pixels), rate (pictures a second), speed (s of the motion in one of\n"
              "the movie), from and to (s, of the motion). Chromium draws them, without a window, in some seconds;\n"
              "where there is none an error says so. The button Movie of that page makes a GIF of what is seen there:\n"
              "from another side, with forces, without some objects.",
          .example =
              "local mbs = require \"perilune\"\n"
              "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
              "m:point { \"P\", at = {0, 0}, velocity = {1, 5}, mass = 1 }\n"
              "local run = m:simulate { t = 1 }\n"
              "local has_chromium = false\n"
              "if has_chromium then run:movie \"throw.gif\" end",
          .see_also = {"view", "vtk", "sketch"},
          .function = guarded<movie>};
}

}  // namespace perilune::lua
