// SPDX-License-Identifier: MIT
// Doubles that are stored as floats and read again are rounded, also by a compiler that works hard: bounds that are
// kept as floats rest on it. Compiled at -O3 (tests/CMakeLists.txt). gcc 12.2 left one of nine roundings out before
// cmake/GrazeFlags.cmake switched off the pass that did it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static volatile double one = 1.0; // the compiler does not know it

static void make(double a[3][3])
{
    for (int i = 0; i < 9; i++)
        a[i / 3][i % 3] = one / (i + 3);
}

// As a box with axes of floats is fitted: what is computed from the axes has to use the floats.
static __attribute__((noinline)) void round_axes(float *volume, void (*fill)(double a[3][3]), double squares[3])
{
    double axes[3][3];
    fill(axes);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            volume[3 + 3 * k + j] = (float)axes[k][j];
            axes[k][j] = (double)volume[3 + 3 * k + j];
        }
    for (int k = 0; k < 3; k++)
        squares[k] = axes[k][0] * axes[k][0] + axes[k][1] * axes[k][1] + axes[k][2] * axes[k][2];
}

static void roundings_to_float_are_not_left_out(void **state)
{
    (void)state;
    float volume[12];
    double squares[3];
    round_axes(volume, make, squares);
    for (int k = 0; k < 3; k++) {
        volatile double x[3];
        for (int j = 0; j < 3; j++) {
            volatile float rounded = (float)(one / (3 * k + j + 3));
            assert_true(volume[3 + 3 * k + j] == rounded);
            x[j] = (double)rounded;
        }
        assert_true(squares[k] == x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(roundings_to_float_are_not_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
