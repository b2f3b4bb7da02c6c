// SPDX-License-Identifier: MIT
// The library's methods and one more (test_methods.c).
#include "query/method_list.h"
METHOD(toy)
