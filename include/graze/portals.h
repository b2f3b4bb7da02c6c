// SPDX-License-Identifier: MIT
/// @file
/// Cells and portals: which rooms of a level is a body in, and moving it against only their walls and contents.
///
/// A level's *walls* and *portals* cut space into *cells*. A portal is a face that can be gone through: a door, an
/// opening. A body that does not go through walls can enter a cell only through a portal. docs/use/portals.md says what
/// is guaranteed, and how.
///
/// @code
/// grz_portals *level;
/// status = grz_portals_create(device, &house, doors, door_count, NULL, &level, &error);
/// status = grz_portals_add(level, &table, &number, &error);
/// status = grz_portals_tracker_create(level, &tracker, &error);
/// for (;;) {
///     status = grz_portals_step(tracker, &shape, position, displacement, &options, &answer, NULL, &error);
///     memcpy(position, answer.position, sizeof position);
///     options.floor = answer.floor;
/// }
/// @endcode
#ifndef GRAZE_PORTALS_H
#define GRAZE_PORTALS_H

#include <graze/limits.h>
#include <graze/mover.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opaque. A level of cells that are joined by portals, and the objects in them. It keeps its device alive.
///
/// Thread-safety: grz_portals_add(), grz_portals_move(), grz_portals_remove(), grz_portals_rest() and
/// grz_portals_destroy() need the level alone. All other functions may run at once.
typedef struct grz_portals grz_portals;

/// Opaque. The cells that one body occupies, kept from frame to frame. Thread-safety: one thread at a time.
typedef struct grz_portals_tracker grz_portals_tracker;

/// The cell outside of all walls. It has this number in every level.
#define GRZ_PORTALS_OUTSIDE UINT32_C(0)

/// Options of grz_portals_create(). Start from grz_default_portals_options().
typedef struct grz_portals_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// World units, at least 0: a cell's mesh also has the faces of other cells' walls that are within this distance of
    /// its own. grz_portals_step() then needs the cells only, if the mover's skin is at most a quarter of it. 0: a 32nd
    /// of the mean length of the edges.
    double margin;
    /// Walls may end free, as a screen in a room does: there both sides are one cell. Else such an edge is refused,
    /// because a cell would leak.
    bool open_walls;
    /// The following are for grz_portals_create_bsp() only. The plane of a wall cuts a cell in a polygon. It divides
    /// the cell if walls cover at least this share of the polygon; 0 to 1, usually 0.25. More: fewer cells.
    double coverage;
    /// Walls that were rounded are not flat, and do not quite meet. For the search for openings, they may be moved by
    /// this share of the margin: 0 to 1/8, usually 1/64. 0: walls are taken as they are. Openings that are narrower
    /// may be taken for closed. grz_portals_report::slack says how far walls were moved.
    double flatness;
    uint32_t cell_faces; ///< where no wall divides, a cell with more triangles than this in it is halved; 256
    uint32_t max_cells;  ///< more cells are an error, GRZ_ERROR_LIMIT; at least 2, usually 100,000
    /// Faces of the mesh that are no walls but portals, in any order, borrowed for the call; NULL: none. Each divides
    /// as a wall does: in an opening that the tree finds, the part in the face is a portal with the face's number, and
    /// the rest another one; within a cell, the face's plane divides it. They may lie anywhere.
    const uint32_t *marks;
    uint64_t mark_count; ///< how many
} grz_portals_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_portals_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_portals_options_init(grz_portals_options *options, size_t size);

/// @return options for a level whose walls end nowhere.
GRZ_INLINE grz_portals_options grz_default_portals_options(void)
{
    grz_portals_options options;
    grz_portals_options_init(&options, sizeof options);
    return options;
}

