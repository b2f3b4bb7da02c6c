// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "file_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_SHOWN = 300 // bytes of a file's name in a message
};

static bool copy_notes(const model *from, file_facts *out)
{
    if (from->note_count == 0)
        return true;
    out->notes = calloc(from->note_count, sizeof *out->notes);
    if (out->notes == NULL)
        return false;
    for (; out->note_count < from->note_count; out->note_count++) {
        out->notes[out->note_count] = strdup(from->notes[out->note_count]);
        if (out->notes[out->note_count] == NULL)
            return false;
    }
    return true;
}

bool facts_of_model(const model *read, const char *file, file_facts *out)
{
    *out = (file_facts){.declared = read->declared_unit, .unit = read->unit_in_metres, .up_axis = read->up_axis};
    out->file = strdup(file);
    if (out->file != NULL && copy_notes(read, out))
        return true;
    facts_finish(out);
    return false;
}

bool facts_of_robot(const char *file, file_facts *out)
{
    *out = (file_facts){.file = strdup(file), .declared = 1, .unit = 1, .is_robot = true, .up_axis = GRZ_IO_UP_Z};
    return out->file != NULL;
}

bool facts_agree(const file_facts *a, const file_facts *b, char *message, size_t message_size)
{
    char names[2][GRZ_IO_UNIT_NAME_SIZE];
    const bool known = a->unit > 0 && b->unit > 0, same = a->unit >= b->unit && a->unit <= b->unit;
    if (!known || same)
        return true;
    grz_io_unit_name(a->unit, names[0]);
    grz_io_unit_name(b->unit, names[1]);
    snprintf(message, message_size, "%.*s is in %s, but %.*s is in %s: give --unit %s to have both converted to it",
             FILE_SHOWN, a->file, names[0], FILE_SHOWN, b->file, names[1],
             a->is_robot || b->is_robot ? "m" : "mm, cm, m or inch");
    return false;
}

void facts_finish(file_facts *facts)
{
    for (size_t i = 0; i < facts->note_count; i++)
        free(facts->notes[i]);
    free(facts->notes);
    free(facts->file);
    *facts = (file_facts){0};
}
