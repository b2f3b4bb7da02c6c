// SPDX-License-Identifier: MIT
// Fuzzes picking by a region: a mesh, its pose, and a region whose planes go through its vertices, or are the fuzzer's
// numbers. The tree and all triangles must list the same faces with the same depths; the list must be in order, and a
// shorter one its beginning. Joined by names, no face may be lost. Bad regions must be refused.
#include <math.h>

#include <graze/graze.h>

#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_HITS = 64
};

// A plane through three points of the world, or numbers as they come.
static void some_plane(fuzz_input *in, const test_mesh *world, double plane[4])
{
    const uint8_t kind = fuzz_byte(in);
    double p[3][3];
    for (int i = 0; i < 4; i++)
        plane[i] = i == 3 ? 1.0 : 0.0;
    if (kind < 0x20) // all points are inside
        return;
    if (kind >= 0xe0) {
        for (int i = 0; i < 4; i++)
            plane[i] = fuzz_raw_double(in);
        return;
    }
    for (int i = 0; i < 3; i++)
        fuzz_point(in, world, NULL, p[i]);
    if (kind < 0x60) { // across an axis
        plane[kind % 3] = (kind & 0x10) != 0 ? 1.0 : -1.0;
        plane[3] = -plane[kind % 3] * p[0][kind % 3];
        return;
    }
    plane[3] = 0.0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        plane[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) - (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
        plane[3] -= plane[k] * p[0][k];
    }
}

static bool is_good(const grz_region *region)
{
    bool good = true;
    for (int i = 0; i < 4; i++) {
        for (int row = 0; row < 6; row++)
            good = good && fabs(region->planes[row][i]) <= GRZ_MAX_COORDINATE;
        for (int row = 0; row < 2; row++)
            good = good && fabs(region->depth[row][i]) <= GRZ_MAX_COORDINATE;
    }
    return good;
}

static bool same_hit(const grz_region_hit *x, const grz_region_hit *y)
{
    return x->object == y->object && x->face == y->face && x->depth_min == y->depth_min && x->depth_max == y->depth_max;
}

static uint64_t ask(const grz_object *objects, const grz_region *region, const char *method, grz_region_hit *hits,
                    uint64_t most)
{
    grz_pick_options options = grz_default_pick_options();
    uint64_t found;
    options.method = method;
    FUZZ_REQUIRE(grz_region_pick(fuzz_device(), grz_targets_of_objects(objects, 2), region, &options, hits, most,
                                 &found, NULL) == GRZ_OK);
    return found;
}

// All hits are under one name, and under the objects' names each is counted once.
static void check_joined(const grz_region_hit *hits, uint64_t count)
{
    const uint32_t names[2][2] = {{7, 1}, {7, 2}};
    const grz_name_path paths[2] = {{names[0], 2}, {names[1], 2}};
    grz_region_record records[4];
    for (uint32_t levels = 1; levels <= 2; levels++) {
        uint64_t found, faces = 0;
        FUZZ_REQUIRE(grz_region_join(fuzz_device(), hits, count, paths, 2, levels, records, 4, &found, NULL) == GRZ_OK);
        FUZZ_REQUIRE(found <= levels && (found > 0) == (count > 0));
        for (uint64_t i = 0; i < found; i++)
            faces += records[i].hit_count;
        FUZZ_REQUIRE(faces == count);
    }
}

static void check(const grz_object *objects, const grz_region *region)
{
    static grz_region_hit hits[2][MOST_HITS], few[3];
    grz_error error = {.code = GRZ_OK};
    uint64_t found;
    const grz_status status = grz_region_pick(fuzz_device(), grz_targets_of_objects(objects, 2), region, NULL, hits[0],
                                              MOST_HITS, &found, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_POSE || (status == GRZ_ERROR_ARGUMENT && !is_good(region)));
    if (status != GRZ_OK) {
        FUZZ_REQUIRE(found == 0);
        return;
    }
    FUZZ_REQUIRE(is_good(region) && found <= MOST_HITS);
    FUZZ_REQUIRE(ask(objects, region, "naive", hits[1], MOST_HITS) == found);
    for (uint64_t i = 0; i < found; i++) {
        const grz_region_hit *hit = &hits[0][i];
        FUZZ_REQUIRE(same_hit(hit, &hits[1][i]) && hit->depth_min <= hit->depth_max);
        FUZZ_REQUIRE(i == 0 || hit[-1].object < hit->object ||
                     (hit[-1].object == hit->object && hit[-1].face < hit->face));
    }
    FUZZ_REQUIRE(ask(objects, region, "bvh", few, 3) == found);
    for (uint64_t i = 0; i < found && i < 3; i++)
        FUZZ_REQUIRE(same_hit(&few[i], &hits[0][i]));
    check_joined(hits[0], found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    grz_region region = {.depth = {{0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}};
    const uint8_t kind = fuzz_byte(&in);
    test_mesh mesh = fuzz_mesh(&in, NULL);
    fuzz_scale(&mesh, kind & 0x3f);
    grz_mesh *uploaded = test_mesh_upload_flags(fuzz_device(), &mesh, 0);
    const grz_object objects[2] = {grz_object_at(uploaded, fuzz_pose(&in)), grz_object_at_origin(uploaded)};
    test_mesh world = fuzz_in_world(&mesh, &objects[0].pose);
    for (int i = 0; i < 6; i++)
        some_plane(&in, &world, region.planes[i]);
    for (int i = 0; i < 2 && (kind & 0x40) != 0; i++)
        some_plane(&in, &world, region.depth[i]);
    check(objects, &region);
    free(world.positions);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
    return 0;
}
