// SPDX-License-Identifier: MIT
// From files to the objects of a scene: every part of a file, every node of one that has nodes, or else the file
// itself. Nodes that show one mesh share it, so that ten thousand screws take the memory of one and of ten thousand
// poses.
#ifndef GRZ_CLI_SCENE_OBJECTS_H
#define GRZ_CLI_SCENE_OBJECTS_H

#include "arguments/options.h"
#include "load.h"

#include <graze/graze.h>

// How the name of an object is made up.
typedef struct scene_object_name {
    size_t part;    // where the name of its part begins in it; 0: it has none
    size_t group;   // how many bytes of the part's name, or of the file's without one, are that of its link or of the
                    // mesh that it is a shell of; 0: it is one of neither
    size_t body;    // objects with the same number move together, the shapes of one link; 0: it moves alone
    grz_pose local; // from its mesh to the frame that --pose sets: identity but for the shapes of links
} scene_object_name;

// A link that has no collision geometry: a name that is known, and no object.
typedef struct scene_silent_name {
    char *name;  // "file:link"
    size_t part; // where the link's begins
} scene_silent_name;

struct scene_robot;
typedef struct scene_called scene_called; // names.c

// Object i of the scene is called names[i].
typedef struct scene_objects {
    grz_device *device; // borrowed, as is the scene; set both before the first file
    grz_scene *scene;
    char **names; // "file:part", or "file" where it has no parts; with "#2" for a second shell; names may repeat
    scene_object_name *parts;
    size_t count, name_capacity, part_capacity;
    scene_called *called; // all that the objects are called, sorted; NULL: not yet
    size_t called_count;
    grz_mesh **meshes; // what the objects show
    size_t mesh_count, mesh_capacity;
    size_t body_count; // numbers of bodies that are taken
    scene_silent_name *silent;
    size_t silent_count;
    struct scene_robot *robots; // robot_objects.h
    size_t robot_count;
    const options *given; // where --package and --split are looked up; NULL: nowhere
    file_facts *facts;    // of each file, and of the meshes of robots that were converted
    size_t fact_count;
    bool *packages_used; // of each of given->values, whether it is a package that a file needed; owned
} scene_objects;

// Add a mesh, which belongs to `to` from then on, also on failure. False without memory.
bool scene_objects_add_mesh(scene_objects *to, grz_mesh *mesh);

// Add an object called `name`, which is copied. On failure returns false, and `error` says why.
bool scene_objects_add(scene_objects *to, const grz_object *object, const char *name, const scene_object_name *parts,
                       grz_error *error);

// Keep the facts of a file, which belong to `to` from then on, also on failure. False without memory, or where the unit
// is another one than that of a file before; the message says which.
bool scene_objects_keep_facts(scene_objects *to, file_facts *facts, char message[LOAD_MESSAGE_SIZE]);

// In scene_files.c. Add every object of a file ("-": standard input). A part or node without a name is called
// "node 3", the third object of its file. A file whose name ends in .urdf is a robot (robot_objects.h). `bar` shows how
// much of it has been read; it may be NULL. On failure returns false, and `message` holds one line that begins with the
// file's name; what was added before stays.
bool scene_objects_add_file(scene_objects *to, const char *file, progress *bar, char message[LOAD_MESSAGE_SIZE]);

// Free the names and give up the meshes; the scene keeps those that its objects show. An empty one is accepted.
void scene_objects_finish(scene_objects *objects);

#endif
