// SPDX-License-Identifier: MIT
// Fuzzes cells and portals: a mesh of which some faces are portals, or of which a BSP tree makes cells; objects that
// are put in and moved, points, and a mover. Every point is in one cell, or on a face of all that have it; what a
// refusal names is there; a mover's steps among the cells are those in the whole level.
#include <math.h>

#include "base/control.h"
#include "level/portals/bsp/bsp_cells.h"
#include "level/portals/portal_cells.h"
#include "support_devices.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"
#include "support_mazes.h"
#include "support_moved.h"

enum {
    STEPS = 3,
    POINTS = 6
};

static double part(fuzz_input *in)
{
    static const double parts[] = {0.0, 1.0, -1.0, 0.5, -0.25, 2.0, -3.0, 0x1p-30};
    const uint8_t byte = fuzz_byte(in);
    return parts[byte % 8] + (byte & 0x80 ? 0.125 : 0.0) - (byte & 0x40 ? 0x1p-12 : 0.0);
}

static grz_shape fuzz_shape(fuzz_input *in)
{
    static const double sizes[] = {0.25, 0.5, 0.375, 1.0, 0.1, 0.01, 2.0, 0.3};
    double half[3];
    const uint8_t kind = fuzz_byte(in);
    for (int k = 0; k < 3; k++)
        half[k] = sizes[fuzz_byte(in) % 8];
    const double up[3] = {0.0, 0.0, 1.0};
    if (kind & 0x40)
        return grz_shape_cylinder((const double[3]){0.0, 0.0, 0.0}, half[0], half[1]);
    return kind % 4 == 0   ? test_sphere(half[0])
           : kind % 4 == 1 ? test_capsule(half[0], half[1], up)
           : kind % 4 == 2 ? grz_shape_box((const double[3]){0.0, 0.0, 0.0}, half)
                           : grz_shape_ellipsoid((const double[3]){0.0, 0.0, 0.0}, half);
}

static grz_portals *make_level(fuzz_input *in, grz_mesh *mesh, const grz_pose *pose, uint64_t faces)
{
    grz_portals_options options = grz_default_portals_options();
    uint32_t portals[4];
    const uint8_t how = fuzz_byte(in);
    const uint64_t count = how % 5;
    for (uint64_t i = 0; i < count; i++)
        portals[i] = fuzz_byte(in) % (uint32_t)(faces + 1);
    options.open_walls = how & 0x40;
    options.margin = how & 0x20 ? 0.25 : 0.0;
    const grz_object object = grz_object_at(mesh, *pose);
    grz_portals *level;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_portals_create(fuzz_device(), &object, portals, count, &options, &level, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (level != NULL));
    FUZZ_REQUIRE((status == GRZ_OK) == (error.message[0] == '\0'));
    if (status == GRZ_ERROR_MESH)
        FUZZ_REQUIRE(error.element < faces);
    else
        FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_ARGUMENT || status == GRZ_ERROR_UNSUPPORTED ||
                     status == GRZ_ERROR_POSE);
    return level;
}

static grz_portals *make_tree(fuzz_input *in, grz_mesh *mesh, const grz_pose *pose, uint64_t faces)
{
    static const double shares[] = {0.25, 0.0, 1.0, 0.5};
    grz_portals_options options = grz_default_portals_options();
    const uint8_t how = fuzz_byte(in);
    options.open_walls = how & 0x40;
    options.margin = how & 0x20 ? 0.25 : 0.0;
    options.coverage = shares[how % 4];
    options.flatness = how & 0x10 ? 0.0 : 0.125;
    options.cell_faces = how & 0x08 ? 1 : 16;
    options.max_cells = how & 0x04 ? 300 : 2;
    uint32_t marks[4];
    options.marks = marks;
    options.mark_count = how & 0x80 ? fuzz_byte(in) % 5 : 0;
    for (uint64_t i = 0; i < options.mark_count; i++)
        marks[i] = fuzz_byte(in) % (uint32_t)(faces + 1);
    const grz_object object = grz_object_at(mesh, *pose);
    grz_portals *level;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_portals_create_bsp(fuzz_device(), &object, &options, &level, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (level != NULL));
    if (status == GRZ_ERROR_MESH)
        FUZZ_REQUIRE(error.element < faces && !options.open_walls);
    else
        FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_UNSUPPORTED || status == GRZ_ERROR_POSE ||
                     status == GRZ_ERROR_LIMIT || (status == GRZ_ERROR_ARGUMENT && options.mark_count > 0));
    if (level != NULL)
        FUZZ_REQUIRE(level->cell_count <= options.max_cells && level->slack <= options.flatness * level->margin);
    return level;
}

