// SPDX-License-Identifier: MIT
// Fuzzes particles: a mesh and its pose, settings of a map and of a step, and particles, from the bytes. Whatever they
// are, a step counts every particle, leaves those that it skips as they were, and lists hits in order; it gives the
// same bytes again, and each particle the same alone as among the others; without an acceleration no speed grows.
// Without OpenGL it skips.
#include <math.h>

#include <graze/gl.h>
#include <graze/particles.h>

#include "support_fuzz_shapes.h"
#include "support_gl.h"

#ifdef GRZ_HAVE_GL

enum {
    SKIPPED = 77,
    MOST = 24,     // particles
    MOST_HITS = 64 // of them all, so that there are sometimes too many
};

typedef struct particle {
    float p[3], mine, v[3], also_mine;
} particle;

static grz_device *device;

static void open_device(void)
{
    if (device != NULL)
        return;
    if (!test_gl_is_here())
        exit(SKIPPED);
    device = test_gl_device_open();
}

// From small numbers to any bits.
static double fuzz_number(fuzz_input *in)
{
    const uint8_t kind = fuzz_byte(in);
    if (kind == 255)
        return fuzz_raw_double(in);
    if (kind == 254)
        return ldexp((int8_t)fuzz_byte(in), (int8_t)fuzz_byte(in));
    return (kind - 127) / 16.0;
}

static grz_particle_map_options map_options(fuzz_input *in)
{
    grz_particle_map_options options = grz_default_particle_map_options();
    const uint8_t kind = fuzz_byte(in);
    options.resolution = 1 + fuzz_below(in, 24);
    options.layers = 1 + (kind & 3);
    options.cube = (kind & 4) != 0;
    options.sheets = (kind & 8) != 0;
    if ((kind & 16) != 0)
        options.thickness = fabs(fuzz_number(in));
    if ((kind & 32) != 0)
        options.radius = fabs(fuzz_number(in));
    for (int i = 0; i < 3; i++) {
        options.half[i] = (kind & 64) != 0 ? fuzz_number(in) : 1.0 + fuzz_below(in, 8);
        options.centre[i] = (kind & 128) != 0 ? fuzz_number(in) : 0.0;
        options.direction[i] = (int8_t)fuzz_byte(in);
        options.up[i] = (int8_t)fuzz_byte(in);
    }
    return options;
}

static grz_particle_step step_of(fuzz_input *in)
{
    grz_particle_step step = grz_default_particle_step();
    const uint8_t kind = fuzz_byte(in);
    step.seconds = (kind & 1) != 0 ? fuzz_number(in) : (1.0 + fuzz_below(in, 64)) / 16.0;
    if ((kind & 2) != 0)
        for (int i = 0; i < 3; i++)
            step.acceleration[i] = fuzz_number(in);
    step.restitution = fuzz_below(in, 17) / 16.0;
    step.friction = (kind & 4) != 0 ? fuzz_below(in, 16) / 8.0 : 0.0;
    step.max_bounces = 1 + fuzz_below(in, 64);
    step.max_hits = MOST_HITS;
    return step;
}

static bool are_finite(const particle *one)
{
    bool finite = true;
    for (int k = 0; k < 3; k++)
        finite = finite && isfinite(one->p[k]) && isfinite(one->v[k]);
    return finite;
}

static double speed(const particle *one)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (double)one->v[k] * (double)one->v[k];
    return sqrt(square);
}

static void check_hits(const grz_particle_map *map, uint32_t count)
{
    uint64_t listed;
    const grz_particle_hit *hits = grz_particle_map_hits(map, &listed);
    FUZZ_REQUIRE(listed <= MOST_HITS);
    for (uint64_t i = 0; i < listed; i++) {
        FUZZ_REQUIRE(hits[i].particle < count && hits[i].kind <= GRZ_PARTICLE_PUSHED);
        FUZZ_REQUIRE(i == 0 || hits[i - 1].particle < hits[i].particle ||
                     (hits[i - 1].particle == hits[i].particle && hits[i - 1].order < hits[i].order));
    }
}

static void check_step(grz_particle_map *map, const grz_particle_step *step, const particle *before, uint32_t count)
{
    particle after[MOST], again[MOST], alone;
    grz_particle_answer answer, same;
    const grz_particle_array array = {.memory = after[0].p, .count = count},
                             second = {.memory = again[0].p, .count = count};
    memcpy(after, before, sizeof after);
    memcpy(again, before, sizeof again);
    const grz_status status = grz_particle_map_step(map, &array, step, &answer, NULL);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_ARGUMENT);
    if (status != GRZ_OK)
        return;
    FUZZ_REQUIRE(answer.moved + answer.skipped == count && answer.hit <= answer.moved);
    check_hits(map, count);
    FUZZ_REQUIRE(grz_particle_map_step(map, &second, step, &same, NULL) == GRZ_OK);
    FUZZ_REQUIRE(memcmp(&answer, &same, sizeof answer) == 0 && memcmp(after, again, count * sizeof *after) == 0);
    for (uint32_t i = 0; i < count; i++) {
        const bool changed = memcmp(&after[i], &before[i], sizeof *after) != 0;
        FUZZ_REQUIRE(!changed || (are_finite(&before[i]) && are_finite(&after[i])));
        if (changed && step->acceleration[0] == 0.0 && step->acceleration[1] == 0.0 && step->acceleration[2] == 0.0)
            FUZZ_REQUIRE(speed(&after[i]) <= speed(&before[i]) * 1.001);
    }
    const uint32_t chosen = count / 2;
    alone = before[chosen];
    const grz_particle_array one = {.memory = alone.p, .count = 1};
    FUZZ_REQUIRE(grz_particle_map_step(map, &one, step, NULL, NULL) == GRZ_OK);
    FUZZ_REQUIRE(memcmp(&alone, &after[chosen], sizeof alone) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    particle particles[MOST] = {{.mine = 0.0f}};
    grz_environment environment = grz_default_environment();
    grz_particle_map *map;
    open_device();
    const grz_particle_map_options options = map_options(&in);
    const grz_particle_step step = step_of(&in);
    test_mesh mesh = fuzz_mesh(&in, NULL);
    grz_mesh *uploaded = test_mesh_upload_flags(device, &mesh, 0);
    const grz_object object = grz_object_at(uploaded, fuzz_pose(&in));
    environment.objects = &object;
    environment.object_count = 1;
    environment.record = GRZ_RECORD_IDS;
    const uint32_t count = 1 + fuzz_below(&in, MOST);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            particles[i].p[k] = (float)fuzz_number(&in);
            particles[i].v[k] = (float)fuzz_number(&in);
        }
    const grz_status made = grz_particle_map_create(device, &options, &map, NULL);
    FUZZ_REQUIRE(made == GRZ_OK || made == GRZ_ERROR_ARGUMENT);
    if (made == GRZ_OK) {
        const grz_status drawn = grz_particle_map_draw(map, &environment, NULL);
        FUZZ_REQUIRE(drawn == GRZ_OK || drawn == GRZ_ERROR_ARGUMENT || drawn == GRZ_ERROR_POSE);
        FUZZ_REQUIRE(grz_particle_map_buffers_of(map, NULL) == (drawn == GRZ_OK));
        if (drawn == GRZ_OK)
            check_step(map, &step, particles, count);
        grz_particle_map_destroy(map);
    }
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data, (void)size;
    return 0;
}
#endif
