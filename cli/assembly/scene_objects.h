// SPDX-License-Identifier: MIT
// From files to the objects of a scene: every part of a file, every node of one that has nodes, or else the file
// itself. Nodes that show one mesh share it, so that ten thousand screws take the memory of one and of ten thousand
// poses.
#ifndef GRZ_CLI_SCENE_OBJECTS_H
#define GRZ_CLI_SCENE_OBJECTS_H

#include "load.h"

#include <graze/graze.h>

// How the name of an object is made up.
typedef struct scene_object_name {
    size_t part;    // where the name of its part begins in it; 0: it has none
    size_t link;    // how many bytes of the part's name are that of its link; 0: it is no link's
    size_t body;    // objects with the same number move together, the shapes of one link; 0: it moves alone
    grz_pose local; // from its mesh to the frame that --pose sets: identity but for the shapes of links
} scene_object_name;

// A link that has no collision geometry: a name that is known, and no object.
typedef struct scene_silent_name {
    char *name;  // "file:link"
    size_t part; // where the link's begins
} scene_silent_name;

// Object i of the scene is called names[i].
typedef struct scene_objects {
    grz_device *device; // borrowed, as is the scene; set both before the first file
    grz_scene *scene;
    char **names; // "file:part", or "file" where it has no parts; names may repeat
    scene_object_name *parts;
    size_t count, name_capacity, part_capacity;
    grz_mesh **meshes; // what the objects show
    size_t mesh_count, mesh_capacity;
    scene_silent_name *silent;
    size_t silent_count;
} scene_objects;

// Add every object of a file ("-": standard input). A part or node without a name is called "node 3", the third object
// of its file. `bar` shows how much of it has been read; it may be NULL. On failure returns false, and `message` holds
// one line that begins with the file's name; what was added before stays.
bool scene_objects_add_file(scene_objects *to, const char *file, progress *bar, char message[LOAD_MESSAGE_SIZE]);

// Free the names and give up the meshes; the scene keeps those that its objects show. An empty one is accepted.
void scene_objects_finish(scene_objects *objects);

#endif
