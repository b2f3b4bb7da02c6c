// SPDX-License-Identifier: MIT
/// @file
/// Let a ball fly through a level: where does it go, and off what does it bounce?
///
/// A ball flies straight on, or along a parabola if it has an acceleration. Its way is swept, so no wall is too thin
/// and no ball too fast; it ends outside of the level's surfaces, proved exactly. The objects of the level may move and
/// turn meanwhile. docs/use/flight.md says what is guaranteed.
///
/// @code
/// grz_flight flight = grz_flight_from(muzzle, velocity, 0.0);
/// // Instant: the whole way at once.
/// status = grz_flight_advance(device, &level, 1, &options, HUGE_VAL, &flight, bounces, 8, &found, &error);
/// // Travelling: to each frame's time. The bounces are the same at any number of frames a second.
/// status = grz_flight_advance(device, &level, 1, &options, frame / 60.0, &flight, bounces, 8, &found, &error);
/// // Past a lift that goes up by 2 units a second, from its pose at time 0.
/// const grz_flight_motion up = {.velocity = {0.0, 0.0, 2.0}};
/// options.motions = &up;
/// @endcode
#ifndef GRAZE_FLIGHT_H
#define GRAZE_FLIGHT_H

#include <graze/limits.h>
#include <graze/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a flight goes on.
typedef enum grz_flight_state {
    GRZ_FLIGHT_FLIES, ///< on its way. If it was advanced without end: it never meets the level again
    /// It has come to lie, or has no velocity left. It moves no more until an object that moves hits it, or until what
    /// it lies on (`carrier`) moves.
    GRZ_FLIGHT_RESTS,
    GRZ_FLIGHT_FULL, ///< there was no room for another bounce: it stands where it has just bounced
    /// The level, where it is at the time `now`, is nearer than the radius to the ball: nothing was moved. Start it
    /// elsewhere, or use a mover.
    GRZ_FLIGHT_STARTS_INSIDE,
    /// More than 100,000 arcs in one call, a ball held so tightly that it cannot move, or an object that has moved so
    /// far that the skin is too thin for its coordinates. It stands at a proved place.
    GRZ_FLIGHT_LIMIT,
    /// It has come to lie on an object that moves (`carrier`), which carries it: by friction, and in hops of about the
    /// skin, which are not listed. If it was advanced without end: it stands where it came to lie, at the time `now`.
    GRZ_FLIGHT_RIDES,
    /// Objects that move leave it no room after the time `now`. It stands where it is then, outside.
    GRZ_FLIGHT_CRUSHED
} grz_flight_state;

/// How an object of the level moves while balls fly: its centre goes straight on, or along a parabola, and it turns
/// evenly about its centre. One whose members are all 0 stands still.
typedef struct grz_flight_motion {
    double since; ///< seconds, by the caller's clock: when the object is at its pose. It moves like that before, too
    double velocity[3];     ///< of the centre at that time; world units a second
    double acceleration[3]; ///< of the centre; world units a second, each second
    double spin[3];   ///< radians a second, about this axis through the centre; counterclockwise where it points to
    double centre[3]; ///< in the coordinates of the mesh; without a spin it means nothing
} grz_flight_motion;

/// A ball in flight: plain data of the caller's. Make it with grz_flight_from().
typedef struct grz_flight {
    double position[3];     ///< where it is at time `now`; world coordinates
    double now;             ///< seconds, by the caller's clock
    double start[3];        ///< where its present arc began: at launch, or at the last bounce
    double velocity[3];     ///< how fast it began; world units a second. See grz_flight_velocity()
    double since;           ///< when it began
    uint64_t bounces;       ///< how often it has bounced off something
    uint64_t held;          ///< for the library: how often it has touched near `held_at`, one time after the other
    double held_at[3];      ///< for the library
    grz_flight_state state; ///< how it goes on
    uint32_t carrier;       ///< the index of the object that it lies on, or lay on last; UINT32_MAX: of none
} grz_flight;

