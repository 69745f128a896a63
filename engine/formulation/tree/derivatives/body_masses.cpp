// SPDX-License-Identifier: MIT
#include "formulation/tree/derivatives/body_masses.hpp"

#include <algorithm>
#include <utility>

#include "model/element/registry.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

constexpr std::pair<int, int> places[] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

bool is_any(const auto& columns) {
  return std::any_of(columns.begin(), columns.end(), [](int column) { return column >= 0; });
}

}  // namespace

std::optional<BodyMasses> BodyMasses::of(const std::vector<system::Elements>& elements, const Link& link,
                                         std::size_t number) {
  for (const system::Elements& each : elements) {
    const bool has_offset = each.kernel.get() == &model::kernel_of("spatial_body/offset");
    if (!has_offset && each.kernel.get() != &model::kernel_of("spatial_body")) continue;
    const int nq = each.kernel->coordinate_count(), nd = each.kernel->data_count();
    for (int e = 0; e < each.batch.count; ++e) {
      if (each.batch.coordinates[static_cast<std::size_t>(e * nq)] != link.body) continue;
      BodyMasses out;
      out.number_ = number;
      out.body_ = link.body;
      out.mass_ = link.mass;
      out.centre_ = four(link.centre);
      out.gravity_ = four(link.gravity);
      out.inertia_ = {four(link.inertia.col(0)), four(link.inertia.col(1)), four(link.inertia.col(2))};
      const int* column = each.datum.data() + e * nd;
      out.of_mass_ = *column++;
      if (has_offset) {
        std::copy_n(column, 3, out.of_centre_.begin());
        column += 3;
      }
      std::copy_n(column, entries, out.of_inertia_.begin());
      std::copy_n(column + entries, 3, out.of_gravity_.begin());
      if (out.of_mass_ < 0 && !is_any(out.of_centre_) && !is_any(out.of_inertia_) && !is_any(out.of_gravity_)) {
        return std::nullopt;
      }
      return out;
    }
  }
  return std::nullopt;
}

BodyMasses::Motion BodyMasses::motion(const HingedState& s) const {
  const Four x = times(s.A, centre_), from_o = s.reference + x;
  return {x, s.a + s.turning + cross(s.alpha, from_o) + cross(s.omega, cross(s.omega, x)) - gravity_};
}

void BodyMasses::subtract_transposed(const HingedState& s, const LinkAdjoint& own, double* of_data) const {
  const auto [x, specific] = motion(s);
  const Four &mu = own.mu_omega, mu_c = own.mu_v + cross(mu, s.reference + x);
  if (of_mass_ >= 0) of_data[of_mass_] -= dot(mu_c, specific);
  if (is_any(of_centre_)) {
    const Four by_x = cross(specific, mu) + cross(mu_c, s.alpha) + cross(cross(mu_c, s.omega), s.omega);
    const Four by_centre = all(mass_) * transposed_times(s.A, by_x);
    for (int i = 0; i < 3; ++i) {
      const int column = of_centre_[static_cast<std::size_t>(i)];
      if (column >= 0) of_data[column] -= by_centre[i];
    }
  }
  if (is_any(of_inertia_)) {
    const Four turn = transposed_times(s.A, mu), alpha = transposed_times(s.A, s.alpha),
               omega = transposed_times(s.A, s.omega), across = cross(turn, omega);
    for (std::size_t i = 0; i < entries; ++i) {
      if (of_inertia_[i] < 0) continue;
      const auto [k, l] = places[i];
      double sum = turn[k] * alpha[l] + across[k] * omega[l];
      if (k != l) sum += turn[l] * alpha[k] + across[l] * omega[k];
      of_data[of_inertia_[i]] -= sum;
    }
  }
  for (int i = 0; i < 3; ++i) {
    const int column = of_gravity_[static_cast<std::size_t>(i)];
    if (column >= 0) of_data[column] += mass_ * mu_c[i];
  }
}

void BodyMasses::subtract_product(const HingedState& s, const double* of_data, int count, double* out) const {
  const auto [x, specific] = motion(s);
  const Four omega = transposed_times(s.A, s.omega), alpha = transposed_times(s.A, s.alpha);
  for (int direction = 0; direction < count; ++direction) {
    const auto change = [&](int column) { return column < 0 ? 0 : of_data[column * count + direction]; };
    if (!is_changed(change)) continue;
    const Four dg = four(change(of_gravity_[0]), change(of_gravity_[1]), change(of_gravity_[2]));
    const Four dx = times(s.A, four(change(of_centre_[0]), change(of_centre_[1]), change(of_centre_[2])));
    const Four force =
        all(change(of_mass_)) * specific + all(mass_) * (cross(s.alpha, dx) + cross(s.omega, cross(s.omega, dx)) - dg);
    Four of_alpha = all(0), of_omega = all(0);  // dJ alpha and dJ omega, on the link
    for (std::size_t i = 0; i < entries; ++i) {
      const auto [k, l] = places[i];
      const double each = change(of_inertia_[i]);
      of_alpha[k] += each * alpha[l];
      of_omega[k] += each * omega[l];
      if (k == l) continue;
      of_alpha[l] += each * alpha[k];
      of_omega[l] += each * omega[k];
    }
    const Four weight = all(mass_) * specific;
    const Four moment = cross(dx, weight) + cross(x, force) + times(s.A, of_alpha + cross(omega, of_omega));
    const double along = 2 * (dot(dx, weight) + dot(x, force) - dot(omega, of_omega));
    const Four of_p = all(2) * turned(moment, s.p) + all(along) * s.p;
    for (int i = 0; i < 3; ++i) out[(body_ + i) * count + direction] -= force[i];
    for (int i = 0; i < 4; ++i) out[(body_ + 3 + i) * count + direction] -= of_p[i];
  }
}

}  // namespace perilune::formulation
