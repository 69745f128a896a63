// SPDX-License-Identifier: MIT
// Motions as animated pictures: the page that run:view writes draws and packs them, in a Chromium without a window.
#include "runs/movie.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/program.hpp"
#include "base/scratch_folder.hpp"
#include "error.hpp"
#include "format/base64.hpp"
#include "output/scene/view_page.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

namespace {

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
                        const std::filesystem::path& page) {
  constexpr std::size_t most = std::size_t{1} << 29;
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
                                        url_of(page) + "#movie"};
  // It refuses to start for root otherwise, and opens nothing but our own page.
  if (geteuid() == 0) arguments.insert(arguments.begin(), "--no-sandbox");
  return output_of(chromium, arguments, most, seconds).text;
}

std::string bytes_of_movie(const std::string& document) {
  constexpr std::string_view open = "<script type=\"text/plain\" id=\"movie\">", close = "</script>";
  // The last one: the page's own text comes before it.
  const std::size_t from = document.rfind(open);
  const std::size_t to = from == std::string::npos ? from : document.find(close, from);
  if (to == std::string::npos)
    throw Error("movie: Chromium has not drawn the frames; run:view shows the motion itself");
  const std::string text = document.substr(from + open.size(), to - from - open.size());
  const std::optional<std::string> bytes = format::from_base64(text);
  if (!bytes) throw Error("movie: Chromium has not drawn the frames: " + text.substr(0, 300));
  return *bytes;
}

int movie(lua_State* L) {
  const RunHandle& run = check_run(L, "movie");
  const std::filesystem::path path = check_path(L, "movie");
  if (path.extension() != ".gif") {
    throw Error("movie: the name of the file must end in .gif, an animated picture; got '" + path.string() +
                "'. Other formats are made from it, as by ffmpeg -i motion.gif motion.webm");
  }
  OutputFile file(path.string());  // before the work, for it may not be allowed
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
  file.stream() << bytes_of_movie(document_of(chromium, folder.path(), page_file));
  file.close();
  file.replace();
  return 0;
}

}  // namespace

Function movie_entry() {
  return {.name = "run:movie",
          .signature = "run:movie(file)",
          .arguments = {{"file", "string", "name.gif, to be written", unitless}},
          .summary =
              "Writes the mechanism in motion as an animated GIF of 800 x 500 pixels for slides and pages that run no\n"
              "scripts: 25 pictures a second, fewer in long motions, as fast as the page of run:view plays. Chromium\n"
              "draws them, without a window, in some seconds; where there is none an error says so. The button Movie\n"
              "of that page makes one of what is seen there: from another side, with forces, without some objects.",
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
