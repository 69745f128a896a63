// SPDX-License-Identifier: MIT
// What is differentiated: the names of a simulation that every method uses.
#pragma once
#include "formulation/absolute/dynamics.hpp"
#include "simulation/run.hpp"

namespace perilune::sensitivity {

using formulation::Dynamics;
using formulation::Motion;
using simulation::Assignment;
using simulation::checked_value;
using simulation::evaluate;
using simulation::Evaluation;
using simulation::Keep;
using simulation::mesh_point;
using simulation::Objective;
using simulation::Phase;
using simulation::prepare;
using simulation::prepare_at;
using simulation::Problem;
using simulation::Quadrature;
using simulation::simulate;
using simulation::start_state;
using simulation::stop_weight;
using system::Data;
using system::Measure;
using system::System;

}  // namespace perilune::sensitivity
