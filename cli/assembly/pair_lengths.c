// SPDX-License-Identifier: MIT
// Pairs are found as --allow finds them; each option is a rule, with its length beside it.
#include "assembly/pair_lengths.h"

#include "arguments/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REASON_SIZE = 700, // of what is wrong with names
    TEXT_SHOWN = 300
};

static bool add(const scene_objects *objects, const char *text, pair_lengths *out, char reason[REASON_SIZE])
{
    const char *equals = strrchr(text, '='); // checked with the command line
    char *names = strndup(text, (size_t)(equals - text));
    const size_t rule = out->pairs.why_count;
    double *lengths = realloc(out->lengths, (rule + 1) * sizeof *lengths);
    bool added = names != NULL && lengths != NULL;

    if (lengths != NULL)
        out->lengths = lengths;
    if (added) {
        (void)numbers_read(equals + 1, &lengths[rule], 1);
        if (lengths[rule] > out->largest)
            out->largest = lengths[rule];
        added = exclusions_add_pair(&out->pairs, objects, names, text, reason, REASON_SIZE);
    } else {
        snprintf(reason, REASON_SIZE, "out of memory");
    }
    free(names);
    return added;
}

bool pair_lengths_read(const options *given, uint64_t option, const char *name, const scene_objects *objects,
                       pair_lengths *out, char message[LOAD_MESSAGE_SIZE])
{
    size_t place = 0;

    *out = (pair_lengths){0};
    for (const char *text = options_next(given, option, &place); text != NULL;
         text = options_next(given, option, &place)) {
        char reason[REASON_SIZE];
        if (strchr(text, '=') != NULL && !add(objects, text, out, reason)) {
            snprintf(message, LOAD_MESSAGE_SIZE, "%s %.*s: %s", name, TEXT_SHOWN, text, reason);
            return false;
        }
    }
    exclusions_sort(&out->pairs);
    return true;
}

const double *pair_lengths_find(const pair_lengths *lengths, uint32_t a, uint32_t b)
{
    const exclusion *found = exclusions_find(&lengths->pairs, a, b);
    return found != NULL ? &lengths->lengths[found->why] : NULL;
}

void pair_lengths_finish(pair_lengths *lengths)
{
    exclusions_finish(&lengths->pairs);
    free(lengths->lengths);
    *lengths = (pair_lengths){0};
}
