// SPDX-License-Identifier: MIT
#include <cstdio>

#include "analysis/core/version.hpp"

int main() { std::puts(gammascope::version_line().c_str()); }
