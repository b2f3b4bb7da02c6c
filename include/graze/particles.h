// SPDX-License-Identifier: MIT
/// @file
/// Particles that bounce off an environment which only OpenGL draws (<graze/environment.h>). All particles share height
/// maps of the environment: a map along the direction in which they fly, or the six maps of a box around them. A
/// compute shader moves them, so nothing leaves the GPU.
///
/// A particle flies along a parabola. Its path is cut into pixels of the map, and the crossing with a surface is found
/// *within* the step. So a wall cannot be too thin for a step, and a bounce does not depend on the length of steps.
/// What the map does not see is not there. It does not see surfaces behind the first one of a pixel (set `layers`),
/// whatever is smaller than a pixel, and what is cut off by its box: a wall whose top lies before the box does not stop
/// anybody. The answer is discrete.
///
/// @code
/// grz_particle_map_options options = grz_default_particle_map_options();
/// options.half[0] = options.half[1] = options.half[2] = 1.0;
/// grz_particle_map_create(device, &options, &map, &error);
/// …
/// grz_particle_map_draw(map, &environment, &error);             // when the environment has changed
/// grz_particle_map_step(map, &particles, &step, &answer, &error);
/// @endcode
#ifndef GRAZE_PARTICLES_H
#define GRAZE_PARTICLES_H

#include <graze/environment.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Maps of what particles can hit.
///
/// Thread-safety: one thread at a time, as for everything that uses OpenGL (grz_device).
typedef struct grz_particle_map grz_particle_map;

/// Settings of such maps. Start from grz_default_particle_map_options(), and set `half`.
typedef struct grz_particle_map_options {
    size_t size;         ///< sizeof this structure, as the caller knows it
    uint32_t resolution; ///< pixels a side of a map, 1 at least; 512 unless set
    /// How many surfaces a pixel keeps, 1 to 16; 1 unless set: the first one. More of them see what lies under an
    /// overhang. The environment is drawn once for each. Pixels with more surfaces than that are counted
    /// (grz_particle_map_overfull()).
    uint32_t layers;
    /// Six maps instead of one: from the middle of the box to each of its sides. For particles that fly anywhere in a
    /// space without overhangs, as seen from the middle.
    bool cube;
    double centre[3]; ///< of the box in which particles can hit something; world coordinates
    /// Half of its size to the right (the cross product of `direction` and `up`), up, and forwards; world units, above
    /// 0, at most 1e30, none below a millionth of another.
    double half[3];
    double direction[3]; ///< forwards: along which the map looks, from its rear; (0, 0, 1) unless set. Of any length
    double up[3];        ///< (0, 1, 0) unless set; if it is along `direction`, another one is taken
    /// How far particles stay away from surfaces that the map shows, in world units; 0: half a pixel. It is not kept
    /// from sides that the map sees edge-on: there a particle comes up to the pixel where the object begins.
    double radius;
    /// How thick a surface is whose other side is not in the map, in world units. 0 unless set: a particle that comes
    /// round an object, or starts behind it, is free there, and may come through to the front. INFINITY: all behind the
    /// surface is solid, as with a terrain.
    double thickness;
    /// Take each surface for a sheet of this thickness. Unless set, what lies between a surface that shows its front
    /// and the next one that shows its back is solid, and a map with one layer leaves backs out. Set it for meshes that
    /// are open or not wound consistently; not for closed ones: a body of sheets has no sides where the map sees them
    /// edge-on, so particles come in there.
    bool sheets;
    uint32_t group; ///< of the particles, as of a grz_object: which objects they hit; 1 unless set
    uint32_t mask;  ///< the same; all unless set
} grz_particle_map_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_particle_map_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_particle_map_options_init(grz_particle_map_options *options, size_t size);

/// @return settings in which only `half` is missing.
GRZ_INLINE grz_particle_map_options grz_default_particle_map_options(void)
{
    grz_particle_map_options options;
    grz_particle_map_options_init(&options, sizeof options);
    return options;
}

