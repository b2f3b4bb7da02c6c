// SPDX-License-Identifier: MIT
// Measures method `slices`: its discrete answer against the figures of its paper (paper.c), its exact one against other
// libraries (image/grid/propose.c); docs/internals/slices.md has the results. Times are of one core; shaders and
// context are ready before any measurement begins. Meshes, poses and the other libraries are those of the benchmark
// `peers`.
// Usage: slices [--quick] [--parts PART,…] [--csv FILE] [--plot FILE.png]
#include "paper.h"

int main(int argc, char **argv)
{
    static const bench_part parts[] = {{"table1", table1},   {"thin", thin},       {"figure4", figure4},
                                       {"figure5", figure5}, {"deform", deform},   {"models", models},
                                       {"closer", closer},   {"single", single},   {"rates", rates},
                                       {"outside", outside}, {"rebuild", rebuild}, {"batch", batch}};
    run r = {.method = "slices"};
    return run_parts(&r, argc, argv, parts, sizeof parts / sizeof *parts,
                     "part,name,x,value,least,most,missed,invented,paper", SLICES_SOURCE);
}
