// SPDX-License-Identifier: MIT
// Every query checks the others (agreement.h): ten thousand situations of sixteen kinds. With arguments, others:
//   test_agreement SITUATIONS [SEED]   so many, from this seed on; 1 SEED repeats one
// GRZ_AGREEMENT_DUMP=FOLDER writes each situation that breaks a law as two OBJ files.
// ctest: timeout 600
// ctest: long
#include <stdlib.h>

#include "agreement.h"
#include "support_sanitizer.h"

enum {
    SITUATIONS = TEST_SANITIZED ? 640 : 10000,
    ALL_LAWS_APPLY = 600 // situations, and more
};

static uint64_t argument(int argc, char **argv, int i, uint64_t otherwise)
{
    return argc > i ? strtoull(argv[i], NULL, 10) : otherwise;
}

// A law that never applied is not kept, it is empty.
static bool all_laws_applied(const agree_run *run)
{
    bool all = true;
    for (int i = 0; i < AGREE_LAW_COUNT; i++)
        if (run->applied[i] == 0) {
            fprintf(stderr, "law %s never applied\n", agree_law_name((agree_law)i));
            all = false;
        }
    return all;
}

int main(int argc, char **argv)
{
    const uint64_t count = argument(argc, argv, 1, SITUATIONS), seed = argument(argc, argv, 2, 1);
    agree_run run;
    bool good = true;
    agree_run_open(&run);
    for (uint64_t i = 0; i < count; i++)
        good = agree_run_seed(&run, seed + i) && good;
    agree_run_print(&run);
    good = (count < ALL_LAWS_APPLY || all_laws_applied(&run)) && good;
    agree_run_close(&run);
    return good ? 0 : 1;
}
