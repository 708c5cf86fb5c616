#pragma once
// The part of LibTorch that training uses, compiled once as the precompiled header of eco_train and
// of everything that links it. Nothing else includes a LibTorch header.

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>
