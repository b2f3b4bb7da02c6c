// SPDX-License-Identifier: MIT
// Linked into every test in a build with the thread sanitizer: GRZ_TEST_CASE in the environment names the case to run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void run_only_the_named_case(void)
{
    const char *name = getenv("GRZ_TEST_CASE");
    if (name)
        cmocka_set_test_filter(name);
}
