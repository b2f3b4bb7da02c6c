// SPDX-License-Identifier: MIT
// Measures the paper's fire, section 3.2: 50,000 particles against a skillet of 81,920 triangles, a map of 1024 x 1024
// pixels with normals, drawn in every step. The path of each particle is compared with the triangles of the skillet by
// an exact query. What touches is sorted by whether the map could see it.
#include "fire.h"

#include <graze/gl.h>
#include <graze/particles.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "burner.h"
#include "gl/gl.h"
#include "skillet.h"
#include "student.h"

enum {
    PARTICLES = 50000,
    FRAMES = 120,
    WARM = 60,             // steps before the first that counts
    BOUNCES = 4,           // of a particle in a step
    SEGMENTS = 1 + BOUNCES // of a path, at most
};

static const double frame_seconds = 1.0 / 60.0, paper_step = 2.0;

// Why a path touches a triangle.
enum {
    PUSHED, // the skillet had passed over the particle in this step or one before
    HIDDEN, // the map has no surface at this depth in any of the nine pixels around: hidden, or edge-on
    BORDER, // within two pixels the map has more or fewer surfaces: a silhouette
    SEEN,   // none of these
    REASONS
};

static const char *const reason_names[REASONS] = {"particle was pushed", "not in the map", "at a silhouette", "seen"};

typedef struct fire_run {
    burner burner;
    skillet shape;
    grz_mesh *mesh;
    grz_object object;
    grz_particle_map *map;
    grz_particle_map_options options;
    float (*surfaces)[4];
    GLuint buffer;
    flame *before;
    bool *pushed; // since it was lit
    double (*path_positions)[3];
    uint32_t *path_corners;
    double draws[FRAMES], steps[FRAMES], both[FRAMES], truths[FRAMES]; // milliseconds
    uint32_t frames;
    uint64_t bounces, pushes, overfull, touching[REASONS];
    uint64_t inside; // times that a particle ends a step inside, after its path touched a triangle that was seen
} fire_run;

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        peer_die("out of memory");
    return memory;
}

static grz_mesh *make_mesh(const run *r, const void *positions, uint64_t vertex_count, const uint32_t *indices,
                           uint64_t triangle_count)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    description.positions = positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = vertex_count;
    description.indices = indices;
    description.index_count = 3 * triangle_count;
    description.face_count = triangle_count;
    check(grz_mesh_create(r->device, &description, &mesh, &error), &error);
    return mesh;
}

// ---- Particles in a buffer ------------------------------------------------------------------------------------------

static grz_gl *enter(const run *r)
{
    grz_gl *gl;
    grz_error error;
    check(grz_gl_enter(r->device, "bench", &gl, &error), &error);
    return gl;
}

static void leave(grz_gl *gl)
{
    grz_error error;
    check(grz_gl_leave(gl, GRZ_OK, &error), &error);
}

static void upload_particles(const run *r, const fire_run *f, const flame *particles)
{
    grz_gl *gl = enter(r);
    glNamedBufferSubData(f->buffer, 0, (GLsizeiptr)(f->burner.count * sizeof *particles), particles);
    glFinish();
    leave(gl);
}

static void download_particles(const run *r, const fire_run *f, flame *particles)
{
    grz_gl *gl = enter(r);
    glGetNamedBufferSubData(f->buffer, 0, (GLsizeiptr)(f->burner.count * sizeof *particles), particles);
    leave(gl);
}

// ---- A step ---------------------------------------------------------------------------------------------------------

static double now_ms(void)
{
    return 1e3 * grz_clock_seconds();
}

// Milliseconds.
static double draw(const fire_run *f)
{
    grz_environment environment = grz_default_environment();
    grz_error error;
    environment.objects = &f->object;
    environment.object_count = 1;
    const double start = now_ms();
    check(grz_particle_map_draw(f->map, &environment, &error), &error);
    return now_ms() - start;
}

