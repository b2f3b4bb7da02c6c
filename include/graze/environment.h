// SPDX-License-Identifier: MIT
/// @file
/// Collisions of an object with an environment that only OpenGL draws: tessellated surfaces, output of geometry
/// shaders, buffers that compute shaders write, instances, lines, points. Nothing of it is copied to the CPU.
///
/// The height maps of one object are compared with those of everything else, by method `heightmap`
/// (<graze/heightmap.h>). The application draws its environment from a callback, in the projections of the object;
/// meshes of Graze are drawn without one. The answer is discrete: it can be wrong in both directions, and nothing that
/// the library cannot see can be proved. For an exact answer about triangles that shaders make, capture them
/// (<graze/capture.h>).
///
/// @code
/// grz_heightmap_create(device, ship, NULL, &heightmap, &error);
/// grz_environment environment = grz_default_environment();
/// environment.draw = draw_level, environment.user = &level;
/// status = grz_heightmap_collide(heightmap, &object, &environment, &answer, &error);
/// @endcode
#ifndef GRAZE_ENVIRONMENT_H
#define GRAZE_ENVIRONMENT_H

#include <graze/heightmap.h>
#include <graze/limits.h>
#include <graze/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The height maps of one mesh, drawn again when its positions have changed. An object of several parts that move
/// against each other has one for each part.
///
/// Thread-safety: one thread at a time, as for everything that uses OpenGL (grz_device).
typedef struct grz_heightmap grz_heightmap;

/// The binding of the uniform block that a callback's shaders may read:
///
/// @code{.glsl}
/// layout(std140, binding = 0) uniform grz_environment_block {
///     mat4 world_to_clip; // as grz_environment_view::world_to_clip, in floats
///     vec4 forwards;      // world coordinates, length 1: along which depth grows
///     uvec4 view;         // number, width, height of this view
/// };
/// @endcode
#define GRZ_ENVIRONMENT_BLOCK 0

// What is recorded of the environment in each pixel, beside its depth, and where a callback's fragment shader writes
// it.
#define GRZ_RECORD_IDS 1u     ///< layout(location = 0) out uvec2: an id of yours, and a value of yours
#define GRZ_RECORD_NORMALS 2u ///< layout(location = 1) out vec4: a normal in world coordinates; w is not used
#define GRZ_NO_ID UINT32_MAX  ///< the id of a pixel where nothing was drawn

/// What a callback draws into.
///
/// The framebuffer, the viewport, the uniform block, the depth test (GL_LESS), the winding of front faces and, as the
/// settings want it, culling and the stencil test are set. Clip coordinates reach from -1 to 1 in x and y, and from 0
/// to 1 in z (glClipControl: lower left, zero to one).
typedef struct grz_environment_view {
    uint32_t number;            ///< of the view: 0, or 1 for the second of two
    uint32_t framebuffer;       ///< name of the framebuffer that is bound for drawing
    int32_t viewport[4];        ///< x, y, width, height
    double world_to_clip[4][4]; ///< rows: clip = world_to_clip · (world position, 1). The last row is 0 0 0 1
    double forwards[3];         ///< world coordinates, length 1: along which depth grows
    uint32_t uniform_buffer;    ///< name of the buffer of the uniform block
    uint32_t record;            ///< GRZ_RECORD_…: which outputs there are
} grz_environment_view;

/// Draw the environment into a view, by OpenGL calls in the device's context. Called once for each view that is drawn;
/// after a hit in the first of two views the second may be left out.
///
/// It may bind and set what it likes. State that the library itself sets is as before after the query; what else the
/// callback sets stays, in a caller's context. It must not clear or delete what it draws into, make another context
/// current, leave a query, a conditional rendering or a transform feedback open that it began, or call Graze with the
/// same device. Most of that is noticed and ends the query with an error. It need not write what `record` names, but
/// what it does not write is undefined then.
///
/// @param user  grz_environment::user
/// @param view  borrowed for the call
/// @return GRZ_OK; anything else ends the query, which returns it
typedef grz_status (*grz_environment_draw)(void *user, const grz_environment_view *view);

/// What is around an object. Start from grz_default_environment().
typedef struct grz_environment {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// Objects that the library draws. One that is the object of the query itself (the same address) is left out, and
    /// so is one that it ignores by group and mask, as in scenes. Their ids are their numbers here, their values 0.
    /// Borrowed.
    const grz_object *objects;
    uint32_t object_count;     ///< how many; below 2^32
    grz_environment_draw draw; ///< draws the rest; may be NULL
    void *user;                ///< for the callback
    uint32_t record;           ///< GRZ_RECORD_…; 0 unless set
    bool contacts;             ///< list the pixels that hit: grz_heightmap_contacts()
} grz_environment;