/// Make a level of cells from a mesh, some of whose faces are portals.
///
/// The two sides of a face are different places. Cells are found exactly: sides that follow each other around an edge
/// belong to one cell, and so do the surfaces that bound one space without touching, such as a room and a pillar in
/// it. A space that walls bound on all sides without a portal, such as that within a thick wall, is a cell, too: it
/// costs memory and is never entered.
///
/// Faces may meet only along whole common edges and at common corners. A door in a wall is an opening in the wall's
/// faces, filled by the portal.
///
/// @param device        whose threads and allocator are used
/// @param object        walls and portals; borrowed for the call, everything is copied. World coordinates are at most
///                      2^100 in magnitude
/// @param portals       the faces that are portals, in any order; NULL if there are none
/// @param portal_count  how many
/// @param options       NULL means the defaults
/// @param level         receives the level; NULL on failure. Destroy it with grz_portals_destroy()
/// @param error         may be NULL. `element` is the face at fault; the text names the others
/// @return GRZ_OK; GRZ_ERROR_MESH (a face without area or that crosses itself, two faces that meet outside of common
///         edges and corners, an edge at which a cell would leak); GRZ_ERROR_ARGUMENT (a portal that is no face or is
///         listed twice); GRZ_ERROR_UNSUPPORTED (coordinates above 2^100; a part of the walls that touches others with
///         all its corners, but with no edge); GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with queries on the same mesh.
/// @code
/// const uint32_t doors[] = {12, 40};
/// status = grz_portals_create(device, &house, doors, 2, NULL, &level, &error);
/// @endcode
GRZ_API grz_status grz_portals_create(grz_device *device, const grz_object *object, const uint32_t *portals,
                                      uint64_t portal_count, const grz_portals_options *options, grz_portals **level,
                                      grz_error *error);

/// Make a level of cells from a mesh whose portals need not be marked: a BSP tree over planes of its walls cuts the
/// level's box into convex cells. Where walls leave an opening between two cells, there is a portal. Portals may be
/// marked in addition, by `options.marks`; docs/use/portals.md says what becomes of them.
///
/// Nothing is asked of the mesh: faces may meet anywhere, cross each other, cover each other or have no area. Cells are
/// not those of grz_portals_create(): a room that is not convex may be several cells, and a cell may have walls within
/// it that divide nothing. Steps are those of the whole level here, too, and no cell is missed, within the slack that
/// the report has. The outside is all that is not in the box of the walls. docs/use/portals.md says how it is done.
///
/// @param device   whose threads and allocator are used
/// @param object   walls; borrowed for the call, everything is copied. World coordinates are at most 2^100 in magnitude
/// @param options  NULL means the defaults. Without `open_walls`, each edge must be on an even number of triangles, or
///                 be covered by edges of others so that all its points are (a corner within another face's edge is
///                 allowed), or be that of a marked portal; else it is refused
/// @param level    receives the level; NULL on failure. Destroy it with grz_portals_destroy()
/// @param error    may be NULL. `element` is the face at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (an edge at which a wall ends free); GRZ_ERROR_ARGUMENT (also a mark that is no face
///         or is listed twice); GRZ_ERROR_LIMIT (more cells than `max_cells`); GRZ_ERROR_UNSUPPORTED (coordinates above
///         2^100); GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with queries on the same mesh.
/// @code
/// status = grz_portals_create_bsp(device, &house, NULL, &level, &error);
/// @endcode
GRZ_API grz_status grz_portals_create_bsp(grz_device *device, const grz_object *object,
                                          const grz_portals_options *options, grz_portals **level, grz_error *error);

/// Destroy a level. NULL is accepted. Its trackers must be destroyed before.
GRZ_API void grz_portals_destroy(grz_portals *level);

/// What a level is made of. `first_…` are faces as the caller numbered them, or GRZ_NO_ELEMENT.
typedef struct grz_portals_report {
    uint32_t cells;                ///< with the outside
    uint32_t portals;              ///< as given; of a BSP tree: what became of the marked ones, and those found
    uint32_t closed_cells;         ///< cells without a portal: nothing goes in or out; the outside may be one
    uint32_t useless_portals;      ///< with the same cell on both sides: they can be gone round
    uint64_t first_useless_portal; ///< the lowest of them
    uint64_t walls;                ///< faces that are no portals
    uint64_t free_walls;           ///< walls with the same cell on both sides, also in part: screens
    double margin;                 ///< as given, or chosen
    uint64_t faces_in_cells;       ///< faces of all cells' meshes together: what the cells cost
    double slack; ///< world units: no cell of a BSP tree is missed on ways that keep more than that from all walls;
                  ///< 0: for all that cross no wall. At most margin · flatness
} grz_portals_report;

/// @param level   what is asked about
/// @param report  receives what it is made of; zeros if `level` is NULL
/// Thread-safety: as the level.
GRZ_API void grz_portals_examine(const grz_portals *level, grz_portals_report *report);

