// SPDX-License-Identifier: MIT
// model:mobility and model:linearize, whose results are tables that print.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "analysis/mobility.hpp"
#include "analysis/small_motion/eigenvalue_derivatives.hpp"
#include "analysis/small_motion/linearization.hpp"
#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "error.hpp"
#include "model/removal.hpp"
#include "runs/derivative_text.hpp"
#include "runs/experiment.hpp"
#include "studies/equilibrium_run.hpp"
#include "studies/mode_page.hpp"

namespace perilune::lua {

std::shared_ptr<const system::Data> data_at(const ModelPtr& model, const system::System& system,
                                            const std::optional<GivenState>& from) {
  auto data = system.make_data(model->parameter_values());
  return from ? analysis::starting_at(from->q, from->v, *data) : data;
}

namespace {

int stored_text(lua_State* L) {
  require_table(L);
  lua_getfield(L, 1, "text");
  return 1;
}

}  // namespace

void print_as_text(lua_State* L, const char* kind) {
  if (luaL_newmetatable(L, kind)) {
    lua_pushcfunction(L, guarded<stored_text>);
    lua_setfield(L, -2, "__tostring");
    lua_pushstring(L, kind);
    lua_setfield(L, -2, "__name");
  }
  lua_setmetatable(L, -2);
}

std::string mobility_text(const model::Model& engine, const analysis::Mobility& found) {
  const int freedoms = found.degrees_of_freedom - found.singular_freedoms;
  std::string text = "model \"" + engine.name() + "\": " + std::to_string(freedoms) +
                     (freedoms == 1 ? " degree" : " degrees") + " of freedom, " + std::to_string(found.coordinates) +
                     " coordinates, " + std::to_string(found.constraints) +
                     (found.constraints == 1 ? " constraint" : " constraints");
  if (found.velocity_constraints > 0) {
    const int of_positions = found.position_freedoms - found.singular_freedoms;
    text += " (" + std::to_string(found.velocity_constraints) + " on velocities, so that positions have " +
            std::to_string(of_positions) + (of_positions == 1 ? " freedom)" : " freedoms)");
  }
  if (found.singular_freedoms > 0) {
    text += "\nsingular position: " + std::to_string(found.singular_freedoms) +
            " more here, where the constraints of " + system::describe(found.redundant) + " lose their hold";
  } else if (!found.redundant.empty()) {
    text += "\nredundant: " + system::describe(found.redundant);
  }
  if (found.is_nearly_singular()) text += "\nnearly singular: \"" + found.weakest + "\"";
  return text;
}

analysis::Mobility find_mobility(const ModelPtr& model, const std::optional<GivenState>& from, double t,
                                 const std::vector<int>& independent) {
  const auto system = model->compiled();
  const auto data = data_at(model, *system, from);
  analysis::Assembly assembly(system, independent);
  const analysis::ConsistentState state = assembly.solve(t, *data);
  return analysis::mobility(assembly.constraints(), t, *data, state.q);
}

namespace {

void push_redundant(lua_State* L, const std::vector<system::Redundancy>& redundant) {
  lua_createtable(L, static_cast<int>(redundant.size()), 0);
  for (size_t k = 0; k < redundant.size(); ++k) {
    lua_newtable(L);
    set_text(L, "joint", redundant[k].joint);
    set_integer(L, "count", redundant[k].count);
    set_names(L, "with", redundant[k].with);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

}  // namespace

int mobility(lua_State* L) {
  Args args(L);
  const std::optional<GivenState> from = read_from(args, L, std::nullopt);
  const double t = read_time(args, from);
  const std::vector<int> independent = read_independent(args, L);
  args.check_all_read();
  const ModelPtr& model = args.model();
  const analysis::Mobility found = find_mobility(model, from, t, independent);
  lua_newtable(L);
  set_integer(L, "degrees_of_freedom", found.degrees_of_freedom - found.singular_freedoms);
  set_integer(L, "singular_freedoms", found.singular_freedoms);
  set_integer(L, "coordinates", found.coordinates);
  set_integer(L, "constraints", found.constraints);
  set_integer(L, "velocity_constraints", found.velocity_constraints);
  set_integer(L, "position_freedoms", found.position_freedoms - found.singular_freedoms);
  set_integer(L, "rank", found.rank);
  set_number(L, "margin", found.margin);
  set_text(L, "weakest", found.weakest);
  push_redundant(L, found.redundant);
  lua_setfield(L, -2, "redundant");
  set_text(L, "text", mobility_text(*model->engine, found));
  print_as_text(L, "perilune.mobility");
  return 1;
}

namespace {

/// Coordinate, or first-order state, of a component of a mode shape.
std::string shape_name(const model::Model& engine, size_t i) {
  const model::Coordinate& c = model::present_coordinate(engine, i);
  return c.role == model::Role::State ? engine.graph().variable_of(c.velocity).name : c.name;
}

std::string modes_text(const model::Model& engine, const analysis::Linearization& found, double t, bool is_steady) {
  char line[160];
  std::snprintf(line, sizeof line, "small motions of \"%s\" %s t = %.6g s: %d degree%s of freedom",
                engine.name().c_str(), is_steady ? "beside its steady motion at" : "at", t, found.degrees_of_freedom,
                found.degrees_of_freedom == 1 ? "" : "s");
  std::string text = line;
  if (found.position_freedoms != found.degrees_of_freedom) {
    text += " (" + std::to_string(found.position_freedoms) + " of positions)";
  }
  if (found.states > 0) text += ", " + std::to_string(found.states) + " first-order states";
  if (!found.seen_from.empty()) text += ", seen by who turns with \"" + found.seen_from + "\"";
  text += "\n mode  frequency (Hz)  damping ratio  real part (1/s)  imaginary (1/s)  largest in";
  for (size_t k = 0; k < found.modes.size(); ++k) {
    const analysis::Mode& mode = found.modes[k];
    size_t largest = 0;
    for (size_t i = 1; i < mode.shape.size(); ++i) {
      if (std::abs(mode.shape[i]) > std::abs(mode.shape[largest]) * (1 + 1e-9)) largest = i;
    }
    std::snprintf(line, sizeof line, "\n%5zu  %14.6g  %13.6g  %15.6g  %15.6g  ", k + 1, mode.frequency, mode.damping,
                  mode.real, mode.imaginary);
    text += line + shape_name(engine, largest);
  }
  return text;
}

void push_shape(lua_State* L, const model::Model& engine, const analysis::Mode& mode, bool imaginary) {
  lua_newtable(L);
  for (size_t i = 0; i < mode.shape.size(); ++i) {
    set_number(L, shape_name(engine, i).c_str(), imaginary ? mode.shape[i].imag() : mode.shape[i].real());
  }
}

/// Derivatives of an eigenvalue, and of what is made of it.
struct Slopes {
  double real, imaginary, frequency = 0, damping = 0;

  Slopes(std::complex<double> value, std::complex<double> slope) : real(slope.real()), imaginary(slope.imag()) {
    const double size = std::abs(value);
    if (value.imag() == 0 || size == 0) return;
    const double longer = (value.real() * real + value.imag() * imaginary) / size;
    frequency = longer / (2 * std::numbers::pi);
    damping = (value.real() * longer / size - real) / size;
  }
};

/// What `over` asked for, or nothing.
struct Derivatives {
  const model::Model& engine;
  const analysis::Linearization& found;
  std::vector<int> over;

  bool wanted() const { return !found.derivatives.empty(); }
  bool is_simple(std::size_t eigenvalue) const { return !found.derivatives[eigenvalue].empty(); }
  const std::string& name(std::size_t k) const { return engine.parameters()[static_cast<size_t>(over[k])].name; }
  Slopes slopes(std::size_t eigenvalue, std::size_t k) const {
    return {found.eigenvalues[eigenvalue], found.derivatives[eigenvalue][k]};
  }

  /// Sets the field `derivative` of the table on top, by name, and `simple`.
  void set(lua_State* L, std::size_t eigenvalue, bool is_mode) const {
    if (!wanted()) return;
    lua_pushboolean(L, is_simple(eigenvalue));
    lua_setfield(L, -2, "simple");
    if (!is_simple(eigenvalue)) return;
    lua_newtable(L);
    for (std::size_t k = 0; k < over.size(); ++k) {
      const Slopes of = slopes(eigenvalue, k);
      lua_newtable(L);
      set_number(L, "real", of.real);
      set_number(L, "imaginary", of.imaginary);
      if (is_mode) {
        set_number(L, "frequency", of.frequency);
        set_number(L, "damping", of.damping);
      }
      lua_setfield(L, -2, name(k).c_str());
    }
    refuse_other_names(L);
    lua_setfield(L, -2, "derivative");
  }

  std::string text() const {
    if (!wanted()) return {};
    const auto number = [](double x) {
      char out[32];
      std::snprintf(out, sizeof out, "%.6g", x);
      return std::string(out);
    };
    TextRows rows{{"mode", "derivative by", "frequency", "damping ratio", "real part", "imaginary"}};
    for (std::size_t mode = 0; mode < found.modes.size(); ++mode) {
      const std::size_t eigenvalue = found.modes[mode].eigenvalue;
      if (!is_simple(eigenvalue)) {
        rows.push_back({std::to_string(mode + 1), "none: the eigenvalue is not simple"});
        continue;
      }
      for (std::size_t k = 0; k < over.size(); ++k) {
        const Slopes of = slopes(eigenvalue, k);
        rows.push_back({std::to_string(mode + 1), name(k), number(of.frequency), number(of.damping), number(of.real),
                        number(of.imaginary)});
      }
    }
    return aligned(rows);
  }
};

void push_modes(lua_State* L, const model::Model& engine, const std::vector<analysis::Mode>& modes,
                const Derivatives& derivatives) {
  lua_createtable(L, static_cast<int>(modes.size()), 0);
  for (size_t k = 0; k < modes.size(); ++k) {
    lua_newtable(L);
    set_number(L, "real", modes[k].real);
    set_number(L, "imaginary", modes[k].imaginary);
    set_number(L, "frequency", modes[k].frequency);
    set_number(L, "damping", modes[k].damping);
    push_shape(L, engine, modes[k], false);
    lua_setfield(L, -2, "shape");
    push_shape(L, engine, modes[k], true);
    lua_setfield(L, -2, "shape_imaginary");
    derivatives.set(L, modes[k].eigenvalue, true);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

}  // namespace

namespace {

void warn_of_slopes(lua_State* L, const model::Model& engine, const analysis::Linearization& found,
                    const std::vector<int>& over) {
  std::vector<std::string> warnings;
  for (const int number : found.unbalancing) {
    warnings.push_back("the declared state is an equilibrium only at this value of \"" +
                       engine.parameters()[static_cast<size_t>(number)].name +
                       "\", and derivatives are about the state, not the equilibrium: for that give " +
                       "from = m:equilibrium {}");
  }
  print_warnings(L, warnings);
  std::vector<int> without_effect;
  const auto is_zero = [](std::complex<double> x) { return x == 0.0; };
  for (size_t k = 0; k < over.size(); ++k) {
    if (std::all_of(found.derivatives.begin(), found.derivatives.end(),
                    [&](const auto& of) { return of.empty() || is_zero(of[k]); })) {
      without_effect.push_back(over[k]);
    }
  }
  warn_of_idle_parameters(L, engine, without_effect);
}

/// How the state moves with the parameters: as declared, or with the equilibrium that it is.
analysis::StateRates state_rates(Args& args, const std::shared_ptr<const system::System>& system,
                                 const std::shared_ptr<const system::Data>& data, double t,
                                 const std::optional<GivenState>& from, const std::vector<int>& independent,
                                 const analysis::ConsistentState& state, const std::vector<int>& over) {
  if (from && from->is_equilibrium && from->parameters != data->parameters) {
    args.fail("from: the equilibrium is that of other values of the parameters; find it anew by m:equilibrium {}");
  }
  if (from && from->is_equilibrium && system->constrains_velocities()) {
    args.fail(
        "derivatives over parameters about an equilibrium are not offered with constraints on velocities, such as " +
        ("that of " + system->describe_constraint(system->velocity_rows().front())) +
        ": how it moves with them is a matter of its way; declare the state of rest by parameters, and leave out from");
  }
  if (from && from->is_equilibrium) return analysis::equilibrium_rates(*system, data, t, state.q, state.v, over);
  if (from) {
    args.fail(
        "derivatives over parameters are those about an equilibrium or the declared state: how the state of a run "
        "depends on them is not followed; give from = m:equilibrium {}, or declare the state by parameters");
  }
  analysis::Assembly assembly(system, independent);
  return analysis::declared_rates(assembly, *system, *data, t, state, over);
}

}  // namespace

int linearize(lua_State* L) {
  Args args(L);
  const std::optional<double> wanted =
      args.given("t") ? std::optional(args.plain_number("t")) : (args.value("t"), std::nullopt);
  const std::optional<GivenState> from = read_from(args, L, wanted);
  const std::vector<int> independent = read_independent(args, L);
  const bool is_steady = args.boolean("steady");
  const bool differentiates = args.given("over");
  const std::vector<int> over =
      differentiates ? read_parameters(args, L, "over") : (args.value("over"), std::vector<int>());
  args.check_all_read();
  const ModelPtr& model = args.model();
  const auto system = differentiates ? system::System::differentiated_by(over, model->compiled()) : model->compiled();
  const double t = wanted.value_or(from ? from->t : 0);
  const auto data = data_at(model, *system, from);
  const analysis::ConsistentState state = analysis::Assembly(system, independent).solve(t, *data);
  std::optional<analysis::StateRates> rates;
  if (differentiates) rates = state_rates(args, system, data, t, from, independent, state, over);
  const analysis::StateRates* along = rates ? &*rates : nullptr;
  const analysis::Linearization found =
      is_steady ? analysis::linearize_steady(*model->engine, *system, *data, t, state.q, state.v, along)
                : analysis::linearize(*system, *data, t, state.q, state.v, along);
  warn_of_slopes(L, *model->engine, found, over);
  const Derivatives derivatives{*model->engine, found, over};
  lua_newtable(L);
  set_integer(L, "degrees_of_freedom", found.degrees_of_freedom);
  set_integer(L, "position_freedoms", found.position_freedoms);
  set_integer(L, "states", found.states);
  lua_pushboolean(L, !found.is_unstable());
  lua_setfield(L, -2, "stable");
  push_modes(L, *model->engine, found.modes, derivatives);
  lua_setfield(L, -2, "modes");
  lua_createtable(L, static_cast<int>(found.eigenvalues.size()), 0);
  for (size_t k = 0; k < found.eigenvalues.size(); ++k) {
    lua_newtable(L);
    set_number(L, "real", found.eigenvalues[k].real());
    set_number(L, "imaginary", found.eigenvalues[k].imag());
    derivatives.set(L, k, false);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "eigenvalues");
  if (differentiates) set_parameter_names(L, *model->engine, over);
  set_text(L, "text", modes_text(*model->engine, found, t, is_steady) + derivatives.text());
  keep_for_animation(L, {{model->snapshot(), system, data, state.q}, found});
  return 1;
}

}  // namespace perilune::lua