/// What was found.
typedef struct grz_heightmap_answer {
    bool colliding;  ///< some pixel hits. Discrete: may be wrong in both directions
    uint32_t maps;   ///< how many views were compared
    uint64_t pixels; ///< that the object covers in them
    uint64_t hits;   ///< those of them where the environment is nearer than the object's front
} grz_heightmap_answer;

/// A pixel that hits, which is what a contact of height maps is.
typedef struct grz_height_contact {
    double position[3]; ///< on the environment's surface, world coordinates
    double normal[3];   ///< recorded by GRZ_RECORD_NORMALS, world coordinates; else 0
    double depth;       ///< how far the object's front is beyond it, in world units, along the view
    uint32_t id;        ///< recorded by GRZ_RECORD_IDS; else GRZ_NO_ID
    uint32_t value;     ///< recorded by GRZ_RECORD_IDS; else 0
    uint32_t view;      ///< number of the view
    uint32_t x;         ///< column of the pixel in its view
    uint32_t y;         ///< row of the pixel in its view
} grz_height_contact;

/// The OpenGL textures of a query, for the application's own shaders. Views stand one above the other. They belong to
/// the height map, are in the device's context, and hold the last query until the next one.
typedef struct grz_heightmap_images {
    uint32_t width;  ///< of one view, in pixels
    uint32_t height; ///< of one view, in pixels
    uint32_t views;  ///< that were compared
    /// GL_DEPTH_COMPONENT32F; 0: the object does not cover this pixel. Of GRZ_PROJECTION_BOUNDED it has twice the
    /// height: above the front stands the rear, where 1 means not covered, and what is less deep than it does not hit.
    uint32_t object_depth;
    uint32_t environment_depth; ///< GL_DEPTH_COMPONENT32F, or GL_DEPTH32F_STENCIL8 with a stencil; 1: nothing is there
    uint32_t ids;               ///< GL_RG32UI, 0 if not recorded
    uint32_t normals;           ///< GL_RGBA32F, 0 if not recorded
} grz_heightmap_images;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_environment(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_environment_init(grz_environment *environment, size_t size);

/// @return an environment with nothing in it.
GRZ_INLINE grz_environment grz_default_environment(void)
{
    grz_environment environment;
    grz_environment_init(&environment, sizeof environment);
    return environment;
}

/// Make the height maps of a mesh. They are drawn by the first query.
///
/// @param device     one with OpenGL: the mesh's
/// @param mesh       kept alive until the height map is destroyed
/// @param options    NULL means the defaults
/// @param heightmap  receives it; NULL on failure. Destroy it with grz_heightmap_destroy()
/// @param error      may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_UNSUPPORTED (no OpenGL)
GRZ_API grz_status grz_heightmap_create(grz_device *device, const grz_mesh *mesh, const grz_heightmap_options *options,
                                        grz_heightmap **heightmap, grz_error *error);

/// Destroy the height maps of a mesh. `heightmap` may be NULL.
GRZ_API void grz_heightmap_destroy(grz_heightmap *heightmap);

/// Test an object against its environment.
///
/// @param heightmap    of the object's mesh
/// @param object       at its pose, which must have an inverse
/// @param environment  what is around it
/// @param answer       receives what was found; all 0 on failure
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED (the object covers no pixel: it is seen
///         edge-on, is too thin, or shows only faces that are left out; or more pixels hit than a shader can list);
///         GRZ_ERROR_DEVICE (also if the callback raised an OpenGL error, whose text is in `error`); GRZ_ERROR_BUSY;
///         GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; what the callback returned
GRZ_API grz_status grz_heightmap_collide(grz_heightmap *heightmap, const grz_object *object,
                                         const grz_environment *environment, grz_heightmap_answer *answer,
                                         grz_error *error);

/// The pixels that hit in the last query, if `contacts` was set: view after view, row after row.
///
/// @param heightmap  may be NULL: then there are none
/// @param count      receives how many there are; may be NULL
/// @return borrowed until the next query
GRZ_API const grz_height_contact *grz_heightmap_contacts(const grz_heightmap *heightmap, uint64_t *count);

/// The textures of the last query.
///
/// @param heightmap  may be NULL
/// @param images     receives the names; all 0 if there is no query yet
/// @return whether there are any
GRZ_API bool grz_heightmap_images_of(const grz_heightmap *heightmap, grz_heightmap_images *images);

#ifdef __cplusplus
}
#endif

#endif
