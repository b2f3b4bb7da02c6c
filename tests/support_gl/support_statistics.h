// SPDX-License-Identifier: MIT
// The statistics of a method's discrete answer, as one structure.
#ifndef GRZ_TESTS_SUPPORT_STATISTICS_H
#define GRZ_TESTS_SUPPORT_STATISTICS_H

#include <graze/discrete.h>

#include <string.h>

typedef struct test_statistics {
    uint64_t resolution, slices, cells; // slices
    uint64_t layers, sets;              // layers
    uint64_t leaf_pairs, hits;          // selection; `hits` also of heightmap
    uint64_t maps, pixels;              // heightmap
} test_statistics;

// Read what there is. True if the last query's answer was a discrete one of this method, which alone has `mark`.
static inline bool test_statistics_read(const grz_result *result, const char *method, test_statistics *out)
{
    test_statistics read = {0};
    const char *mark = strcmp(method, "slices") == 0      ? "slices"
                       : strcmp(method, "layers") == 0    ? "layers"
                       : strcmp(method, "selection") == 0 ? "leaf_pairs"
                                                          : "maps";
    const struct {
        const char *name;
        uint64_t *value;
    } all[] = {{"resolution", &read.resolution},
               {"slices", &read.slices},
               {"cells", &read.cells},
               {"layers", &read.layers},
               {"sets", &read.sets},
               {"leaf_pairs", &read.leaf_pairs},
               {"hits", &read.hits},
               {"maps", &read.maps},
               {"pixels", &read.pixels}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (void)grz_result_statistic(result, all[i].name, all[i].value);
    if (out != NULL)
        *out = read;
    return grz_result_statistic(result, mark, NULL);
}

#endif