static double move(const fire_run *f, bool list, grz_particle_answer *answer)
{
    const grz_particle_array array = {.buffer = f->buffer, .count = f->burner.count};
    grz_particle_step step = grz_default_particle_step();
    grz_error error;
    step.seconds = frame_seconds;
    step.restitution = 0.3;
    step.friction = 0.05;
    step.max_bounces = BOUNCES;
    step.max_hits = list ? (uint64_t)f->burner.count * (BOUNCES + 1) : 0;
    const double start = now_ms();
    check(grz_particle_map_step(f->map, &array, &step, answer, &error), &error);
    return now_ms() - start;
}

// ---- The truth ------------------------------------------------------------------------------------------------------

// The paths of this step as faces without area: from where a particle was, or was pushed to, by way of its hits.
static void set_paths(fire_run *f)
{
    uint64_t hit_count, next = 0;
    const grz_particle_hit *hits = grz_particle_map_hits(f->map, &hit_count);
    for (uint32_t i = 0; i < f->burner.count; i++) {
        float points[SEGMENTS + 1][3];
        int count = 1;
        memcpy(points[0], f->before[i].position, sizeof points[0]);
        if (f->before[i].age < (float)frame_seconds)
            f->pushed[i] = false; // it has just been lit
        for (; next < hit_count && hits[next].particle == i; next++) {
            const bool pushed = hits[next].kind == GRZ_PARTICLE_PUSHED;
            f->pushed[i] = f->pushed[i] || pushed;
            memcpy(points[pushed ? 0 : count++], hits[next].position, sizeof points[0]);
        }
        for (; count <= SEGMENTS; count++)
            memcpy(points[count], f->burner.particles[i].position, sizeof points[0]);
        for (int k = 0; k < 2 * SEGMENTS; k++)
            for (int j = 0; j < 3; j++)
                f->path_positions[(size_t)2 * SEGMENTS * i + (size_t)k][j] = (double)points[(k + 1) / 2][j];
    }
}

// How many surfaces a pixel has.
static uint32_t surfaces_at(const fire_run *f, int64_t x, int64_t y)
{
    const int64_t side = f->options.resolution;
    uint32_t count = 0;
    if (x < 0 || y < 0 || x >= side || y >= side)
        return 0;
    const float(*entries)[4] = (const float(*)[4])f->surfaces + (size_t)(y * side + x) * f->options.layers;
    while (count < f->options.layers && entries[count][3] != 0.0f)
        count++;
    return count;
}

// True if one of the nine pixels around has a surface within two pixels' width of a depth.
static bool has_surface(const fire_run *f, int64_t x, int64_t y, double depth)
{
    const int64_t side = f->options.resolution;
    const double pixel = 2.0 * f->options.half[0] / (double)side;
    for (int64_t v = y - 1; v <= y + 1; v++)
        for (int64_t u = x - 1; u <= x + 1; u++)
            for (uint32_t i = 0; i < surfaces_at(f, u, v); i++) {
                const float *entry = f->surfaces[(size_t)(v * side + u) * f->options.layers + i];
                if (fabs((double)entry[0] - depth) < 2.0 * pixel)
                    return true;
            }
    return false;
}

static int reason_of(const fire_run *f, uint32_t face, uint32_t particle)
{
    const grz_particle_map_options *o = &f->options;
    double middle[3] = {0.0, 0.0, 0.0}, world[3];
    if (f->pushed[particle])
        return PUSHED;
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < 3; j++)
            middle[j] += f->shape.positions[f->shape.triangles[face][c]][j] / 3.0;
    grz_pose_apply(f->object.pose, middle, world);
    // The view looks along z; its columns run against x (up is y).
    const int64_t x = (int64_t)floor((o->centre[0] - world[0] + o->half[0]) / (2.0 * o->half[0]) * o->resolution);
    const int64_t y = (int64_t)floor((world[1] - o->centre[1] + o->half[1]) / (2.0 * o->half[1]) * o->resolution);
    if (!has_surface(f, x, y, world[2] - o->centre[2] + o->half[2]))
        return HIDDEN;
    for (int64_t v = y - 2; v <= y + 2; v++)
        for (int64_t u = x - 2; u <= x + 2; u++)
            if (surfaces_at(f, u, v) != surfaces_at(f, x, y))
                return BORDER;
    return SEEN;
}

