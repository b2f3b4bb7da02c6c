// SPDX-License-Identifier: MIT
// Fuzzes what the answers of different queries say about each other: the bytes are a situation of one of sixteen kinds
// (tests/agreement/situation.h) and what the laws choose at random.
#include "agreement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static agree_run run;
    if (run.device == NULL)
        agree_run_open(&run);
    FUZZ_REQUIRE(agree_run_bytes(&run, data, size));
    return 0;
}
