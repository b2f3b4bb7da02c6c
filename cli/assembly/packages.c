// SPDX-License-Identifier: MIT
#include "assembly/packages.h"

#include <graze/io_robot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_PATH = 4096
};

static const char package_scheme[] = "package://";

// The packages of the command line, in its order.
typedef struct package_table {
    grz_io_package *items; // their names are copies
    size_t *values;        // where each stands among the options' values
    size_t count;
} package_table;

static void finish_table(package_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free((void *)table->items[i].name);
    free(table->items);
    free(table->values);
}

static bool make_table(const options *given, package_table *out)
{
    const size_t most = given != NULL ? given->value_count : 0;
    *out = (package_table){calloc(most + 1, sizeof *out->items), calloc(most + 1, sizeof *out->values), 0};
    bool made = out->items != NULL && out->values != NULL;
    for (size_t i = 0; made && i < most; i++) {
        const char *text = given->values[i].text;
        if (given->values[i].option != OPTION_PACKAGE)
            continue;
        const size_t length = strcspn(text, "="); // the parser of the command line has seen that there is one
        char *name = strndup(text, length);
        made = name != NULL;
        if (!made)
            break;
        out->items[out->count] = (grz_io_package){name, text + length + 1};
        out->values[out->count++] = i;
    }
    return made;
}

// What to do about a package that is not found.
static void add_advice(const char *mesh, char *message, size_t size)
{
    const size_t used = strlen(message);
    const char *name = mesh + sizeof package_scheme - 1;
    snprintf(message + used, size - used, ": give --package %.*s=DIR", (int)strcspn(name, "/"), name);
}

char *packages_find(scene_objects *objects, const char *file, const char *mesh, char *message, size_t size)
{
    char path[LONGEST_PATH], *found = NULL;
    package_table table;
    grz_error error = {0};
    size_t used;

    if (!make_table(objects->given, &table)) {
        finish_table(&table);
        snprintf(message, size, "out of memory");
        return NULL;
    }
    const grz_status status =
        grz_io_robot_find_mesh(file, mesh, table.items, table.count, path, sizeof path, &used, &error);
    if (used != GRZ_IO_NONE && objects->packages_used != NULL)
        objects->packages_used[table.values[used]] = true;
    finish_table(&table);
    if (status == GRZ_OK)
        found = strdup(path);
    if (found == NULL)
        snprintf(message, size, "%s%s", status == GRZ_ERROR_UNSUPPORTED ? "mesh " : "",
                 status == GRZ_OK ? "out of memory" : error.message);
    if (status == GRZ_ERROR_FILE)
        add_advice(mesh, message, size);
    return found;
}
