// SPDX-License-Identifier: MIT
// ROS finds packages by an environment that need not be there. In a source tree the robot's file is mostly within its
// package, PACKAGE/urdf/robot.urdf, or its packages lie side by side: the folders above the file are tried, from the
// nearest on.

#define _XOPEN_SOURCE 700 // realpath()

#include "assembly/packages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// "a/b", for the caller to free.
static char *join(const char *folder, size_t folder_length, const char *path)
{
    const size_t size = folder_length + strlen(path) + 2;
    char *joined = malloc(size);
    if (joined != NULL)
        snprintf(joined, size, "%.*s%s%s", (int)folder_length, folder,
                 folder_length > 0 && folder[folder_length - 1] == '/' ? "" : "/", path);
    return joined;
}

static char *beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (*path == '/' || slash == NULL)
        return strdup(path);
    return join(file, (size_t)(slash - file) + 1, path);
}

// --package NAME=DIR. NULL: the package is not given.
static const char *given_folder(scene_objects *objects, const char *name, size_t length)
{
    const options *given = objects->given;
    for (size_t i = 0; given != NULL && i < given->value_count; i++) {
        const char *text = given->values[i].text;
        if (given->values[i].option != OPTION_PACKAGE || strncmp(text, name, length) != 0 || text[length] != '=')
            continue;
        if (objects->packages_used != NULL)
            objects->packages_used[i] = true;
        return text + length + 1;
    }
    return NULL;
}

// The first of FOLDER/path (where FOLDER is called NAME) and FOLDER/NAME/path, over the folders above the file.
static char *search(const char *file, const char *name, size_t length, const char *path)
{
    char *folder = realpath(file, NULL), *found = NULL;
    while (folder != NULL && found == NULL) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
        const char *last = strrchr(folder, '/');
        if (last != NULL && strlen(last + 1) == length && memcmp(last + 1, name, length) == 0)
            found = join(folder, strlen(folder), path);
        if (found != NULL && access(found, F_OK) != 0) {
            free(found);
            found = NULL;
        }
        if (found != NULL)
            break;
        char *below = join(folder, strlen(folder), name); // name goes on with "/path"
        if (below != NULL && access(below, F_OK) == 0)
            found = below;
        else
            free(below);
    }
    free(folder);
    return found;
}

static char *find_in_package(scene_objects *objects, const char *file, const char *name, char *message, size_t size)
{
    const size_t length = strcspn(name, "/");
    if (length == 0 || name[length] == '\0' || name[length + 1] == '\0') {
        snprintf(message, size, "package://%.200s: must be package://NAME/path", name);
        return NULL;
    }
    const char *folder = given_folder(objects, name, length), *path = name + length + 1;
    char *found = folder != NULL ? join(folder, strlen(folder), path) : search(file, name, length, path);
    if (found == NULL)
        snprintf(message, size, "package://%.200s: package %.*s is not found near the file: give --package %.*s=DIR",
                 name, (int)length, name, (int)length, name);
    return found;
}

char *packages_find(scene_objects *objects, const char *file, const char *name, char *message, size_t size)
{
    const char *scheme = strstr(name, "://");
    char *found;
    if (strncmp(name, "package://", 10) == 0)
        return find_in_package(objects, file, name + 10, message, size);
    if (strncmp(name, "file://", 7) == 0)
        found = beside(file, name + 7);
    else if (scheme != NULL) {
        snprintf(message, size, "mesh %.200s: only package:// and file:// are known", name);
        return NULL;
    } else
        found = beside(file, name);
    if (found == NULL)
        snprintf(message, size, "out of memory");
    return found;
}
