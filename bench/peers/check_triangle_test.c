// SPDX-License-Identifier: MIT
// Holds the benchmark's own triangle test (triangle_test.c) against the library's exact one on random pairs: of any size, on a small
// grid, where most are degenerate or touch, and near each other's planes.
#include "peer.h"

#include "geometry/triangle_pair.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>

enum {
    PAIRS = 1000000
};

static void draw(shape_random *random, int class, double triangle[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double x = shape_random_in(random, -1, 1);
            triangle[i][j] = class == 0 ? x : class == 1 ? round(2 * x) : j < 2 ? x : 1e-16 * round(3 * x);
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