/// One cell. Pointers stay valid until the level is destroyed; `contents` until the level's objects change.
typedef struct grz_portals_cell {
    const grz_mesh *walls;      ///< triangles: its walls, and those of others within the margin; NULL if there are none
    const uint32_t *wall_faces; ///< for each face of `walls`: its number in the mesh that the caller gave
    const uint32_t *portals;    ///< indices of its portals, ascending
    uint32_t portal_count;      ///< how many
    const uint32_t *contents;   ///< numbers of the objects that may be in it
    uint32_t content_count;     ///< how many
    double min[3];              ///< lower corner of the box of its walls and portals; of a BSP tree's cell: of itself
    double max[3];              ///< its upper corner. The outside goes on beyond
} grz_portals_cell;

/// Look at a cell.
/// @param level   what is asked about
/// @param number  of the cell, below grz_portals_report::cells
/// @param cell    receives the cell; zeroed if there is none
/// @return whether there is such a cell. Thread-safety: as the level.
GRZ_API bool grz_portals_cell_at(const grz_portals *level, uint32_t number, grz_portals_cell *cell);

/// One portal.
typedef struct grz_portal {
    uint32_t face;     ///< in the mesh that the caller gave; UINT32_MAX: found by the BSP tree, it is no face. A face
                       ///< that a BSP tree cuts is a portal for each two cells that it is between
    uint32_t cells[2]; ///< on the side to which the face's normal points (from where its corners run
                       ///< counter-clockwise), and on the other; without a face in no order
    double min[3];     ///< lower corner of its box
    double max[3];     ///< its upper corner
} grz_portal;

/// Look at a portal.
/// @param level   what is asked about
/// @param index   below grz_portals_report::portals; those that are faces come first, in the order of the faces
/// @param portal  receives the portal; zeroed if there is none
/// @return whether there is such a portal. Thread-safety: as the level.
GRZ_API bool grz_portals_portal_at(const grz_portals *level, uint32_t index, grz_portal *portal);

/// A convex piece of a portal.
typedef struct grz_portals_polygon {
    const double *corners; ///< count × 3 numbers in order, world coordinates; they belong to the level
    uint32_t count;        ///< 3 or more
    double off; ///< world units: each corner is where it should be but for this at most, by rounding; 0: exactly there
} grz_portals_polygon;

/// Read one piece of a portal. A portal is the union of its pieces: triangles if it was marked, convex polygons of the
/// open part of a plane if the BSP tree found it.
/// @param level    what is asked about
/// @param index    of the portal, as in grz_portals_portal_at()
/// @param number   of the piece, from 0 as long as there are any
/// @param polygon  receives the piece; zeroed if there is none
/// @return whether there is such a piece. Thread-safety: as the level.
GRZ_API bool grz_portals_polygon_at(const grz_portals *level, uint32_t index, uint32_t number,
                                    grz_portals_polygon *polygon);

/// Put an object into the level. It is registered to every cell that its box, grown by the margin, may meet.
/// @param level   receives the object
/// @param object  plain data is copied; the mesh is borrowed until the object is removed or the level destroyed. Its
///                positions must not change without a call of grz_portals_move()
/// @param number  receives the object's number, the lowest that is free, from 0
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED (coordinates above 2^100);
///         GRZ_ERROR_MEMORY
GRZ_API grz_status grz_portals_add(grz_portals *level, const grz_object *object, uint32_t *number, grz_error *error);

/// Give an object a new pose. Where it was is remembered: steps push movers out of its way, until grz_portals_rest().
/// @param level   has the object
/// @param number  of the object
/// @param pose    its new pose
/// @param error   may be NULL
/// @return as grz_portals_add()
GRZ_API grz_status grz_portals_move(grz_portals *level, uint32_t number, const grz_pose *pose, grz_error *error);

/// Begin a frame: all objects have rested where they are since the last one. Call it before grz_portals_move(), once
/// all movers have stepped. Nothing happens if `level` is NULL.
/// @return GRZ_OK; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_portals_rest(grz_portals *level, grz_error *error);

/// Take an object out.
/// @param level   has the object
/// @param number  of the object; free for another one after this
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_portals_remove(grz_portals *level, uint32_t number, grz_error *error);

/// Make a tracker for a body.
/// @param level    must outlive it
/// @param tracker  receives the tracker; NULL on failure. Destroy it with grz_portals_tracker_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_portals_tracker_create(const grz_portals *level, grz_portals_tracker **tracker,
                                              grz_error *error);