/// One bounce.
typedef struct grz_bounce {
    double time;        ///< seconds, by the caller's clock
    double position[3]; ///< of the ball's middle, rounded: between radius and radius + skin from the surface
    double before[3];   ///< velocity just before
    double after[3];    ///< velocity just after
    double normal[3];   ///< of length 1, from the level to the ball: that of the contact that it hit hardest
    double point[3];    ///< of the level, rounded; world coordinates
    double surface[3];  ///< velocity of the object at that point; zeros if it stands
    uint32_t object;    ///< the index of the object
    uint32_t face;      ///< as the caller numbered it; one of them if several have the point
} grz_bounce;

/// How a ball flies and bounces. Start from grz_default_flight_options().
typedef struct grz_flight_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline (the flight then stands at its last bounce or start), memory, progress
    double radius;     ///< world units, 2^-100 to 2^100; 0: a point, and `skin` must be set. 0 unless set
    double skin;       ///< world units: it bounces between radius and radius + skin. 0: 2^-10 of the radius
    double acceleration[3]; ///< world units a second, each second; at most 2^100 in magnitude; zeros unless set
    double restitution;     ///< 0 to 1: the share of the velocity into a surface that is given back; 1 unless set
    double friction;        ///< 0 or above: at most so much of the impulse acts along the surface; 0 unless set
    /// How the objects move: one for each object, in their order, borrowed for the call. NULL: they stand still.
    const grz_flight_motion *motions;
} grz_flight_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_flight_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_flight_options_init(grz_flight_options *options, size_t size);

/// @return options for a point that flies straight on and loses nothing.
GRZ_INLINE grz_flight_options grz_default_flight_options(void)
{
    grz_flight_options options;
    grz_flight_options_init(&options, sizeof options);
    return options;
}

/// @return a flight that begins.
/// @param position  three numbers, world coordinates
/// @param velocity  three numbers, world units a second
/// @param time      seconds, by the caller's clock
GRZ_API grz_flight grz_flight_from(const double position[3], const double velocity[3], double time);

/// How fast a flight is at its time `now`.
/// @param flight        the flight; NULL: `velocity` is zeroed
/// @param acceleration  as in the options it is advanced with; NULL: none
/// @param velocity      receives three numbers
GRZ_API void grz_flight_velocity(const grz_flight *flight, const double acceleration[3], double velocity[3]);

/// Let a ball fly on until a time.
///
/// Between two bounces it is at start + velocity · t + acceleration · t²/2. Where it comes nearer to a surface than
/// radius + skin it bounces: what goes into the surface is turned round and multiplied by `restitution`, what goes
/// along loses at most `friction` times that change. Several contacts at once are answered together, so that it goes
/// against none of them. Surfaces count, not solids: a room is a mesh with the ball inside.
///
/// A level that does not move, or whose motions are the same in all calls, gives the same bytes however the time is cut
/// into calls, in any order of faces, vertices and objects. (But numbers of faces and objects are those given.) A ball
/// whose rebound would rise by less than the skin rises by the skin, so that it slides on in small hops, which are not
/// listed. It rests if it hardly moves and friction holds it, or nothing is free.
///
/// Objects that move (`options->motions`) are met where they are at that time, however fast they are, also by a ball
/// that rests. The ball bounces as seen from them: what comes towards it gives it speed. Where an object is at the time
/// `now`, grz_flight_pose() says; outside of that the ball is proved. After GRZ_FLIGHT_CRUSHED `now` may be before
/// `until`.
///
/// @param device    whose allocator gives the memory
/// @param objects   the level: `count` objects, whose meshes are borrowed for the call. Coordinates in the world are at
///                  most 2^40 of the skin
/// @param object_count how many; 0: nothing is in the way
/// @param options   NULL is refused: the defaults are a point without a skin
/// @param until     seconds, by the caller's clock; not before flight->now. Infinite: until it rests, there is no
///                  room for another bounce, or it never meets the level again
/// @param flight    is advanced. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it stands at its last bounce
/// @param bounces   receives the bounces of this call, in order
/// @param capacity  there is room for so many; with 0 it stops at the first bounce with GRZ_FLIGHT_FULL
/// @param found     receives how many there are
/// @param error     may be NULL; `element` is the object at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE;
///         GRZ_ERROR_UNSUPPORTED (a level with coordinates above 2^100)
/// Thread-safety: safe together with other queries on the same meshes, if the flights are different.
GRZ_API grz_status grz_flight_advance(grz_device *device, const grz_object *objects, uint32_t object_count,
                                      const grz_flight_options *options, double until, grz_flight *flight,
                                      grz_bounce *bounces, uint64_t capacity, uint64_t *found, grz_error *error);

