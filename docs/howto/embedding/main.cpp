// A host program: a Lua script describes the model, C++ asks for gradients.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include <perilune/lua/embedding.hpp>
#include <perilune/lua/perilune.hpp>
#include <perilune/sensitivity/gradient.hpp>

using namespace perilune;

// Runs the script and takes the experiment out of it; after that nothing needs Lua.
static lua::Experiment load(const char* script) {
  const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
  lua_State* L = state.get();
  luaL_openlibs(L);
  luaL_requiref(L, "perilune", lua::open_perilune, 0);
  if (luaL_dofile(L, script)) {
    std::fprintf(stderr, "%s\n", lua_tostring(L, -1));
    std::exit(EXIT_FAILURE);
  }
  return lua::experiment_at(L, -1);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: embedding script.lua\n", stderr);
    return EXIT_FAILURE;
  }
  try {
    const lua::Experiment experiment = load(argv[1]);
    std::vector<double> parameters;
    for (const model::Parameter& p : experiment.model->parameters()) parameters.push_back(p.value);
    std::vector<int> all(parameters.size());
    std::iota(all.begin(), all.end(), 0);

    const auto adjoint = sensitivity::gradient(experiment.problem, parameters, all, sensitivity::DiscreteAdjoint{});
    const auto differences = sensitivity::gradient(experiment.problem, parameters, all,
                                                   sensitivity::FiniteDifference{.step = 1e-3, .richardson = 2});
    std::printf("%s = %.9g\n", experiment.problem.objectives[0]->name.c_str(), adjoint.values[0]);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      std::printf("d/d%s = %.9g, by differences %.9g\n", experiment.model->parameters()[i].name.c_str(),
                  adjoint.derivatives[0][i], differences.derivatives[0][i]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
