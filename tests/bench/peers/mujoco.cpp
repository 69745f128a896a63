// SPDX-License-Identifier: MIT
// Problems of `perilune bench` in MuJoCo: perilune_peer_mujoco problem end step prints the seconds of processor time,
// the steps, and the same coordinates at the end as the problem names. Loops are closed by its equality constraints,
// which are springs with dampers, here as stiff as the step permits.
#include <mujoco/mujoco.h>

#include <unistd.h>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "timed.hpp"

namespace {

/// A mechanism as MJCF, and where its motion is looked at.
struct Mechanism {
  std::string bodies, rest;                                // of the world, and what comes behind it
  std::vector<std::pair<const char*, int>> looked_at;      // sites, each with the axis of space
  std::vector<std::pair<std::string, double>> rates = {};  // of joints, at the start
  std::string gravity = "0 -9.81 0";
};

__attribute__((format(printf, 1, 2))) std::string print(const char* format, ...) {
  char text[1000];
  va_list list;
  va_start(list, format);
  std::vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return text;
}

/// A slender rod from its origin, whose body has its axes as those of space at the start. What it has about its own
/// axis does not matter, as it never turns there, but may not be zero.
std::string rod(double mass, double x, double y) {
  const double J = mass * (x * x + y * y) / 12, half = std::atan2(y, x) / 2;
  return print("<inertial pos='%.17g %.17g 0' quat='%.17g 0 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
               x / 2, y / 2, std::cos(half), std::sin(half), mass, J / 100, J, J);
}

std::string hinge(const std::string& name, double x, double y) {
  return print("<body name='%s' pos='%.17g %.17g 0'><joint name='%s' type='hinge' axis='0 0 1'/>", name.c_str(), x, y,
               name.c_str());
}

/// The place of the first body where they are at the start, on both.
std::string connect(const std::string& a, const std::string& b, double x, double y) {
  return print("<connect body1='%s' body2='%s' anchor='%.17g %.17g 0'/>", a.c_str(), b.c_str(), x, y);
}

Mechanism chain(int count) {
  Mechanism m{.bodies = "", .rest = "", .looked_at = {{"tip", 0}, {"tip", 2}}, .gravity = "0 0 -9.81"};
  std::string ends;
  // 0.2 m and 0.2 kg, 0.02 m square.
  const double across = 0.2 * (0.2 * 0.2 + 0.02 * 0.02) / 12, along = 0.2 * 0.02 * 0.02 / 6;
  for (int k = 0; k < count; ++k) {
    m.bodies += print(
        "<body pos='%s 0 0'><joint type='hinge' axis='%s'/><inertial pos='0.1 0 0' mass='0.2' "
        "diaginertia='%.17g %.17g %.17g'/>",
        k == 0 ? "0" : "0.2", k % 2 == 0 ? "0 0 1" : "0 1 0", along, across, across);
    if (k + 1 == count) m.bodies += "<site name='tip' pos='0.2 0 0'/>";
    ends += "</body>";
  }
  m.bodies += ends;
  return m;
}

Mechanism five_bar() {
  Mechanism m{.bodies = "<site name='A' pos='-1 0 0'/><site name='B' pos='0.5 0 0'/>",
              .rest = "",
              .looked_at = {{"middle", 0}, {"middle", 1}}};
  m.bodies += hinge("1", -1, 0) + rod(1, -0.5, 1) + hinge("2", -0.5, 1) + rod(1.5, 1.5, 1) +
              "<site name='middle' pos='1.5 1 0'/>" + hinge("3", 1.5, 1) + rod(1.5, 1, -1) + hinge("4", 1, -1) +
              rod(1, -0.5, -1) + "</body></body></body></body>";
  m.rest = "<tendon>";
  for (const auto& [end, length] : {std::pair{"A", std::sqrt(5.0)}, std::pair{"B", std::sqrt(4.25)}}) {
    m.rest += print("<spatial stiffness='100' springlength='%.17g'><site site='%s'/><site site='middle'/></spatial>",
                    length, end);
  }
  m.rest += "</tendon><equality>" + connect("4", "world", -0.5, -1) + "</equality>";
  return m;
}

// The crank pin, and the slider along x.
Mechanism slider_crank() {
  const double r = 0.2, L = 0.5, angle = 0.6, rate = 10, x = r * std::cos(angle), y = r * std::sin(angle);
  const double along = std::sqrt(L * L - y * y);
  Mechanism m{.bodies = "", .rest = "", .looked_at = {{"pin", 0}, {"pin", 1}, {"slider", 0}}};
  m.bodies = hinge("crank", 0, 0) + rod(0.4, x, y) + print("<site name='pin' pos='%.17g %.17g 0'/>", x, y) +
             hinge("rod", x, y) + rod(1, along, -y) + "</body></body>" +
             print(
                 "<body name='slider' pos='%.17g 0 0'><joint name='rail' type='slide' axis='1 0 0'/>"
                 "<inertial pos='0 0 0' mass='1.5' diaginertia='1 1 1'/><site name='slider'/></body>",
                 x + along);
  m.rest = "<equality>" + connect("rod", "slider", along, -y) + "</equality>";
  m.rates = {{"crank", rate}, {"rod", -rate * x / along - rate}, {"rail", -rate * y - rate * x / along * y}};
  return m;
}

// Uprights on hinges, the crossbars on their ends, each closed on the next upright.
Mechanism ladder(int count) {
  Mechanism m{.bodies = "", .rest = "<equality>", .looked_at = {{"first", 0}, {"first", 1}, {"last", 0}, {"last", 1}}};
  for (int k = 0; k <= count; ++k) {
    const std::string up = print("up%d", k), across = print("across%d", k);
    m.bodies += hinge(up, k, 0) + rod(1, 0, 1);
    m.rates.emplace_back(up, -1);
    if (k == 0) m.bodies += "<site name='first' pos='0 1 0'/>";
    if (k == count) m.bodies += "<site name='last' pos='0 1 0'/>";
    if (k < count) {
      m.bodies += hinge(across, 0, 1) + rod(1, 1, 0) + "</body>";
      m.rates.emplace_back(across, 1);
      m.rest += connect(across, print("up%d", k + 1), 1, 0);
    }
    m.bodies += "</body>";
  }
  m.rest += "</equality>";
  return m;
}

mjModel* loaded(const std::string& text) {
  char path[] = "/tmp/perilune_peer_XXXXXX", problem[1000] = "";
  const int file = mkstemp(path);
  if (file < 0) return nullptr;
  close(file);
  std::ofstream(path) << text;
  mjModel* model = mj_loadXML(path, nullptr, problem, sizeof problem);
  unlink(path);
  if (!model) std::fprintf(stderr, "%s\n", problem);
  return model;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string problem = count == 4 ? arguments[1] : "";
  Mechanism m;
  if (problem.rfind("chain-", 0) == 0) {
    m = chain(std::atoi(problem.c_str() + 6));
  } else if (problem == "five-bar" || problem == "five-bar-spatial") {
    m = five_bar();
  } else if (problem == "slider-crank" || problem == "slider-crank-spatial") {
    m = slider_crank();
  } else if (problem == "ladder") {
    m = ladder(40);
  } else {
    std::fprintf(
        stderr,
        "usage: perilune_peer_mujoco chain-N|five-bar|five-bar-spatial|slider-crank|slider-crank-spatial|ladder "
        "end step\n");
    return 2;
  }
  const double end = std::atof(arguments[2]), step = std::atof(arguments[3]);
  // The constraints' frequency is 2 / step with 0.7 of the critical damping: Runge and Kutta's method is stable to 2.5,
  // and softer ones err by more. 0.9999 is the largest impedance. Without contacts and limits its Newton method solves
  // for the constraints' forces in one iteration.
  mjModel* model = loaded(
      print("<mujoco><compiler angle='radian'/><option gravity='%s' integrator='RK4' timestep='%.17g' tolerance='0' "
            "iterations='1'><flag contact='disable' warmstart='disable'/></option><default><equality solref='%.17g "
            "%.17g' "
            "solimp='0.9999 0.9999 0.001'/></default><worldbody>",
            m.gravity.c_str(), step, -4 / (step * step), -2.8 / step) +
      m.bodies + "</worldbody>" + m.rest + "</mujoco>");
  if (!model) return 1;
  const long steps = std::lround(end / step);
  mjData* data = mj_makeData(model);
  const double seconds = fastest([&] {
    mj_resetData(model, data);
    for (const auto& [joint, rate] : m.rates) {
      data->qvel[model->jnt_dofadr[mj_name2id(model, mjOBJ_JOINT, joint.c_str())]] = rate;
    }
    for (long k = 0; k < steps; ++k) mj_step(model, data);
  });
  mj_forward(model, data);
  std::printf("%.9g %ld", seconds, steps);
  for (const auto& [site, axis] : m.looked_at) {
    std::printf(" %.17g", data->site_xpos[3 * mj_name2id(model, mjOBJ_SITE, site) + axis]);
  }
  std::printf("\n");
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