/// Particles: eight floats each, or more. Three are the position in world coordinates, the fourth is yours; three are
/// the velocity in world units a second, the eighth is yours. In an OpenGL buffer or in memory.
typedef struct grz_particle_array {
    uint32_t buffer; ///< name of a buffer in the device's context; 0: they are in memory
    float *memory;   ///< `count` times `stride` bytes; used if `buffer` is 0. Copied to the GPU and back
    uint64_t offset; ///< of the first particle in the buffer, in bytes; a multiple of 4
    uint64_t stride; ///< from one particle to the next, in bytes: a multiple of 4, and 32 or more; 0 means 32
    uint64_t count;  ///< how many; below 2^31
} grz_particle_array;

/// An acceleration within a distance of some surfaces: a fan, a hot plate, a conveyor belt. It acts on particles that
/// have a surface in front of them, seen along the map, which is within `reach` and has the id and the value. Looked up
/// once a step, so short steps follow a field better. Needs GRZ_RECORD_IDS.
typedef struct grz_particle_force {
    uint32_t id;            ///< recorded of the surface; GRZ_NO_ID: any
    uint32_t value;         ///< recorded of the surface; UINT32_MAX: any
    double reach;           ///< up to this distance from the surface, along the map; world units
    double acceleration[3]; ///< world units a second, a second
    double along_normal;    ///< the same unit: added along the surface's normal, away from it
} grz_particle_force;

/// A step in time. Start from grz_default_particle_step().
typedef struct grz_particle_step {
    size_t size;            ///< sizeof this structure, as the caller knows it
    grz_limits limits;      ///< cancelling, deadline, memory, progress
    double seconds;         ///< length of the step, 0 or more
    double acceleration[3]; ///< of all particles, such as gravity; world units a second, a second
    /// 0 to 1: how much of the speed towards a surface a bounce gives back; 0.5 unless set. A hop that would last less
    /// than 2 milliseconds is none: the particle slides then, whatever the restitution.
    double restitution;
    double friction;      ///< Coulomb's coefficient, 0 or more; 0 unless set
    uint32_t max_bounces; ///< of one particle in a step: the rest of its step is lost. 16 unless set, 64 at most
    const grz_particle_force *forces; ///< the first one that fits a particle counts; borrowed for the call
    uint32_t force_count;             ///< 64 at most
    /// How many hits to list: grz_particle_map_hits(). If there are more, any of them. 0 unless set.
    uint64_t max_hits;
} grz_particle_step;

/// Fill in the defaults in a structure of `size` bytes, as grz_particle_map_options_init() does.
GRZ_API void grz_particle_step_init(grz_particle_step *step, size_t size);

/// @return a step of 0 seconds without forces.
GRZ_INLINE grz_particle_step grz_default_particle_step(void)
{
    grz_particle_step step;
    grz_particle_step_init(&step, sizeof step);
    return step;
}

/// What happened in a step. All are numbers of particles but `bounces`.
typedef struct grz_particle_answer {
    uint64_t moved;   ///< all but those that were skipped
    uint64_t skipped; ///< left as they were: a number is not finite, or would not be after the step
    uint64_t bounces; ///< off surfaces and edges
    uint64_t hit;     ///< bounced at least once
    /// Were inside something, because it has moved, and were put to its surface. A speed into the surface is turned
    /// round as by a bounce, but not counted as one.
    uint64_t pushed;
    /// Lost the rest of the step: more bounces than allowed, more pixels than a shader may cross, or too many contacts
    /// without getting on, in a corner that the map shows badly.
    uint64_t stopped;
} grz_particle_answer;

/// What a particle has hit.
typedef enum grz_particle_hit_kind {
    GRZ_PARTICLE_SURFACE, ///< a surface that the map shows
    GRZ_PARTICLE_EDGE, ///< the side of something, which the map sees edge-on. Normal and position are as good as pixels
    GRZ_PARTICLE_PUSHED ///< nothing: the particle was inside, and is at `position` now
} grz_particle_hit_kind;

