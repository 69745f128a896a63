// SPDX-License-Identifier: MIT
// Printed numbers: the value, and half a unit of its last digit as the error that the print itself admits.
#pragma once
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>

struct Printed {
  double value, half_unit;
  Printed(const char* text) : value(std::strtod(text, nullptr)) {  // NOLINT: tables of printed numbers read as such
    const std::string digits(text);
    const std::size_t e = digits.find_first_of("eE"), end = e == std::string::npos ? digits.size() : e;
    const std::size_t point = digits.find('.');
    const int decimals = point < end ? static_cast<int>(end - point) - 1 : 0;
    const int exponent = e == std::string::npos ? 0 : std::atoi(digits.c_str() + e + 1);
    half_unit = 0.5 * std::pow(10.0, exponent - decimals);
  }
};

/// True if `x` rounds to the print, give or take `slack` units of the last digit.
inline bool matches(double x, const Printed& print, double slack = 0) {
  return std::abs(x - print.value) <= (1 + 2 * slack) * print.half_unit * (1 + 1e-9);
}
