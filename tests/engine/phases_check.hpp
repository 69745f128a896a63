// SPDX-License-Identifier: MIT
// Motions in phases for tests, and checks of their gradients.
#pragma once
#include <utility>
#include <vector>

#include "mechanisms.hpp"

/// Of a mechanism that is declared completely: without these elements, ended by `stop` (null: over with its impact, or
/// the last), parameters by number set to values.
std::shared_ptr<perilune::simulation::Phase> make_phase(
    const Mechanism& mechanism, const std::string& name, const std::vector<std::string>& without,
    const perilune::expr::Symbol* stop, const std::vector<std::pair<int, perilune::expr::Symbol>>& set = {});

/// The adjoint and the direct method agree to 1e-9.
void check_adjoint_is_direct(const Mechanism& mechanism, const std::vector<int>& over);
/// And with extrapolated differences of whole motions to 2e-7.
void check_gradients_of_phases(const Mechanism& mechanism, const std::vector<int>& over);
