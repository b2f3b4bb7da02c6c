// SPDX-License-Identifier: MIT
// The values of options that may be given several times.
#include "arguments/options.h"

#include <stdlib.h>

const char *options_next(const options *given, uint64_t option, size_t *place)
{
    while (*place < given->value_count) {
        const option_value *value = &given->values[(*place)++];
        if ((value->option & option) != 0)
            return value->text;
    }
    return NULL;
}

void options_finish(options *given)
{
    free(given->values);
    given->values = NULL;
    given->value_count = 0;
}