/// One hit of a step.
typedef struct grz_particle_hit {
    float position[3]; ///< of the particle then; world coordinates
    float seconds;     ///< since the beginning of the step
    float normal[3];   ///< of the surface, away from it, of length 1
    uint32_t particle; ///< its number
    uint32_t order;    ///< of this hit among those of the particle in this step
    uint32_t kind;     ///< grz_particle_hit_kind
    uint32_t id;       ///< recorded of the surface by GRZ_RECORD_IDS; else GRZ_NO_ID
    uint32_t value;    ///< the same; else 0
} grz_particle_hit;

/// The OpenGL buffers of a map, for the application's own shaders. They are in the device's context and hold what the
/// last grz_particle_map_draw() has drawn. A pixel's entries start at ((view · resolution + row) · resolution + column)
/// · layers.
typedef struct grz_particle_map_buffers {
    uint32_t resolution; ///< pixels a side
    uint32_t views;      ///< 1, or 6: to the right, the left, up, down, forwards, backwards
    uint32_t layers;     ///< entries of a pixel
    /// Four floats an entry: distance from the rear of the view at the pixel's centre, in world units; how much it
    /// grows from a column to the next, and from a row to the next; 0: no more surfaces, 1: solid from here on to the
    /// next entry, 2: its end, 3: a surface whose other side is unknown, 4: the same, and it shows its back.
    uint32_t surfaces;
    uint32_t ids; ///< two words an entry: id and value; 0 if not recorded
} grz_particle_map_buffers;

/// Make maps. Nothing is drawn yet.
///
/// @param device   one with OpenGL
/// @param options  `half` must be set
/// @param map      receives it; NULL on failure. Destroy it with grz_particle_map_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_UNSUPPORTED (no OpenGL)
GRZ_API grz_status grz_particle_map_create(grz_device *device, const grz_particle_map_options *options,
                                           grz_particle_map **map, grz_error *error);

/// Destroy maps. `map` may be NULL.
GRZ_API void grz_particle_map_destroy(grz_particle_map *map);

/// Draw the maps. Call it again when the environment has changed.
///
/// @param map          where
/// @param environment  what particles can hit. `contacts` is not looked at. Normals are always recorded, so a
///                     callback's fragment shader must write them to location 1, outwards: particles bounce on the
///                     plane through the pixel's centre that is perpendicular to its normal. With several layers the
///                     callback is called once for each, must draw the same each time, and must leave the stencil
///                     test as it is
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (also a resolution that the device has not, or maps of more than 1 GiB, or more
///         than a shader can see);
///         GRZ_ERROR_POSE; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE; what the callback returned. After a failure the maps have to be drawn again
GRZ_API grz_status grz_particle_map_draw(grz_particle_map *map, const grz_environment *environment, grz_error *error);

/// Move particles. Needs maps that have been drawn.
///
/// Outside the box of the maps particles fly freely. One that is inside something at the beginning, because that has
/// moved, is put to its surface by the shortest way that pixels show.
///
/// @param map        what they can hit
/// @param particles  are changed; on failure their state is undefined, except for GRZ_ERROR_ARGUMENT
/// @param step       how long, and by which forces
/// @param answer     receives what happened; may be NULL. All 0 on failure. Reading it waits for the GPU
/// @param error      may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE
GRZ_API grz_status grz_particle_map_step(grz_particle_map *map, const grz_particle_array *particles,
                                         const grz_particle_step *step, grz_particle_answer *answer, grz_error *error);

/// The hits of the last step, if it asked for them: by particle, then in the order of time.
///
/// @param map    may be NULL: then there are none
/// @param count  receives how many are listed: at most grz_particle_step::max_hits; may be NULL
/// @return the hits, borrowed until the next step
GRZ_API const grz_particle_hit *grz_particle_map_hits(const grz_particle_map *map, uint64_t *count);

/// How many pixels of the maps have more surfaces than layers, so that some are missing. 0 with one layer, where what
/// follows the first surface is left out by intention.
GRZ_API uint64_t grz_particle_map_overfull(const grz_particle_map *map);

/// The buffers of a map that has been drawn.
///
/// @param map      may be NULL: then there are none
/// @param buffers  receives their names; may be NULL
/// @return whether there are any
GRZ_API bool grz_particle_map_buffers_of(const grz_particle_map *map, grz_particle_map_buffers *buffers);

#ifdef __cplusplus
}
#endif

#endif
