// SPDX-License-Identifier: MIT
// ROS finds packages by an environment that need not be there. In a source tree the robot's file is mostly within its
// package, PACKAGE/urdf/robot.urdf, or its packages lie side by side: the folders above the file are tried, from the
// nearest on.

#define _XOPEN_SOURCE 700 // realpath()

#include "control.h"

#include <graze/io_robot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is looked for, and where the answer goes.
typedef struct path_search {
    const char *robot, *mesh;
    const grz_io_package *packages;
    size_t package_count, used;
    char *path;
    size_t path_size;
    grz_error *error;
} path_search;

static grz_status refuse(const path_search *s, grz_status status, const char *reason)
{
    return grz_io_explain(status, GRZ_NO_ELEMENT, s->mesh, reason, s->error);
}

// "folder/path".
static grz_status join(const path_search *s, const char *folder, size_t length, const char *path)
{
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    const int written = snprintf(s->path, s->path_size, "%.*s%s%s", (int)length, folder, slash, path);
    if (written >= 0 && (size_t)written < s->path_size)
        return GRZ_OK;
    char reason[REASON_SIZE];
    (void)snprintf(reason, sizeof reason, "the path has %d bytes, path_size is %zu", written, s->path_size);
    return grz_io_refuse("find mesh", reason, s->error);
}

static grz_status find_beside(const path_search *s, const char *path)
{
    const char *slash = strrchr(s->robot, '/');
    if (*path == '/' || slash == NULL)
        return join(s, "", 0, path);
    return join(s, s->robot, (size_t)(slash - s->robot) + 1, path);
}

// The first that exists of FOLDER/path, where FOLDER is called NAME, and FOLDER/NAME/path, over the folders above the
// robot's file. `name` is "NAME/path", and its first `length` bytes are NAME.
static grz_status find_above(const path_search *s, const char *name, size_t length)
{
    char *folder = realpath(s->robot, NULL), *slash;
    grz_status status = GRZ_OK;
    bool found = false;
    while (folder != NULL && !found && status == GRZ_OK && (slash = strrchr(folder, '/')) != NULL) {
        *slash = '\0';
        const char *last = strrchr(folder, '/');
        if (last != NULL && strlen(last + 1) == length && memcmp(last + 1, name, length) == 0) {
            status = join(s, folder, strlen(folder), name + length + 1);
            found = status == GRZ_OK && access(s->path, F_OK) == 0;
        }
        if (!found && status == GRZ_OK) {
            status = *folder != '\0' ? join(s, folder, strlen(folder), name) : join(s, "/", 1, name);
            found = status == GRZ_OK && access(s->path, F_OK) == 0;
        }
    }
    free(folder);
    if (found || status != GRZ_OK)
        return status;
    char reason[REASON_SIZE];
    *s->path = '\0';
    (void)snprintf(reason, sizeof reason, "package %.*s is not found near the file", (int)(length < 300 ? length : 300),
                   name);
    return refuse(s, GRZ_ERROR_FILE, reason);
}

static grz_status find_in_package(path_search *s, const char *name)
{
    const size_t length = strcspn(name, "/");
    if (length == 0 || name[length] == '\0' || name[length + 1] == '\0')
        return refuse(s, GRZ_ERROR_FORMAT, "must be package://NAME/path");
    for (size_t i = 0; i < s->package_count; i++) {
        const grz_io_package *package = &s->packages[i];
        if (strlen(package->name) != length || memcmp(package->name, name, length) != 0)
            continue;
        s->used = i;
        return *package->folder != '\0' ? join(s, package->folder, strlen(package->folder), name + length + 1)
                                        : join(s, "/", 1, name + length + 1);
    }
    return find_above(s, name, length);
}

static grz_status find(path_search *s)
{
    if (strncmp(s->mesh, "package://", 10) == 0)
        return find_in_package(s, s->mesh + 10);
    if (strncmp(s->mesh, "file://", 7) == 0)
        return find_beside(s, s->mesh + 7);
    if (strstr(s->mesh, "://") != NULL)
        return refuse(s, GRZ_ERROR_UNSUPPORTED, "only package:// and file:// are known");
    return find_beside(s, s->mesh);
}

grz_status grz_io_robot_find_mesh(const char *robot_path, const char *mesh, const grz_io_package *packages,
                                  size_t package_count, char *path, size_t path_size, size_t *used, grz_error *error)
{
    static const char call[] = "find mesh";
    if (used != NULL)
        *used = GRZ_IO_NONE;
    if (robot_path == NULL || mesh == NULL || path == NULL || path_size == 0)
        return grz_io_refuse(call, "robot_path, mesh or path is NULL, or path_size is 0", error);
    for (size_t i = 0; i < package_count; i++)
        if (packages == NULL || packages[i].name == NULL || packages[i].folder == NULL)
            return grz_io_refuse(call, "a package, its name or its folder is NULL", error);
    path_search s = {robot_path, mesh, packages, package_count, GRZ_IO_NONE, path, path_size, error};
    *path = '\0';
    const grz_status status = find(&s);
    if (used != NULL)
        *used = s.used;
    return status;
}
