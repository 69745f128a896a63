// SPDX-License-Identifier: MIT
// Problems of `perilune bench` in Simbody: perilune_peer_simbody problem end accuracy prints the seconds of processor
// time, the steps, and the same coordinates at the end as the problem names.
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "timed.hpp"

using namespace SimTK;

namespace {

/// A mechanism, and where its motion is looked at.
struct Mechanism {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  MobilizedBody last;
  Vec3 station;
  MobilizedBody inner = {};  // of slider-crank and ladder: another that is looked at, before the last
  Vec3 inner_station = Vec3(0);
  bool on_rail = false;                                      // the last one, along x
  int second = 1;                                            // the other coordinate that is compared, beside x
  std::vector<std::pair<MobilizedBody, double>> rates = {};  // at the start (rad/s)
};

/// A slender one from its origin.
MassProperties rod(double mass, const Vec3& along) {
  const double x = along[0], y = along[1], third = mass / 3;
  return {mass, 0.5 * along, Inertia(third * y * y, third * x * x, third * (x * x + y * y), -third * x * y, 0, 0)};
}

const Rotation about_y(-Pi / 2, XAxis);  // turns z to y

void chain(int count, Mechanism& m) {
  m.second = 2;
  Force::Gravity(m.forces, m.matter, Vec3(0, 0, -9.81));
  const double across = 0.2 * (0.2 * 0.2 + 0.02 * 0.02) / 12, along = 0.2 * 0.02 * 0.02 / 6;
  // Inertia of a body is about its origin, the hinge.
  const double shifted = across + 0.2 * 0.1 * 0.1;
  const Body::Rigid link(MassProperties(0.2, Vec3(0.1, 0, 0), Inertia(along, shifted, shifted)));
  m.last = m.matter.Ground();
  for (int k = 0; k < count; ++k) {
    const Rotation axis = k % 2 == 0 ? Rotation() : about_y;
    m.last = MobilizedBody::Pin(m.last, Transform(axis, Vec3(k == 0 ? 0 : 0.2, 0, 0)), link, Transform(axis));
  }
  m.station = Vec3(0.2, 0, 0);
}

void five_bar(Mechanism& m) {
  Force::Gravity(m.forces, m.matter, Vec3(0, -9.81, 0));
  const Vec3 places[] = {Vec3(-1, 0, 0), Vec3(-1.5, 1, 0), Vec3(0, 2, 0), Vec3(1, 1, 0), Vec3(0.5, 0, 0)};
  const double masses[] = {1, 1.5, 1.5, 1};
  std::vector<MobilizedBody> bars;
  // Every bar has its axes as those of space at the start.
  for (int k = 0; k < 4; ++k) {
    const Body::Rigid bar(rod(masses[k], places[k + 1] - places[k]));
    MobilizedBody parent = k == 0 ? MobilizedBody(m.matter.Ground()) : bars.back();
    const Vec3 at = k == 0 ? places[0] : Vec3(places[k] - places[k - 1]);
    bars.push_back(MobilizedBody::Pin(parent, Transform(at), bar, Transform()));
  }
  const Vec3 end = places[4] - places[3];
  Constraint::PointInPlane(m.matter.Ground(), UnitVec3(1, 0, 0), places[4][0], bars[3], end);
  Constraint::PointInPlane(m.matter.Ground(), UnitVec3(0, 1, 0), places[4][1], bars[3], end);
  m.last = bars[1];
  m.station = places[2] - places[1];
  Force::TwoPointLinearSpring(m.forces, m.matter.Ground(), places[0], m.last, m.station, 100, std::sqrt(5.0));
  Force::TwoPointLinearSpring(m.forces, m.matter.Ground(), places[4], m.last, m.station, 100, std::sqrt(4.25));
}

// Its three coordinates: the crank pin, and the slider along x.
void slider_crank(Mechanism& m) {
  Force::Gravity(m.forces, m.matter, Vec3(0, -9.81, 0));
  const double r = 0.2, L = 0.5, angle = 0.6, rate = 10, x = r * std::cos(angle), y = r * std::sin(angle);
  const Vec3 pin(x, y, 0), along(std::sqrt(L * L - y * y), -y, 0);
  const Body::Rigid crank(rod(0.4, pin));
  MobilizedBody first = MobilizedBody::Pin(m.matter.Ground(), Transform(), crank, Transform());
  // The slider is a point on the end of the rod.
  const double mass = 1, slider = 1.5;
  const MassProperties bar = rod(mass, along);
  const Vec3 center = (mass * 0.5 * along + slider * along) / (mass + slider);
  const Body::Rigid both(MassProperties(mass + slider, center, bar.getInertia() + Inertia(along, slider)));
  m.last = MobilizedBody::Pin(first, Transform(pin), both, Transform());
  m.station = along;
  Constraint::PointInPlane(m.matter.Ground(), UnitVec3(0, 1, 0), 0, m.last, along);
  // The end of the rod stays on the rail: rate x + (rate + relative) along_x = 0.
  m.rates = {{first, rate}, {m.last, -rate * x / along[0] - rate}};
  m.on_rail = true;
  m.inner = first;
  m.inner_station = pin;
}

// Uprights on hinges, the crossbars on their ends, each closed on the next upright.
void ladder(int count, Mechanism& m) {
  Force::Gravity(m.forces, m.matter, Vec3(0, -9.81, 0));
  const Vec3 up(0, 1, 0), across(1, 0, 0);
  const Body::Rigid upright(rod(1, up)), crossbar(rod(1, across));
  MobilizedBody open;
  for (int k = 0; k <= count; ++k) {
    MobilizedBody::Pin bar(m.matter.Ground(), Transform(Vec3(k, 0, 0)), upright, Transform());
    m.rates.push_back({bar, -1});
    if (k > 0) {
      Constraint::PointInPlane(bar, UnitVec3(1, 0, 0), 0, open, across);
      Constraint::PointInPlane(bar, UnitVec3(0, 1, 0), 1, open, across);
    }
    if (k == 0) m.inner = bar;
    m.last = bar;
    if (k == count) break;
    open = MobilizedBody::Pin(bar, Transform(up), crossbar, Transform());
    m.rates.push_back({open, 1});
  }
  m.station = m.inner_station = up;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string problem = count == 4 ? arguments[1] : "";
  Mechanism m;
  if (problem.rfind("chain-", 0) == 0) {
    chain(std::atoi(problem.c_str() + 6), m);
  } else if (problem == "five-bar" || problem == "five-bar-spatial") {
    five_bar(m);
  } else if (problem == "slider-crank" || problem == "slider-crank-spatial") {
    slider_crank(m);
  } else if (problem == "ladder") {
    ladder(40, m);
  } else {
    std::fprintf(stderr,
                 "usage: perilune_peer_simbody chain-N|slider-crank|slider-crank-spatial|ladder|five-bar|"
                 "five-bar-spatial end accuracy\n");
    return 2;
  }
  const double end = std::atof(arguments[2]), accuracy = std::atof(arguments[3]);
  m.system.realizeTopology();
  State start = m.system.getDefaultState();
  m.system.realizeModel(start);
  for (const auto& [body, rate] : m.rates) body.setOneU(start, 0, rate);
  std::unique_ptr<RungeKuttaMersonIntegrator> integrator;
  const double seconds = fastest([&] {
    integrator = std::make_unique<RungeKuttaMersonIntegrator>(m.system);
    integrator->setAccuracy(accuracy);
    integrator->setFinalTime(end);
    integrator->initialize(start);
    while (integrator->getTime() < end && !integrator->isSimulationOver()) integrator->stepTo(end);
  });
  const State& state = integrator->getState();
  m.system.realize(state, Stage::Position);
  const Vec3 tip = m.last.findStationLocationInGround(state, m.station);
  std::printf("%.9g %d", seconds, integrator->getNumStepsTaken());
  if (!m.inner.isEmptyHandle()) {
    const Vec3 inner = m.inner.findStationLocationInGround(state, m.inner_station);
    std::printf(" %.17g %.17g", inner[0], inner[1]);
  }
  std::printf(" %.17g", tip[0]);
  if (!m.on_rail) std::printf(" %.17g", tip[m.second]);
  std::printf("\n");
  return 0;
}