static void read_surfaces(const run *r, const fire_run *f)
{
    grz_particle_map_buffers buffers;
    grz_gl *gl = enter(r);
    grz_particle_map_buffers_of(f->map, &buffers);
    const size_t count = (size_t)buffers.resolution * buffers.resolution * buffers.layers;
    glGetNamedBufferSubData(buffers.surfaces, 0, (GLsizeiptr)(count * sizeof *f->surfaces), f->surfaces);
    leave(gl);
}

// True if a particle is inside the skillet now.
static bool is_inside(const run *r, const fire_run *f, uint32_t particle)
{
    grz_locate_options options = grz_default_locate_options();
    grz_location location;
    double point[3];
    grz_error error;
    options.inside_rule = GRZ_NONZERO; // pan and handle overlap
    for (int j = 0; j < 3; j++)
        point[j] = (double)f->burner.particles[particle].position[j];
    check(grz_locate_points(r->device, &f->object, point, 1, &options, &location, &error), &error);
    return location != GRZ_OUTSIDE;
}

// Milliseconds of the exact query, with making its mesh.
static double find_truth(run *r, fire_run *f)
{
    const uint64_t segments = SEGMENTS * (uint64_t)f->burner.count;
    grz_collide_options options = grz_default_collide_options();
    grz_mesh *mesh;
    grz_error error;
    uint64_t count;
    const double start = now_ms();
    options.method = "bvh";
    mesh = make_mesh(r, f->path_positions, 2 * segments, f->path_corners, segments);
    const grz_object paths = grz_object_at_origin(mesh);
    check(grz_collide(r->device, &f->object, &paths, &options, r->result, &error), &error);
    const double took = now_ms() - start;
    const grz_pair *pairs = grz_result_pairs(r->result, &count);
    if (count > 0)
        read_surfaces(r, f);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t particle = pairs[i].face_b / SEGMENTS;
        const int reason = reason_of(f, pairs[i].face_a, particle);
        f->touching[reason]++;
        f->inside += reason == SEEN && is_inside(r, f, particle);
    }
    grz_mesh_destroy(mesh);
    return took;
}

// ---- The fire -------------------------------------------------------------------------------------------------------

static void start_fire(run *r, fire_run *f, uint32_t layers, uint32_t resolution)
{
    grz_error error;
    burner_light(&f->burner, r->quick ? 2000 : PARTICLES);
    skillet_make(&f->shape, r->quick);
    f->mesh =
        make_mesh(r, f->shape.positions, f->shape.vertex_count, &f->shape.triangles[0][0], f->shape.triangle_count);
    f->object = grz_object_at_origin(f->mesh);
    f->options = grz_default_particle_map_options();
    f->options.resolution = resolution;
    f->options.layers = layers;
    f->options.centre[2] = 0.3;
    f->options.half[0] = f->options.half[1] = 0.45;
    f->options.half[2] = 0.3;
    if (layers == 1)
        f->options.thickness = 0.005; // of the pan: its other side is not in the map
    check(grz_particle_map_create(r->device, &f->options, &f->map, &error), &error);
    const size_t count = f->burner.count;
    f->before = get(count, sizeof *f->before);
    f->pushed = get(count, sizeof *f->pushed);
    f->path_positions = get((size_t)2 * SEGMENTS * count, sizeof *f->path_positions);
    f->path_corners = get((size_t)3 * SEGMENTS * count, sizeof *f->path_corners);
    f->surfaces = get((size_t)resolution * resolution * layers, sizeof *f->surfaces);
    for (uint32_t i = 0; i < SEGMENTS * count; i++) {
        f->path_corners[3 * (size_t)i] = 2 * i;
        f->path_corners[3 * (size_t)i + 1] = f->path_corners[3 * (size_t)i + 2] = 2 * i + 1;
    }
    grz_gl *gl = enter(r);
    f->buffer = grz_gl_create(gl, GRZ_GL_BUFFER, 0);
    glNamedBufferData(f->buffer, (GLsizeiptr)(count * sizeof(flame)), NULL, GL_DYNAMIC_COPY);
    leave(gl);
}

static void end_fire(const run *r, fire_run *f)
{
    grz_gl *gl = enter(r);
    grz_gl_delete(gl, GRZ_GL_BUFFER, f->buffer);
    leave(gl);
    grz_particle_map_destroy(f->map);
    grz_mesh_destroy(f->mesh);
    skillet_free(&f->shape);
    burner_free(&f->burner);
    free(f->before);
    free(f->pushed);
    free(f->path_positions);
    free(f->path_corners);
    free(f->surfaces);
}

