// SPDX-License-Identifier: MIT
// The chain of `perilune bench` in MuJoCo: perilune_peer_mujoco chain-10 end step prints the seconds of processor time,
// the steps, and the position of the tip along x and z at the end.
#include <mujoco/mujoco.h>

#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "timed.hpp"

namespace {

std::string chain(int count) {
  std::string
      text =
          "<mujoco><option gravity='0 0 -9.81' integrator='RK4'><flag contact='disable' warmstart='disable'/></option>"
          "<worldbody>",
      ends = "</worldbody></mujoco>";
  // 0.2 m and 0.2 kg, 0.02 m square.
  const double across = 0.2 * (0.2 * 0.2 + 0.02 * 0.02) / 12, along = 0.2 * 0.02 * 0.02 / 6;
  for (int k = 0; k < count; ++k) {
    char body[400];
    std::snprintf(body, sizeof body,
                  "<body pos='%s 0 0'><joint type='hinge' axis='%s'/><inertial pos='0.1 0 0' mass='0.2' "
                  "diaginertia='%.17g %.17g %.17g'/>",
                  k == 0 ? "0" : "0.2", k % 2 == 0 ? "0 0 1" : "0 1 0", along, across, across);
    text += body;
    if (k + 1 == count) text += "<site name='tip' pos='0.2 0 0'/>";
    ends = "</body>" + ends;
  }
  return text + ends;
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
  if (problem.rfind("chain-", 0) != 0) {
    std::fprintf(stderr, "usage: perilune_peer_mujoco chain-N end step\n");
    return 2;
  }
  const double end = std::atof(arguments[2]), step = std::atof(arguments[3]);
  mjModel* model = loaded(chain(std::atoi(problem.c_str() + 6)));
  if (!model) return 1;
  model->opt.timestep = step;
  const long steps = std::lround(end / step);
  mjData* data = mj_makeData(model);
  const double seconds = fastest([&] {
    mj_resetData(model, data);
    for (long k = 0; k < steps; ++k) mj_step(model, data);
  });
  mj_forward(model, data);
  const double* tip = data->site_xpos + 3 * mj_name2id(model, mjOBJ_SITE, "tip");
  std::printf("%.9g %ld %.17g %.17g\n", seconds, steps, tip[0], tip[2]);
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
