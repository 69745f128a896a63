// SPDX-License-Identifier: MIT
// A functional mock-up unit of FMI 3.0 contains the script that declares its model, which is run again, up to its
// m:export, wherever the unit is used: what is needed for that, and how it is done.
#pragma once
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/named_signals.hpp"
#include "simulation/problem.hpp"

namespace perilune::lua {

/// What a call of m:export declares.
struct ExportedModel {
  std::shared_ptr<const model::Model> model;
  simulation::Problem problem;  // the outputs are its objectives
  std::vector<int> inputs;      // parameters, by number
  std::vector<model::ShownSignal> outputs;
};

/// The file resources/unit.json.
struct UnitRecord {
  struct File {
    std::string name;        // as the script calls it: of a module, or a path
    std::string stored;      // in the folder of resources
    std::string chunk = {};  // of a module: its path, for messages
  };
  std::string token;
  std::string exported;  // the file that m:export was given
  std::string script;    // its path then
  std::vector<std::string> arguments;
  std::vector<double> values;  // of the parameters
  std::size_t states = 0, positions = 0;
  std::vector<File> modules, files;
};
std::string unit_record_text(const UnitRecord& record);
/// Throws Error where the text is none.
UnitRecord read_unit_record(const std::string& text);

/// Runs the script of such a folder. What it prints and writes goes nowhere. Throws Error with what the script says
/// where it does not come to the call, or makes another model there.
ExportedModel replay(const std::string& resources, const UnitRecord& record);

/// In a script that is run again: takes what the call of m:export for this file declares, and ends the script by an
/// Error. Returns false for another file, and elsewhere.
bool takes_export(lua_State* L, const std::string& file, ExportedModel model);
/// Whether a script is run again.
bool is_replay(lua_State* L);

}  // namespace perilune::lua