static void check_report(const grz_portals *level)
{
    grz_portals_report report;
    grz_portals_examine(level, &report);
    FUZZ_REQUIRE(report.cells >= 1 && report.useless_portals <= report.portals && report.free_walls <= report.walls);
    for (uint32_t i = 0; i < report.portals; i++) {
        grz_portal portal;
        FUZZ_REQUIRE(grz_portals_portal_at(level, i, &portal));
        FUZZ_REQUIRE(portal.cells[0] < report.cells && portal.cells[1] < report.cells);
        grz_portals_polygon piece;
        FUZZ_REQUIRE(grz_portals_polygon_at(level, i, 0, &piece) && piece.count >= 3 && piece.off >= 0.0);
    }
}

static bool is_on_face(const grz_portals *level, const double p[3])
{
    const grz_object all = grz_object_at_origin(level->all.mesh);
    grz_location location;
    FUZZ_REQUIRE(grz_locate_points(fuzz_device(), &all, p, 1, NULL, &location, NULL) == GRZ_OK);
    return location == GRZ_ON_SURFACE;
}

typedef struct leaves {
    uint32_t cell; // to be found
    bool found;
} leaves;

static bool find_leaf(void *context, uint32_t cell)
{
    leaves *l = context;
    l->found = l->found || cell == l->cell;
    return true;
}

// A cell that was found has the point, and a larger box's cells are more.
static void check_point_in_tree(grz_portals_tracker *tracker, const double p[3])
{
    grz_portals_place place;
    grz_box box = grz_box_empty();
    if (grz_portals_track(tracker, p, p, p, &place, NULL) != GRZ_OK)
        return; // beyond 2^100
    leaves l = {.cell = place.cells[0]};
    grz_box_add_point(&box, p);
    FUZZ_REQUIRE(grz_bsp_visit(tracker->level, &box, find_leaf, &l) && l.found);
    const uint32_t count = place.count;
    box = grz_box_grown(&box, 1.0);
    FUZZ_REQUIRE(grz_portals_track(tracker, p, box.min, box.max, &place, NULL) != GRZ_OK ||
                 (!place.teleported && place.count >= count));
}

// Every point is in one cell; on a face it is in one or two, or more at an edge.
static void check_point(grz_portals_tracker *tracker, const double p[3])
{
    const grz_portals *level = tracker->level;
    grz_portals_place place;
    grz_control control;
    uint32_t count = 0;
    bool found = false;
    if (level->nodes.count > 0) {
        check_point_in_tree(tracker, p);
        return;
    }
    if (grz_portals_track(tracker, p, p, p, &place, NULL) != GRZ_OK)
        return; // beyond 2^100
    grz_control_init(&control, level->allocator, NULL);
    for (uint32_t i = 0; i < level->cell_count; i++) {
        const bool has = grz_cell_has(&level->cells[i], i == GRZ_PORTALS_OUTSIDE, p, &control);
        count += has;
        found = found || (has && i == place.cells[0]);
    }
    FUZZ_REQUIRE(found && (count == 1 || is_on_face(level, p)));
}

