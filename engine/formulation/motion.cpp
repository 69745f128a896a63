// SPDX-License-Identifier: MIT
#include "formulation/motion.hpp"

#include "formulation/absolute/absolute_motion.hpp"
#include "formulation/reduced/reduced_motion.hpp"
#include "formulation/stabilized/stabilized_motion.hpp"

namespace perilune::formulation {

namespace {

std::unique_ptr<Motion> motion_of(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                  const Formulation& formulation) {
  switch (properties(formulation).unknowns) {
    case Unknowns::IndependentCoordinates:
      return std::make_unique<ReducedMotion>(std::move(system), std::move(data), formulation);
    case Unknowns::CoordinatesAndRates:
      return std::make_unique<StabilizedMotion>(std::move(system), std::move(data));
    case Unknowns::Coordinates:
      break;
  }
  return std::make_unique<AbsoluteMotion>(std::move(system), std::move(data), formulation);
}

}  // namespace

std::unique_ptr<Motion> make_motion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                    const Formulation& formulation) {
  if (!system->switches()) return motion_of(std::move(system), std::move(data), formulation);
  const auto own = std::make_shared<Data>(*data);
  auto motion = motion_of(std::move(system), own, formulation);
  motion->held_ = own;
  return motion;
}

void Motion::set_sides(const Sides& sides) {
  if (!held_ || sides == sides_) return;
  sides_ = sides;
  system().set_sides(sides ? *sides : std::vector<double>(held_->sides.size(), 0.0), *held_);
}

}  // namespace perilune::formulation