// One step. The same step is taken twice: once with the clock, and once more to list the hits.
static void burn(run *r, fire_run *f, int number)
{
    grz_particle_answer answer, again;
    f->object.pose = burner_skillet(number / 240.0);
    burner_stir(&f->burner, number * frame_seconds, frame_seconds);
    memcpy(f->before, f->burner.particles, f->burner.count * sizeof *f->before);
    upload_particles(r, f, f->before);
    const double draws = draw(f), steps = move(f, false, &answer);
    download_particles(r, f, f->burner.particles);
    upload_particles(r, f, f->before);
    move(f, true, &again);
    if (memcmp(&answer, &again, sizeof answer) != 0)
        printf("  step %d is not the same twice\n", number);
    set_paths(f);
    if (number < 0)
        return;
    const uint32_t i = f->frames++;
    f->draws[i] = draws;
    f->steps[i] = steps;
    f->both[i] = draws + steps;
    f->truths[i] = find_truth(r, f);
    f->bounces += answer.bounces;
    f->pushes += answer.pushed;
    const uint64_t overfull = grz_particle_map_overfull(f->map);
    f->overfull = overfull > f->overfull ? overfull : f->overfull;
}

static void print_row(const run *r, const fire_run *f, const char *name, const double *values)
{
    const student_sample sample = student_of(values, f->frames);
    printf("    %-34s %9.3f ± %7.3f\n", name, sample.mean, sample.deviation);
    if (r->csv != NULL)
        fprintf(r->csv, "fire_%u_%u,\"%s\",%u,,,%.3f,%.3f,,,,,\n", f->options.layers, f->options.resolution, name,
                f->options.resolution, 1e3 * sample.mean, 1e3 * sample.deviation);
}

static void print_fire(const run *r, const fire_run *f)
{
    printf("  %u %s of %u x %u pixels; milliseconds a step, mean ± standard deviation\n", f->options.layers,
           f->options.layers == 1 ? "layer" : "layers", f->options.resolution, f->options.resolution);
    print_row(r, f, "maps drawn, with normals", f->draws);
    print_row(r, f, "particles moved", f->steps);
    print_row(r, f, "both", f->both);
    print_row(r, f, "bvh: all paths", f->truths);
    printf("    %llu bounces, %llu pushed; pixels with too many surfaces: %llu at most\n",
           (unsigned long long)f->bounces, (unsigned long long)f->pushes, (unsigned long long)f->overfull);
    printf("    after touching one that was seen, particles inside: %llu\n", (unsigned long long)f->inside);
    printf("    pairs of paths and triangles that touch:");
    for (int i = 0; i < REASONS; i++) {
        printf(" %s %llu%s", reason_names[i], (unsigned long long)f->touching[i], i + 1 < REASONS ? "," : "\n");
        if (r->csv != NULL)
            fprintf(r->csv, "fire_touching_%u_%u,\"%s\",%u,,,%llu,,,,,,\n", f->options.layers, f->options.resolution,
                    reason_names[i], f->options.resolution, (unsigned long long)f->touching[i]);
    }
}

void fire(run *r)
{
    static const struct {
        uint32_t layers, resolution;
    } maps[] = {{1, 1024}, {4, 1024}, {4, 512}};
    printf("\nThe fire: %d particles, a skillet of %d triangles that moves, %d steps of 1/60 s; %s\n",
           r->quick ? 2000 : PARTICLES, r->quick ? 5120 : 81920, r->quick ? 6 : FRAMES, r->renderer.name);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        static fire_run f;
        memset(&f, 0, sizeof f);
        start_fire(r, &f, maps[i].layers, r->quick ? maps[i].resolution / 4 : maps[i].resolution);
        for (int number = -WARM; number < (r->quick ? 6 : FRAMES); number++)
            burn(r, &f, number);
        print_fire(r, &f);
        end_fire(r, &f);
    }
    printf("  the paper: about %.0f ms with a map of 1024 x 1024 on its graphics card\n", paper_step);
}
