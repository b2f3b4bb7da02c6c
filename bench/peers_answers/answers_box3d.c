// SPDX-License-Identifier: MIT
// Box3D's answers. It has no query for two meshes (a mesh shape collides with spheres, capsules and hulls only), so two
// ways near to it: a world step with a mesh shape on a static and on a dynamic body; and every triangle of B, as a
// convex proxy of radius 0, against mesh A by b3OverlapMesh(), which the library has for convex shapes.
#include "cases.h"

#include <box3d/box3d.h>
#include <box3d/collision.h>

#include <stdio.h>
#include <stdlib.h>

// NULL if Box3D refuses the mesh.
static b3MeshData *mesh_of(const peers_mesh *mesh)
{
    static b3Vec3 vertices[PEERS_MAX_VERTICES];
    static int32_t indices[3 * PEERS_MAX_TRIANGLES];
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        vertices[i] =
            (b3Vec3){(float)mesh->positions[i][0], (float)mesh->positions[i][1], (float)mesh->positions[i][2]};
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        indices[i] = (int32_t)mesh->triangles[i / 3][i % 3];
    b3MeshDef definition = {0};
    definition.vertices = vertices;
    definition.vertexCount = (int)mesh->vertex_count;
    definition.indices = indices;
    definition.triangleCount = (int)mesh->triangle_count;
    return b3CreateMesh(&definition, NULL, 0);
}

static b3ShapeId add_body(b3WorldId world, b3BodyType type, const b3MeshData *mesh)
{
    b3BodyDef body = b3DefaultBodyDef();
    body.type = type;
    const b3ShapeDef shape = b3DefaultShapeDef();
    return b3CreateMeshShape(b3CreateBody(world, &body), &shape, mesh, (b3Vec3){1, 1, 1});
}

static void ask_world(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    b3MeshData *const mesh_a = mesh_of(a), *const mesh_b = mesh_of(b);
    if (!mesh_a || !mesh_b) {
        snprintf(answer->remark, sizeof answer->remark, "b3CreateMesh() refuses a mesh");
        return;
    }
    b3WorldDef definition = b3DefaultWorldDef();
    definition.gravity = (b3Vec3){0, 0, 0};
    const b3WorldId world = b3CreateWorld(&definition);
    add_body(world, b3_staticBody, mesh_a);
    add_body(world, b3_dynamicBody, mesh_b);
    b3World_Step(world, 1.0f / 60.0f, 4);
    const b3Counters counters = b3World_GetCounters(world);
    answer->touches = counters.contactCount > 0 ? PEERS_YES : PEERS_NO;
    snprintf(answer->remark, sizeof answer->remark, "%d contacts in the world", counters.contactCount);
    b3DestroyWorld(world);
}

static void ask_proxies(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const b3Mesh mesh = {mesh_of(a), {1, 1, 1}};
    unsigned touching = 0;
    if (!mesh.data) {
        snprintf(answer->remark, sizeof answer->remark, "b3CreateMesh() refuses a mesh");
        return;
    }
    for (uint32_t i = 0; i < b->triangle_count; i++) {
        b3Vec3 corner[3];
        for (int j = 0; j < 3; j++) {
            const double *p = b->positions[b->triangles[i][j]];
            corner[j] = (b3Vec3){(float)p[0], (float)p[1], (float)p[2]};
        }
        const b3ShapeProxy proxy = {corner, 3, 0.0f};
        touching += b3OverlapMesh(&mesh, b3Transform_identity, &proxy);
    }
    answer->touches = touching > 0 ? PEERS_YES : PEERS_NO;
    snprintf(answer->remark, sizeof answer->remark, "%u of %u triangles of b overlap a", touching, b->triangle_count);
}

int main(void)
{
    const peers_way ways[] = {{"two mesh shapes in a world, one step", true, false, ask_world, NULL},
                              {"b3OverlapMesh() with each triangle of b as a proxy", true, false, ask_proxies, NULL}};
    char library[64];
    const b3Version version = b3GetVersion();
    snprintf(library, sizeof library, "Box3D %d.%d.%d", version.major, version.minor, version.revision);
    return peers_run(library, ways, 2);
}