/// Where an object that moves is at a time.
///
/// A point of the object, posed and rounded at `since`, is then at centre + velocity · t + acceleration · t²/2 + its
/// turned way from the centre, in real numbers, with t = time - since. The pose is rounded.
///
/// @param object  an object of the level; its mesh is not used
/// @param motion  how it moves; NULL: it stands still
/// @param time    seconds, by the caller's clock; at most 2^100 in magnitude
/// @param pose    receives the pose; the object's own, to the bit, at `since` and of what stands still
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
/// Thread-safety: safe, if the poses are different.
GRZ_API grz_status grz_flight_pose(const grz_object *object, const grz_flight_motion *motion, double time,
                                   grz_pose *pose, grz_error *error);

/// Make the motion that leads evenly from one pose to another: for objects of which only the poses are known, frame by
/// frame. Its centre goes straight, and it turns by the shorter way. At `arrival` it is at the second pose, but for
/// rounding.
///
/// @param from,to  poses at both times: the second is the first one, turned and moved (to 2^-40)
/// @param since    seconds, by the caller's clock
/// @param arrival  the same; later
/// @param centre   what it turns about, in the coordinates of the mesh: three numbers; NULL: the mesh's origin
/// @param motion   receives the motion. Unchanged on failure
/// @param error    may be NULL; `element` is 1 for the second pose
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (a pose without an inverse, or that is stretched)
/// Thread-safety: safe, if the motions are different.
/// @code
/// for (i = 0; i < count; i++) // from frame to frame
///     status = grz_flight_motion_between(&before[i], &now[i], time - 1 / 60.0, time, NULL, &motions[i], &error);
/// @endcode
GRZ_API grz_status grz_flight_motion_between(const grz_pose *from, const grz_pose *to, double since, double arrival,
                                             const double centre[3], grz_flight_motion *motion, grz_error *error);

/// When the box of an object may be met by a ball.
typedef struct grz_flight_visit {
    uint32_t object; ///< the index of the object
    double enter;    ///< seconds from the start: not before this
    double leave;    ///< not after this
} grz_flight_visit;

/// The broad phase of a flight: which objects may a ball meet, by their boxes, if nothing stops it? A ball of radius 0
/// without acceleration is the movement line of a centre.
///
/// No object is left out whose box is nearer than the radius to the parabola; each may be listed up to some roundings
/// too early or too long, and a ball counts as a box.
///
/// A ball of grz_flight_advance() bounces at up to radius + skin from a surface. Ask with this sum as `radius`; with
/// the radius alone an object is entered later than the ball may bounce off it.
///
/// @param objects       `count` objects; the meshes are borrowed for the call
/// @param object_count  how many
/// @param start         three numbers, world coordinates, at most 2^100 in magnitude
/// @param velocity      three numbers, at most 2^100 in magnitude
/// @param acceleration  the same
/// @param seconds       how long it flies, 0 to 2^100
/// @param radius        0 to 2^100; of a ball that is to bounce: radius + skin (0 there means 2^-10 of the radius)
/// @param visits        receives the first ones, sorted by `enter`, then by object
/// @param capacity      there is room for so many
/// @param found         receives how many there are; it may be more than `capacity`
/// @param error         may be NULL; `element` is the object at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE
/// Thread-safety: safe together with queries on the same meshes.
GRZ_API grz_status grz_flight_objects(const grz_object *objects, uint32_t object_count, const double start[3],
                                      const double velocity[3], const double acceleration[3], double seconds,
                                      double radius, grz_flight_visit *visits, uint64_t capacity, uint64_t *found,
                                      grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
