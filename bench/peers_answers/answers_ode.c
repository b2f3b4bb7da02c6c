// SPDX-License-Identifier: MIT
// ODE's answers: dCollide() on two trimesh geoms, room for 65,535 contacts. side1 and side2 of a contact name the
// triangles, or are -1. The build of Debian 12 computes in double, but its OPCODE hands out triangles' corners as
// floats (OPC_MeshInterface.h), so it is judged by the rounded positions.
#include "cases.h"

#include <ode/ode.h>

#include <stdio.h>
#include <stdlib.h>

static dGeomID geom_of(const peers_mesh *mesh)
{
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, mesh->positions[0], sizeof mesh->positions[0], (int)mesh->vertex_count,
                                mesh->triangles[0], 3 * (int)mesh->triangle_count, sizeof mesh->triangles[0]);
    return dCreateTriMesh(NULL, data, NULL, NULL, NULL);
}

static void ask(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    enum {
        ROOM = 0xffff
    };
    dContactGeom *contacts = calloc(ROOM, sizeof *contacts);
    if (!contacts)
        return;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    const int count = dCollide(geom_of(a), geom_of(b), ROOM, contacts, sizeof *contacts);
    answer->touches = count > 0 ? PEERS_YES : PEERS_NO;
    answer->lists_pairs = true;
    int deepest = 0, nameless = 0;
    for (int i = 0; i < count; i++) {
        if (contacts[i].side1 >= 0 && contacts[i].side2 >= 0)
            peers_add_pair(answer, (uint32_t)contacts[i].side1, (uint32_t)contacts[i].side2);
        else
            nameless++;
        if (contacts[i].depth > contacts[deepest].depth)
            deepest = i;
    }
    if (count > 0)
        snprintf(answer->remark, sizeof answer->remark,
                 "%d contacts, %d name no triangles; deepest %.6g, normal (%.3g, %.3g, %.3g)", count, nameless,
                 contacts[deepest].depth, contacts[deepest].normal[0], contacts[deepest].normal[1],
                 contacts[deepest].normal[2]);
    dCloseODE();
    free(contacts);
}

int main(void)
{
    const peers_way ways[] = {{"dCollide() on trimesh geoms", true, false, ask, NULL}};
    return peers_run("ODE " PEERS_ODE_VERSION, ways, 1);
}
