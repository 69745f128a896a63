// SPDX-License-Identifier: MIT
// One HTML page with the moving mechanism and its signals, complete in itself.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/trajectory.hpp"

namespace perilune::output {

using simulation::Trajectory;

/// A run on the page, with the signals to plot. The page holds nothing of the run afterwards.
struct ViewedRun {
  std::string name;
  const Trajectory* trajectory;
  std::vector<model::ShownSignal> signals;
  bool is_ghost = false;  // grey and seen through: what once was, beside what is
  /// Coordinates that a mode swings about; null for a run. Its times are turns of the phase, there are no forces, and
  /// beams are coloured by how far they move.
  std::shared_ptr<const std::vector<double>> swings_about = {};
};

/// Signals that most users want to see first: angles and displacements of joints or else the motion of the first
/// points and bodies, energies, constraint drift.
std::vector<std::string> signals_to_view(model::Model& model);

/// How to get the viewer, if it was not bundled when this was built; else empty.
std::string_view missing_viewer();

/// Writes the page. All runs are sampled by dense output at the same times, 60 in a second where that makes neither
/// too few for a short run nor too many for the file. Several runs are drawn over each other; of swings one is
/// seen at a time. Without the viewer the
/// page has missing_viewer() only, and the report. Throws Error for runs of planar and spatial models together.
/// `report`: HTML that stands beside the mechanism, above the plots.
void write_view_page(const std::string& title, const std::vector<ViewedRun>& runs, std::ostream& out,
                     const std::string& report = {});

}  // namespace perilune::output
