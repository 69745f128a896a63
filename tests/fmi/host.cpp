// SPDX-License-Identifier: MIT
// A small host of FMI 3.0 units: it reads the description, loads the library and does what lines of its standard input
// say.
//   fmi_host folder me|cs     lines, their words separated by tabs:
//   set name value    init t    get name    step h    rk4 h n    direct output known    adjoint output known ...
//   differentiate known ...    slope output known ...    save    restore    bytes    states    indicators    reset
//   call function
// rk4 goes over n steps of length h, with events at their times or found by bisection, and keeps them; direct and
// adjoint differentiate an output at its end along them. After differentiate they do so from the start on, which the
// knowns move, and over events; else along the last rk4, without events. slope: derivatives of an output where the unit
// is. Answers are lines, and so is what the unit says.
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "host.hpp"

namespace {

void answer(const Numbers& numbers) {
  for (const double x : numbers) std::printf("%.17g\t", x);
  std::printf("\n");
}

void obey(Host& host, const std::vector<std::string>& word) {
  const auto number = [&](std::size_t k) { return std::strtod(word.at(k).c_str(), nullptr); };
  const std::string& what = word.at(0);
  if (what == "set") {
    host.unit().set(host.unit().ref(word.at(1)), number(2));
  } else if (what == "init") {
    host.init(number(1), word.size() > 2 ? number(2) : INFINITY);
  } else if (what == "get") {
    answer({host.unit().get(host.unit().ref(word.at(1)))});
  } else if (what == "step") {
    host.step(number(1));
  } else if (what == "rk4") {
    answer({static_cast<double>(host.rk4(number(1), static_cast<int>(number(2))))});
  } else if (what == "direct") {
    answer({host.direct(host.unit().ref(word.at(1)), host.unit().ref(word.at(2)))});
  } else if (what == "adjoint") {
    Refs knowns;
    for (std::size_t k = 2; k < word.size(); ++k) knowns.push_back(host.unit().ref(word[k]));
    answer(host.adjoint(host.unit().ref(word.at(1)), knowns));
  } else if (what == "differentiate" || what == "slope") {
    Refs knowns;
    for (std::size_t k = what == "slope" ? 2 : 1; k < word.size(); ++k) knowns.push_back(host.unit().ref(word[k]));
    if (what == "slope") {
      answer(host.slopes(host.unit().ref(word.at(1)), knowns));
    } else {
      host.differentiate(knowns);
    }
  } else if (what == "save") {
    host.save();
  } else if (what == "restore") {
    host.restore();
  } else if (what == "bytes") {
    answer({static_cast<double>(host.bytes())});
  } else if (what == "states") {
    answer(host.states());
  } else if (what == "indicators") {
    answer({static_cast<double>(host.unit().indicator_count())});
  } else if (what == "reset") {
    host.call("fmi3Reset");
  } else if (what == "call") {
    host.call(word.at(1).c_str());
  } else {
    throw std::runtime_error("no command " + what);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    Host host(argv[1], std::string(argv[2]) == "me");
    std::string line;
    while (std::getline(std::cin, line)) {
      std::vector<std::string> words;
      std::istringstream in(line);
      for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
      try {
        obey(host, words);
      } catch (const std::exception& error) {
        std::printf("fails\t%s\n", error.what());
      }
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::printf("fails\t%s\n", error.what());
    return 1;
  }
  return 0;
}
