// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#if defined(__SANITIZE_ADDRESS__) && (defined(NDEBUG) || !defined(_GLIBCXX_ASSERTIONS))
#error "the sanitizer build goes without the assertions of Eigen and of the C++ library"
#endif
