#pragma once
// What is behind eco::Problem.

#include <eco/solver.h>

#include "core/base/error.h"
#include "core/instance/instance.h"

namespace eco {

struct Problem::Data {
  Instance instance;
};

}  // namespace eco
