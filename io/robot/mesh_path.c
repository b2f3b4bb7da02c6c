// SPDX-License-Identifier: MIT
// ROS finds packages by an environment that need not be there. In a source tree the robot's file is mostly within its
// package, PACKAGE/urdf/robot.urdf, or its packages lie side by side: the folders above the file are tried, from the
// nearest on. A folder is a package by its own name, or by the one in its package.xml.

#define _XOPEN_SOURCE 700 // realpath()

#include "file.h"
#include "xml/xml_tree.h"

#include <graze/io_robot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LONGEST_PATH = 4096
};

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

// "FOLDER/path" to a buffer of LONGEST_PATH bytes. False where it has no room.
static bool put_path(char *to, const char *folder, const char *path)
{
    const int written = snprintf(to, LONGEST_PATH, "%s/%s", folder, path);
    return written >= 0 && written < LONGEST_PATH;
}

// What the file package.xml of a folder says of it.
typedef enum package_file {
    NO_PACKAGE,   // there is none
    THIS_PACKAGE, // it has the name that is looked for
    OTHER_PACKAGE
} package_file;

static package_file read_package(const char *folder, const char *name, size_t length)
{
    char path[LONGEST_PATH];
    load_control control;
    file_bytes file;
    xml_tree tree;
    package_file is = OTHER_PACKAGE;
    if (!put_path(path, folder, "package.xml") || grz_io_control_begin(&control, "find mesh", NULL, NULL) != GRZ_OK ||
        !grz_io_open_path(&control, path, &file))
        return NO_PACKAGE;
    if (grz_io_xml_read(&control, file.shown.bytes, file.shown.size, true, false, &tree)) {
        const xml_element *told = grz_io_xml_child(tree.root, "name", NULL);
        if (told != NULL && told->text_length == length && memcmp(told->text, name, length) == 0)
            is = THIS_PACKAGE;
    }
    grz_io_xml_free(&tree);
    grz_io_release_file(&file, &control.allocator);
    return is;
}

// A package of the name: a folder, and what its package.xml says. If the mesh is there, *found is its path; else, if
// the folder is a package for certain, *missing is where it would be, unless that is known already.
static void look_in(const char *folder, package_file is, const char *mesh, char *found, char *missing)
{
    char path[LONGEST_PATH];
    if (!put_path(path, folder, mesh))
        return;
    if (access(path, F_OK) == 0)
        memcpy(found, path, strlen(path) + 1);
    else if (is != NO_PACKAGE && *missing == '\0')
        memcpy(missing, path, strlen(path) + 1);
}

static bool is_called(const char *folder, const char *name, size_t length)
{
    const char *last = strrchr(folder, '/');
    return last != NULL && strlen(last + 1) == length && memcmp(last + 1, name, length) == 0;
}

// The mesh in the nearest package of its name that has it, over the folders above the robot's file: a folder itself, or
// one in it. Else where it would be in the nearest that has a package.xml. `name` is "NAME/path", and its first
// `length` bytes are NAME.
static grz_status find_above(const path_search *s, const char *name, size_t length)
{
    char found[LONGEST_PATH] = "", missing[LONGEST_PATH] = "", below[LONGEST_PATH], package[LONGEST_PATH];
    char *folder = realpath(s->robot, NULL), *slash;
    const char *mesh = name + length + 1;
    while (folder != NULL && *found == '\0' && (slash = strrchr(folder, '/')) != NULL) {
        *slash = '\0';
        const package_file is = read_package(folder, name, length);
        if (is == THIS_PACKAGE || is_called(folder, name, length))
            look_in(folder, is, mesh, found, missing);
        (void)snprintf(package, sizeof package, "%.*s", (int)length, name);
        if (*found == '\0' && put_path(below, folder, package))
            look_in(below, read_package(below, name, length), mesh, found, missing);
    }
    free(folder);
    if (*found != '\0' || *missing != '\0')
        return join(s, "", 0, *found != '\0' ? found : missing);
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
