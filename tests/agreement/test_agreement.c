// SPDX-License-Identifier: MIT
// Every query checks the others (agreement.h): ten thousand situations of sixteen kinds. With arguments, others:
//   test_agreement SITUATIONS [SEED]     so many from this seed on; 1 SEED repeats one
// GRZ_AGREEMENT_DUMP=FOLDER writes each situation that breaks a law as two OBJ files.
// ctest: long
#include <stdlib.h>

#include "agreement.h"
#include "support_sanitizer.h"

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1         ? strtoull(argv[1], NULL, 10)
                           : TEST_SANITIZED ? 800
                                            : 10000,
                   first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    agree_run run;
    bool good = true;
    agree_run_open(&run);
    for (uint64_t i = 0; i < count; i++)
        good = agree_run_seed(&run, first + i) && good;
    agree_run_print(&run);
    for (int i = 0; i < AGREE_LAW_COUNT && count >= 500; i++)
        if (run.applied[i] == 0) {
            fprintf(stderr, "law %d never applied\n", i);
            good = false;
        }
    agree_run_close(&run);
    return good ? 0 : 1;
}