/// Destroy a tracker. NULL is accepted.
GRZ_API void grz_portals_tracker_destroy(grz_portals_tracker *tracker);

/// Which cells a body occupies. `cells` belongs to the tracker and changes with its next call.
typedef struct grz_portals_place {
    const uint32_t *cells; ///< each once; first the one that has the body's point
    uint32_t count;        ///< at least 1; 0 after a failure
    uint32_t searched;     ///< cells that were asked whether they have the point, for judging speed
    /// The point is in none of the cells that the last call gave: the body was put somewhere else, or has gone through
    /// a wall. Also true for the first call.
    bool teleported;
    /// Set by grz_portals_step(): the cells were not enough for this step, so all walls and objects were taken.
    bool whole_level;
} grz_portals_place;

/// Find the cells that a body occupies: all that can be reached from the cell of its point through portals, within its
/// box. No cell that it occupies is missed as long as its parts are joined inside the box by ways that cross no wall.
///
/// The last answer's cells are looked at first. For a body that moves, give the box of all places that it may come to
/// until the next call: then the next point is among the cells of this call.
///
/// @param tracker  of the body
/// @param point    a point of the body, world coordinates, finite, at most 2^100 in magnitude. On a wall or a portal it
///                 counts as in a cell that has that face; which one is not said
/// @param min      lower corner of a box that holds the body; the box is made larger to hold the point
/// @param max      its upper corner
/// @param place    receives the answer
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_portals_track(grz_portals_tracker *tracker, const double point[3], const double min[3],
                                     const double max[3], grz_portals_place *place, grz_error *error);

/// The portals that a body straddles.
typedef struct grz_portals_straddle {
    const uint32_t *portals; ///< their indices, ascending; NULL if there are none. They belong to the tracker, and
                             ///< change with its next call of grz_portals_straddled()
    uint32_t count;          ///< how many
    uint32_t undecided;      ///< how many of them are listed although it is not decided that the body touches them
} grz_portals_straddle;

/// Which portals does a body straddle? Of the cells that the tracker gave last, those that the body touches: it is in
/// the portal's polygon, not merely in a box round it. A body that stands in a door is in both rooms, and can be seen,
/// lit and heard in both.
///
/// @param tracker   of the body; grz_portals_track() or grz_portals_step() has found its cells, in a box that holds it
/// @param shape     what the body is, around its point: any shape but a ray or a line
/// @param position  the body's point, as in grz_portals_track()
/// @param straddle  receives the answer. What a BSP tree found is open but for grz_portals_report::slack
/// @param error     may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY
/// Thread-safety: of different trackers at once.
/// @code
/// status = grz_portals_straddled(tracker, &shape, position, &straddle, &error);
/// for (uint32_t i = 0; i < straddle.count; i++)
///     hold_open(doors[straddle.portals[i]]);
/// @endcode
GRZ_API grz_status grz_portals_straddled(grz_portals_tracker *tracker, const grz_shape *shape, const double position[3],
                                         grz_portals_straddle *straddle, grz_error *error);

/// grz_mover_step() with the walls and objects of the cells only that the mover may come to. The answer is the one that
/// grz_mover_step() gives for the whole level, bit for bit, but for `compared`. In answers and in `options` the walls
/// are object 0, their faces as the caller numbered them; object `number` + 1 is the level's object `number`.
///
/// @param tracker   of the mover
/// @param shape     as in grz_mover_step()
/// @param position  as in grz_mover_step()
/// @param displacement  as in grz_mover_step()
/// @param options   as in grz_mover_step(), but `earlier_poses` and `ground` must be NULL: the level knows them
/// @param answer    receives the answer
/// @param place     receives the cells that were looked at; may be NULL
/// @param error     may be NULL
/// @return as grz_mover_step()
/// Thread-safety: steps of different trackers may run at once.
/// @code
/// status = grz_portals_step(tracker, &shape, position, displacement, &options, &answer, NULL, &error);
/// @endcode
GRZ_API grz_status grz_portals_step(grz_portals_tracker *tracker, const grz_shape *shape, const double position[3],
                                    const double displacement[3], const grz_mover_options *options,
                                    grz_mover_answer *answer, grz_portals_place *place, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
