// SPDX-License-Identifier: MIT
// ODE: dCollide() on two trimeshes (OPCODE). For yes or no one contact is asked and said to be unimportant, which lets
// it stop early; for lists as many as it takes, of which it merges and culls some by design. Debian's build computes in
// double, but OPCODE gets the corners as floats.
#include "peer.h"

#include <ode/ode.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 0xffff // contacts: what its flags have bits for
};

typedef struct model {
    dTriMeshDataID data;
    dGeomID geom;
    double (*positions)[3]; // ODE keeps pointers to the caller's arrays; these change where the mesh deforms
    uint32_t vertex_count;
} model;

static dContactGeom *contacts;

// It warns of every full hash table.
static void say_nothing(int number, const char *message, va_list arguments)
{
    (void)number, (void)message, (void)arguments;
}

static void start(unsigned threads)
{
    (void)threads;
    dSetMessageHandler(say_nothing);
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    contacts = calloc(ROOM, sizeof *contacts);
    if (!contacts)
        peer_die("out of memory for contacts");
}

static void *create(const peer_mesh *mesh, bool deforming)
{
    model *m = calloc(1, sizeof *m);
    if (!m)
        peer_die("out of memory for a model");
    m->positions = mesh->positions;
    m->vertex_count = mesh->vertex_count;
    if (deforming) {
        m->positions = malloc(mesh->vertex_count * sizeof *m->positions);
        if (!m->positions)
            peer_die("out of memory for a model");
        memcpy(m->positions, mesh->positions, mesh->vertex_count * sizeof *m->positions);
    }
    m->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(m->data, m->positions[0], sizeof *m->positions, (int)mesh->vertex_count,
                                mesh->triangles[0], 3 * (int)mesh->triangle_count, sizeof *mesh->triangles);
    m->geom = dCreateTriMesh(NULL, m->data, NULL, NULL, NULL);
    return m;
}

static void destroy(void *user)
{
    model *m = user;
    dGeomDestroy(m->geom);
    dGeomTriMeshDataDestroy(m->data);
    free(m);
}

static void put(const model *m, const peer_pose *pose)
{
    dMatrix3 rotation;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            rotation[4 * i + j] = j < 3 ? pose->m[i][j] : 0;
    dGeomSetPosition(m->geom, pose->m[0][3], pose->m[1][3], pose->m[2][3]);
    dGeomSetRotation(m->geom, rotation);
}

static bool touches(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    const model *first = a, *second = b;
    put(first, pose_a);
    put(second, pose_b);
    return dCollide(first->geom, second->geom, (int)(1 | CONTACTS_UNIMPORTANT), contacts, sizeof *contacts) > 0;
}

static void pairs_of(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    const model *first = a, *second = b;
    put(first, pose_a);
    put(second, pose_b);
    const int count = dCollide(first->geom, second->geom, ROOM, contacts, sizeof *contacts);
    for (int i = 0; i < count; i++)
        if (contacts[i].side1 >= 0 && contacts[i].side2 >= 0)
            peer_pairs_add(out, (uint32_t)contacts[i].side1, (uint32_t)contacts[i].side2);
}

static void update(void *user, const double (*positions)[3])
{
    model *m = user;
    memcpy(m->positions, positions, m->vertex_count * sizeof *m->positions);
    dGeomTriMeshDataUpdate(m->data);
}

peer_list peer_ode(void)
{
    static const peer ways[] = {{.library = "ode",
                                 .name = "ODE OPCODE",
                                 .version = PEERS_ODE_VERSION,
                                 .flags = PEER_SINGLE | PEER_CULLS,
                                 .threads = 1,
                                 .start = start,
                                 .create = create,
                                 .destroy = destroy,
                                 .touches = touches,
                                 .pairs = pairs_of,
                                 .update = update}};
    return (peer_list){ways, 1};
}
