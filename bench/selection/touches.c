// SPDX-License-Identifier: MIT
// Finds touches: the scalpel's tip is put to random places of the surface, at random depths and angles, until it
// touches as many faces as wanted. Everything comes from fixed seeds.
#include "touches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anatomy.h"
#include "graze_mesh.h"

// The models of the paper, by its sizes. Those that are not in data/ are generated.
static const struct {
    const char *file, *name;
    peer_mesh (*make)(void); // NULL: in data/
} sources[MODELS] = {{"face_1252.obj", "face", NULL},
                     {"teapot_3751.obj", "teapot", NULL},
                     {"airways.ply", "airways", anatomy_airways},
                     {"colon.ply", "colon", anatomy_colon},
                     {"spine_hips.ply", "spine and hips", anatomy_spine}};

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

static peer_mesh read_model(int i, char name[40])
{
    const char *folder = sources[i].make == NULL ? PEERS_DATA : getenv("GRZ_BENCH_MESHES");
    char path[1024] = "";
    if (folder != NULL)
        snprintf(path, sizeof path, "%s/%s", folder, sources[i].file);
    if (folder != NULL && is_there(path)) {
        snprintf(name, 40, "%s", sources[i].name);
        return shape_read(path);
    }
    if (sources[i].make == NULL)
        peer_die("a model of data/ is not there");
    snprintf(name, 40, "%s, generated", sources[i].name);
    return sources[i].make();
}

static double mean_edge(const peer_mesh *mesh)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double *p = mesh->positions[mesh->triangles[t][0]], *q = mesh->positions[mesh->triangles[t][1]];
        sum += sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    }
    return sum / mesh->triangle_count;
}

// The sword with its tip at the origin and its blade along +z, so large that its blade is about as wide as two edges.
static peer_mesh make_scalpel(double edge)
{
    peer_mesh sword = shape_read(PEERS_DATA "/scalpel_sword128.obj");
    if (sword.triangle_count != SCALPEL_TRIANGLES)
        peer_die("the scalpel has another number of triangles");
    const peer_box box = shape_bounds(&sword);
    int longest = 0;
    for (int j = 1; j < 3; j++)
        longest = box.max[j] - box.min[j] > box.max[longest] - box.min[longest] ? j : longest;
    const double length = box.max[longest] - box.min[longest], scale = 40.0 * edge / length;
    uint32_t tip = 0;
    for (uint32_t v = 0; v < sword.vertex_count; v++)
        tip = sword.positions[v][longest] < sword.positions[tip][longest] ? v : tip;
    double origin[3];
    memcpy(origin, sword.positions[tip], sizeof origin);
    for (uint32_t v = 0; v < sword.vertex_count; v++) {
        double at[3];
        for (int j = 0; j < 3; j++)
            at[j] = scale * (sword.positions[v][(longest + 1 + j) % 3] - origin[(longest + 1 + j) % 3]);
        for (int j = 0; j < 3; j++)
            sword.positions[v][j] = (double)(float)at[j];
    }
    return sword;
}

// Waves along all axes, a tenth of an edge high.
static void deform(const peer_mesh *mesh, double edge, int step, double (*out)[3])
{
    const double length = shape_diagonal(mesh), height = 0.1 * edge;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int j = 0; j < 3; j++) {
            const double along = mesh->positions[v][(j + 1) % 3] / length;
            out[v][j] = (double)(float)(mesh->positions[v][j] + height * sin(20.0 * along + 0.7 * step + j));
        }
}

static void normalise(double v[3])
{
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int j = 0; j < 3; j++)
        v[j] /= size > 0.0 ? size : 1.0;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// A pose with the tip near a random triangle, the blade roughly along the triangle's normal.
static peer_pose try_pose(const peer_mesh *mesh, double edge, shape_random *random)
{
    const uint32_t *t = mesh->triangles[shape_random_bits(random) % mesh->triangle_count];
    double u[3], v[3], axes[3][3];
    for (int j = 0; j < 3; j++) {
        u[j] = mesh->positions[t[1]][j] - mesh->positions[t[0]][j];
        v[j] = mesh->positions[t[2]][j] - mesh->positions[t[0]][j];
    }
    cross(u, v, axes[2]);
    normalise(axes[2]);
    for (int j = 0; j < 3; j++)
        axes[2][j] += shape_random_in(random, -0.6, 0.6);
    normalise(axes[2]);
    for (int j = 0; j < 3; j++)
        u[j] = shape_random_in(random, -1.0, 1.0);
    cross(axes[2], u, axes[0]);
    normalise(axes[0]);
    cross(axes[2], axes[0], axes[1]);
    const double depth = shape_random_in(random, 0.0, 12.0 * edge);
    peer_pose pose;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            pose.m[i][j] = axes[j][i];
        pose.m[i][3] = mesh->positions[t[0]][i] - depth * axes[2][i];
    }
    return pose;
}

uint32_t touched_faces(const grz_result *result)
{
    uint64_t count;
    uint32_t faces = 0;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        faces += i == 0 || pairs[i].face_a != pairs[i - 1].face_a;
    return faces;
}

static void find_poses(run *r, model *m, double edge, uint32_t count)
{
    shape_random random = {.state = m->mesh.triangle_count};
    grz_mesh *mesh = upload(r, &m->mesh), *scalpel = upload(r, &m->scalpel);
    const grz_object a = grz_object_at_origin(mesh);
    m->poses = malloc(count * sizeof *m->poses);
    if (m->poses == NULL)
        peer_die("out of memory");
    for (uint32_t tries = 0; m->pose_count < count && tries < 4000 * count; tries++) {
        const peer_pose pose = try_pose(&m->mesh, edge, &random);
        const grz_object b = place(scalpel, &pose);
        ask_exact(r, "bvh", GRZ_FIND_PAIRS, &a, &b);
        const uint32_t faces = touched_faces(r->result);
        if (faces >= LEAST_FACES && faces <= MOST_FACES)
            m->poses[m->pose_count++] = pose;
    }
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(scalpel);
    if (m->pose_count == 0)
        peer_die("no pose touches as many faces as wanted");
}

void model_make(run *r, int i, uint32_t count, model *m)
{
    *m = (model){.pose_count = 0};
    m->mesh = read_model(i, m->name);
    const double edge = mean_edge(&m->mesh);
    m->scalpel = make_scalpel(edge);
    for (int step = 0; step < STEPS; step++) {
        m->steps[step] = copy_positions(&m->mesh);
        deform(&m->mesh, edge, step, m->steps[step]);
    }
    find_poses(r, m, edge, count);
}

void model_free(model *m)
{
    for (int step = 0; step < STEPS; step++)
        free(m->steps[step]);
    free(m->poses);
    shape_free(&m->mesh);
    shape_free(&m->scalpel);
}
