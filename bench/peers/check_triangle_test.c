// SPDX-License-Identifier: MIT
// Compares the benchmark's own triangle test (triangle_test.c) with the library's exact one on random pairs: of any
// size; on a small grid, where many are degenerate or touch; and in one plane apart from rounding.
#include "peer.h"

#include "geometry/triangle/pair.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>

enum {
    PAIRS = 1000000
};

static void draw(shape_random *random, int class, double corner[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double x = shape_random_in(random, -1, 1);
            corner[i][j] = class == 1 ? round(2 * x) : x;
        }
        if (class == 2) // in one plane but for rounding
            corner[i][2] = 0.3 * corner[i][0] + 0.7 * corner[i][1];
    }
}

int main(void)
{
    shape_random random = {1};
    int touching = 0;
    for (int i = 0; i < PAIRS; i++) {
        double a[3][3], b[3][3];
        draw(&random, i % 3, a);
        draw(&random, i % 3, b);
        const bool exact = grz_triangles_touch((const double(*)[3])a, (const double(*)[3])b);
        touching += exact;
        if (peer_triangles_touch((const double(*)[3])a, (const double(*)[3])b) != exact) {
            printf("pair %d of seed 1, class %d: the exact answer is %s\n", i, i % 3, exact ? "yes" : "no");
            return 1;
        }
    }
    printf("%d pairs, %d touch, all as the exact test says\n", PAIRS, touching);
    return touching > PAIRS / 10 && touching < PAIRS * 9 / 10 ? 0 : 1;
}
