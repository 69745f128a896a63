// SPDX-License-Identifier: MIT
#include "model/friction/friction_kinds.hpp"

#include <algorithm>

namespace perilune::model {

namespace {

using Given = GivenFriction<Symbol>;
using Values = GivenFriction<double>;

ForceField coefficient_field() {
  return {.name = "coefficient", .text = "mu", .unit = "1", .bound = Bound::NonNegative, .required = true};
}

ForceField speed_field(std::string_view name, std::string_view text, std::string_view fallback) {
  return {.name = name, .text = text, .unit = "m/s", .fallback = fallback, .bound = Bound::Positive};
}

std::vector<ForceField> static_and_dynamic() {
  return {{.name = "static", .text = "mu_s", .unit = "1", .bound = Bound::NonNegative, .required = true},
          {.name = "dynamic", .text = "mu_d", .unit = "1", .bound = Bound::NonNegative, .required = true}};
}

std::vector<ForceField> joined(std::vector<ForceField> a, const std::vector<ForceField>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string falls(const Values& given) {
  return given.number("static") < given.number("dynamic") ? "static must not be less than dynamic" : "";
}

std::vector<FrictionKind> smooth_coulomb() {
  return {
      {.name = "coulomb",
       .summary = "Coulomb's friction, smooth where the slip changes its direction. It cannot hold a load at rest: a\n"
                  "load T < mu N creeps at vs T / sqrt(mu^2 N^2 - T^2). A smaller vs creeps less, and is stiffer.",
       .fields = {coefficient_field(),
                  speed_field("regularization", "vs, slip at which friction has 71 % of mu N", "1e-3")},
       .equations = "f = -mu N v / sqrt(v.v + vs^2)",
       .see_also = {"contact", "revolute", "coulomb_tanh", "brown_mcphee", "static_friction"},
       .make = [](const Given& g) -> Friction { return coulomb(g.number("coefficient"), g.number("regularization")); }},
      {.name = "coulomb_tanh",
       .summary =
           "Coulomb's friction with a hyperbolic tangent of the slip: within 1e-4 of mu N from 5.3 vs on, sooner\n"
           "than mbs.coulomb. A load T < mu N creeps at vs artanh(T / (mu N)).",
       .fields = {coefficient_field(),
                  speed_field("regularization", "vs, slip at which friction has 76 % of mu N", "1e-3")},
       .equations = "f = -mu N tanh(|v| / vs) v / |v|",
       .see_also = {"contact", "revolute", "coulomb", "coulomb_cubic", "threlfall"},
       .make = [](const Given& g) -> Friction {
         return coulomb_tanh(g.number("coefficient"), g.number("regularization"));
       }},
      {.name = "coulomb_cubic",
       .summary =
           "Coulomb's friction with a cubic of the slip up to vs, and exactly mu N beyond. A load T < mu N creeps\n"
           "at vs x where x (3 - x^2) / 2 = T / (mu N), nearly 2/3 vs T / (mu N) for a small one.",
       .fields = {coefficient_field(), speed_field("regularization", "vs, slip from which all of it acts", "1e-3")},
       .equations = "f = -mu N c v / |v|, c = x (3 - x^2) / 2 of x = |v| / vs below 1, and 1 beyond",
       .see_also = {"contact", "revolute", "coulomb", "coulomb_tanh", "ambrosio"},
       .make = [](const Given& g) -> Friction {
         return coulomb_cubic(g.number("coefficient"), g.number("regularization"));
       }},
      {.name = "threlfall",
       .summary =
           "Coulomb's friction with an exponential of the slip, up to 95 % of mu N, which it keeps from vr on. A\n"
           "load T below that creeps at -vr / 3 ln(1 - T / (mu N)).",
       .fields = {coefficient_field(), speed_field("regularization", "vr, slip from which it keeps its size", "1e-3")},
       .equations = "f = -mu N c v / |v|, c = 1 - exp(-3 |v| / vr) below vr, and 1 - exp(-3) beyond (Threlfall 1978)",
       .see_also = {"contact", "revolute", "coulomb", "coulomb_tanh"},
       .make = [](const Given& g) -> Friction {
         return threlfall(g.number("coefficient"), g.number("regularization"));
       }},
      {.name = "ambrosio",
       .summary =
           "Coulomb's friction that rises over a range of slip. It cannot hold a load at rest: the contact creeps\n"
           "between v0 and v1, at v0 + (v1 - v0) T / (mu N) under a load T < mu N. As a damper it has mu N / v1:\n"
           "the default range is that of the source, and stiff (1.4e6 N s/m at 14 N); use implicit integrators.",
       .fields = {coefficient_field(), speed_field("v0", "slip below which there is none", "1e-8"),
                  speed_field("v1", "slip from which all acts", "1e-5")},
       .equations = "f = -mu c_d N v / |v|, c_d = 0 below v0, (|v| - v0) / (v1 - v0) between, 1 above v1 (Zhu 2014,\n"
                    "eqs. 5.22 and 5.23)",
       .see_also = {"contact", "coulomb", "coulomb_cubic", "static_friction"},
       .make = [](const Given& g) -> Friction {
         return ambrosio(g.number("coefficient"), g.number("v0"), g.number("v1"));
       },
       .fault = [](const Values& v) -> std::string {
         return v.number("v0") < v.number("v1") ? "" : "v0 must be less than v1";
       }}};
}

std::vector<FrictionKind> falling_and_viscous() {
  return {
      {.name = "brown_mcphee",
       .summary =
           "Friction that rises to a static coefficient at the transition slip and falls to the dynamic one beyond,\n"
           "smooth everywhere. It cannot hold a load at rest: below the transition it creeps, a small load T at\n"
           "T vt / (N (4 mu_d + 16/9 (mu_s - mu_d))).",
       .fields = joined(static_and_dynamic(), {speed_field("transition", "vt", "1e-2")}),
       .equations = "f = -mu(|v|) N v / |v|, x = |v| / vt: mu = mu_d tanh(4 x) + (mu_s - mu_d) x / (x^2 / 4 + 3/4)^2\n"
                    "(Brown and McPhee 2016; Verulkar et al. 2023, eq. 1)",
       .see_also = {"contact", "revolute", "coulomb", "stribeck", "static_friction", "gonthier"},
       .make = [](const Given& g) -> Friction {
         return brown_mcphee(g.number("static"), g.number("dynamic"), g.number("transition"));
       },
       .fault = falls},
      {.name = "stribeck",
       .summary =
           "Friction that falls from a static to a dynamic coefficient over the Stribeck speed, and a viscous part\n"
           "that grows with the slip and does not ask for the load. It cannot hold a load at rest: a small load T\n"
           "creeps at nearly vr T / (mu_s N).",
       .fields =
           joined(static_and_dynamic(), {speed_field("stribeck_speed", "vs, over which friction falls", "1e-2"),
                                         speed_field("regularization", "vr, over which it turns its direction", "1e-3"),
                                         {.name = "damping",
                                          .text = "c, of the viscous part",
                                          .unit = "N s/m",
                                          .fallback = "0",
                                          .bound = Bound::NonNegative}}),
       .equations = "f = -N (mu_d + (mu_s - mu_d) exp(-(|v| / vs)^2)) tanh(|v| / vr) v / |v| - c v",
       .see_also = {"contact", "revolute", "brown_mcphee", "coulomb_tanh", "viscous", "lugre"},
       .make = [](const Given& g) -> Friction {
         return stribeck(g.number("static"), g.number("dynamic"), g.number("stribeck_speed"),
                         g.number("regularization"), g.number("damping"));
       },
       .fault = [](const Values& v) -> std::string {
         if (std::string fault = falls(v); !fault.empty()) return fault;
         return v.number("regularization") < v.number("stribeck_speed")
                    ? ""
                    : "regularization must be less than stribeck_speed, or friction has turned before it falls";
       }},
      {.name = "viscous",
       .summary = "Friction of a film of oil, in proportion to the slip, whatever the load.",
       .fields = {{.name = "damping", .text = "c", .unit = "N s/m", .bound = Bound::NonNegative, .required = true}},
       .equations = "f = -c v",
       .see_also = {"contact", "revolute", "stribeck", "coulomb"},
       .make = [](const Given& g) -> Friction { return viscous(g.number("damping")); }},
      {.name = "static_friction",
       .summary =
           "Friction of a spring and damper along the surface between b and an anchor, which is where b touched\n"
           "down. It holds a load at rest, without creep, at the deflection T / K. With a coefficient the anchor\n"
           "slides where the force would exceed mu N; without one it holds any force, as in the source. The stretch\n"
           "of the spring is a first-order state of each place, which takes D / K to follow when b slides, or to\n"
           "forget its anchor when b lifts off: a touch within less than that begins with what is left. On a curved\n"
           "terrain or a ball the stretch does not turn with the surface; what leaves the tangent plane dies away\n"
           "with D / K too, and rolling drifts by that. m:equilibrium stretches an anchor by the way that b has gone\n"
           "along the surface from where it is declared, as if it had touched there; turning counts as small. In a\n"
           "joint the anchor begins unstretched where the joint is declared.",
       .fields = {{.name = "stiffness",
                   .text = "K, along the surface",
                   .unit = "N/m",
                   .bound = Bound::Positive,
                   .required = true},
                  {.name = "damping",
                   .text = "D, along the surface",
                   .unit = "N s/m",
                   .bound = Bound::Positive,
                   .required = true},
                  {.name = "coefficient",
                   .text = "mu, the limit of friction",
                   .unit = "1",
                   .fallback = "none: no limit",
                   .bound = Bound::NonNegative}},
       .equations = "p = K s + D v, f = -p min(1, mu N / |p|), or f = -p without a limit (Zhu 2014, chapter 5); 0 out\n"
                    "of contact. s' = -(f + K s) / D: the slip v where the anchor holds, less where it slides.",
       .see_also = {"contact", "revolute", "coulomb", "ambrosio", "brown_mcphee", "elasto_plastic"},
       .make = [](const Given& g) -> Friction {
         return StaticFriction{g.number("stiffness"), g.number("damping"), g.optional_number("coefficient")};
       }}};
}

ForceField bristle_field(std::string_view name, std::string_view text, std::string_view unit, Bound bound,
                         std::string_view fallback = "") {
  return {.name = name, .text = text, .unit = unit, .fallback = fallback, .bound = bound, .required = fallback.empty()};
}

ForceField bristle_stiffness() {
  return bristle_field("stiffness", "sigma_0, of the bristles", "N/m", Bound::Positive);
}
ForceField release_field() {
  return bristle_field("release", "tau, in which bristles forget out of contact", "s", Bound::Positive, "1e-3");
}

/// Of those whose limit falls with the slip.
std::vector<ForceField> bristle_fields(Bound of_damping) {
  return joined(static_and_dynamic(),
                {bristle_stiffness(), bristle_field("damping", "sigma_1, of the bristles", "N s/m", of_damping),
                 speed_field("stribeck_speed", "vs, over which friction falls", "1e-2"),
                 bristle_field("viscous", "sigma_2, of the slip", "N s/m", Bound::NonNegative, "0"), release_field()});
}

StribeckCurve curve_of(const Given& g) { return {g.number("static"), g.number("dynamic"), g.number("stribeck_speed")}; }
BristleNumbers bristles_of_fields(const Given& g) {
  return {g.number("stiffness"), g.number("damping"), g.number("viscous"), g.number("release")};
}

std::vector<FrictionKind> with_bristles() {
  return {
      {.name = "dahl",
       .summary =
           "Friction of bristles that bend before they slide, as far as mu N / sigma_0, by the way alone, not by the\n"
           "speed. A constant load T < mu N does not move it; one that swings lets it drift, the faster the closer\n"
           "it comes to mu N. The bend is a state of each direction of slip, along a's axes, and begins at zero: the\n"
           "signals stretch, stretch2, ... of a joint, stretch_x, ... of a contact. m:equilibrium bends bristles by\n"
           "the way that b has gone from where it is declared, as far as friction holds, or not at all where what\n"
           "turns has no way. |v| is rounded below 1e-9 m/s. Bristles that rest do not feel that a load falls:\n"
           "until they slide they hold more than mu N.",
       .fields = {coefficient_field(), bristle_stiffness(), release_field()},
       .equations = "f = -sigma_0 z, z' = v - sigma_0 |v| z / (mu N) (Dahl 1968); 0 out of contact, z' = -z / tau.\n"
                    "From z = 0 on, f = -mu N (1 - exp(-sigma_0 x / (mu N))) after the way x.",
       .see_also = {"contact", "revolute", "lugre", "elasto_plastic", "static_friction"},
       .make = [](const Given& g) -> Friction {
         return dahl(g.number("coefficient"), g.number("stiffness"), g.number("release"));
       }},
      {.name = "lugre",
       .summary =
           "Friction of damped bristles whose limit falls with the slip from the static to the dynamic coefficient.\n"
           "What mbs.dahl says of states, rest and drift holds here, too. The damper never brakes more than g: so\n"
           "friction gives back no energy, and does not exceed g + sigma_2 |v| unless the load falls at rest.\n"
           "In the source its damping c is sigma_1 at every slip.",
       .fields = bristle_fields(Bound::NonNegative),
       .equations = "f = -sigma_0 z - c z' - sigma_2 v, z' = v - sigma_0 |v| z / g; 0 out of contact, z' = -z / tau\n"
                    "c = sigma_1 / sqrt(1 + (sigma_1 |v| / g)^2)\n"
                    "g = N (mu_d + (mu_s - mu_d) exp(-(|v| / vs)^2)) (Canudas de Wit, Olsson, Astrom, Lischinsky 1995)",
       .see_also = {"contact", "revolute", "dahl", "elasto_plastic", "gonthier", "stribeck"},
       .make = [](const Given& g) -> Friction { return lugre(curve_of(g), bristles_of_fields(g)); },
       .fault = falls},
      {.name = "elasto_plastic",
       .summary =
           "The bristles of mbs.lugre, which bend like springs up to a part of what the dynamic coefficient holds,\n"
           "and begin to slide beyond: a load below that does not let it drift, however it swings. In several\n"
           "directions bristles slide only along their bend, as what is plastic does.",
       .fields = joined(bristle_fields(Bound::NonNegative),
                        {bristle_field("breakaway", "b, part of mu_d N up to which nothing slides", "1",
                                       Bound::NonNegative, "0.7")}),
       .equations =
           "f = -sigma_0 z - c z' - sigma_2 v, z' = v - alpha max(0, v.z) z / (|z| z_m), z_m = g / sigma_0\n"
           "g as in mbs.lugre, c too with 2 / pi (g - b mu_d N) for g; alpha = (1 - cos(pi x)) / 2 with\n"
           "x = (|z| - z_b) / (z_m - z_b) from 0 to 1, z_b = b mu_d N / sigma_0; 0 out of contact, z' = -z / tau\n"
           "(Dupont, Hayward, Armstrong and Altpeter 2002)",
       .see_also = {"contact", "revolute", "lugre", "static_friction", "dahl"},
       .make = [](const Given& g) -> Friction {
         return elasto_plastic(curve_of(g), bristles_of_fields(g), g.number("breakaway"));
       },
       .fault = [](const Values& v) -> std::string {
         if (std::string fault = falls(v); !fault.empty()) return fault;
         return v.number("breakaway") < 1 ? "" : "breakaway must be less than 1: it is a part of mu_d N";
       }},
      {.name = "gonthier",
       .summary =
           "Friction of bristles that stick below the Stribeck speed and follow the direction of the slip above,\n"
           "with a limit of their force that grows to the static coefficient while they rest. How long they have,\n"
           "from 0 to 1, is a state (dwell), which begins at 1, as after a long rest, and falls within\n"
           "sigma_1 / sigma_0 where b slides. A constant load T < mu_s N does not move it; one that swings lets it\n"
           "drift, with the square of v / vs. Bends and equilibria are those of mbs.dahl.",
       .fields =
           joined(bristle_fields(Bound::Positive),
                  {speed_field("regularization", "vr, slip below which its direction turns smoothly", "1e-3"),
                   bristle_field("dwell_time", "T, of rest, in which the limit grows", "s", Bound::Positive, "0.05")}),
       .equations = "f = -p min(1, N (mu_d + (mu_s - mu_d) d) / |p|) - sigma_2 v, p = sigma_0 z + sigma_1 z'\n"
                    "z' = s v + (1 - s) (mu_d N dir(v) - sigma_0 z) / sigma_1, s = exp(-(|v| / vs)^2)\n"
                    "d' = (s - d) / T while s > d, else (s - d) sigma_0 / sigma_1; dir(v) = v / |v| from vr on, below\n"
                    "(3 - x^2) / 2 v / vr of x = |v| / vr; 0 out of contact, z' = -z / tau, d' = -d / tau\n"
                    "(Gonthier, McPhee, Lange and Piedboeuf 2004)",
       .see_also = {"contact", "revolute", "lugre", "brown_mcphee", "static_friction"},
       .make = [](const Given& g) -> Friction {
         return gonthier(curve_of(g), bristles_of_fields(g), g.number("regularization"), g.number("dwell_time"));
       },
       .fault = [](const Values& v) -> std::string {
         if (std::string fault = falls(v); !fault.empty()) return fault;
         return v.number("regularization") < v.number("stribeck_speed")
                    ? ""
                    : "regularization must be less than stribeck_speed, or the direction turns while it slides";
       }}};
}

}  // namespace

const std::vector<FrictionKind>& friction_kinds() {
  static const std::vector<FrictionKind> kinds = [] {
    std::vector<FrictionKind> all = smooth_coulomb();
    for (auto* more : {falling_and_viscous, with_bristles}) {
      for (FrictionKind& kind : more()) all.push_back(std::move(kind));
    }
    return all;
  }();
  return kinds;
}

const FrictionKind* find_friction_kind(std::string_view name) {
  const auto& all = friction_kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FrictionKind& kind) { return kind.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace perilune::model