static void use_names(const grz_portals *level, grz_mover_answer *a)
{
    for (uint32_t i = 0; i < a->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++)
        if (a->contacts[i].object == 0)
            a->contacts[i].face = level->walls.faces[a->contacts[i].face];
    if (a->floor.stands && a->floor.object == 0)
        a->floor.face = level->walls.faces[a->floor.face];
}

static void walk(fuzz_input *in, grz_portals_tracker *tracker, grz_object *thing, const grz_pose *earlier)
{
    const grz_portals *level = tracker->level;
    const grz_shape shape = fuzz_shape(in);
    grz_mover_options options = grz_default_mover_options();
    const uint8_t how = fuzz_byte(in);
    double position[3], displacement[3];
    options.walk = how & 1;
    options.step_up = how & 2 ? 0.25 : 0.0;
    options.clean_up = (grz_mover_clean_up)(how / 4 % 3);
    for (int k = 0; k < 3; k++)
        position[k] = (int8_t)fuzz_byte(in) / 16.0;
    if (level->walls.mesh == NULL)
        return;
    const grz_object objects[2] = {grz_object_at_origin(level->walls.mesh), *thing};
    const grz_pose poses[2] = {objects[0].pose, *earlier};
    for (int i = 0; i < STEPS; i++) {
        grz_mover_answer cells, whole;
        for (int k = 0; k < 3; k++)
            displacement[k] = part(in);
        const grz_status status =
            grz_portals_step(tracker, &shape, position, displacement, &options, &cells, NULL, NULL);
        grz_mover_options of_whole = options;
        of_whole.earlier_poses = memcmp(earlier, &thing->pose, sizeof *earlier) != 0 ? poses : NULL;
        of_whole.floor.face = 0;
        FUZZ_REQUIRE(grz_mover_step(fuzz_device(), objects, 2, &shape, position, displacement, &of_whole, &whole,
                                    NULL) == status);
        if (status != GRZ_OK)
            return;
        use_names(level, &whole);
        FUZZ_REQUIRE(test_steps_are_same(&cells, &whole));
        memcpy(position, cells.position, sizeof position);
        options.floor = cells.floor;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    test_device = fuzz_device();
    test_mesh walls = fuzz_mesh(&in, NULL), block = test_mesh_cube(0.0, 0.0, 0.0, 0.5);
    grz_mesh *mesh = test_mesh_upload(fuzz_device(), &walls), *thing = test_mesh_upload(fuzz_device(), &block);
    const uint8_t turned = fuzz_byte(&in);
    const grz_pose pose = turned % 4 == 0 ? fuzz_pose(&in) : grz_pose_identity();
    grz_portals *level =
        turned & 0x40 ? make_tree(&in, mesh, &pose, walls.face_count) : make_level(&in, mesh, &pose, walls.face_count);
    if (level != NULL) {
        grz_portals_tracker *tracker;
        grz_object object = grz_object_at(thing, grz_pose_from_translation(part(&in), 0.5, 0.25));
        const grz_pose earlier = object.pose;
        uint32_t number;
        check_report(level);
        FUZZ_REQUIRE(grz_portals_tracker_create(level, &tracker, NULL) == GRZ_OK);
        for (int i = 0; i < POINTS; i++) {
            double p[3];
            fuzz_point(&in, &walls, NULL, p);
            check_point(tracker, p);
        }
        FUZZ_REQUIRE(grz_portals_add(level, &object, &number, NULL) == GRZ_OK && number == 0);
        if (turned & 0x80) {
            object.pose.m[0][3] += 0.25;
            FUZZ_REQUIRE(grz_portals_move(level, 0, &object.pose, NULL) == GRZ_OK);
        }
        walk(&in, tracker, &object, &earlier);
        grz_portals_tracker_destroy(tracker);
        grz_portals_destroy(level);
    }
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(thing);
    test_mesh_finish(&walls);
    test_mesh_finish(&block);
    return 0;
}
