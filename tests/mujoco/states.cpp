// SPDX-License-Identifier: MIT
// What MuJoCo makes of a model file: masses, and the motion from the start (or the first keyframe with --key) to the
// end time, by RK4 with small steps, without contact and without limits. Prints per body
//   name x y z  w x y z  mass of what hangs on it
// and "nv" first. tests/lua/test_mujoco.lua compares.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: mujoco_states file end step [key]\n");
    return 2;
  }
  char problem[1000] = "";
  mjModel* model = mj_loadXML(arguments[1], nullptr, problem, sizeof problem);
  if (!model) {
    std::fprintf(stderr, "%s\n", problem);
    return 1;
  }
  const double end = std::atof(arguments[2]), step = std::atof(arguments[3]);
  model->opt.integrator = mjINT_RK4;
  model->opt.timestep = step;
  model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_WARMSTART;
  mjData* data = mj_makeData(model);
  if (count > 4) {
    const int key = mj_name2id(model, mjOBJ_KEY, arguments[4]);
    if (key < 0) return 3;
    mj_resetDataKeyframe(model, data, key);
  }
  const long steps = static_cast<long>(end / step + 0.5);
  for (long k = 0; k < steps; ++k) mj_step(model, data);
  mj_forward(model, data);
  std::printf("nv %d\n", static_cast<int>(model->nv));
  for (int k = 1; k < model->nbody; ++k) {
    const char* name = mj_id2name(model, mjOBJ_BODY, k);
    std::printf("%s", name ? name : "-");
    for (int i = 0; i < 3; ++i) std::printf(" %.17g", data->xpos[3 * k + i]);
    for (int i = 0; i < 4; ++i) std::printf(" %.17g", data->xquat[4 * k + i]);
    std::printf(" %.17g\n", model->body_mass[k]);
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
