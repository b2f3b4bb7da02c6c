// SPDX-License-Identifier: MIT
// Bullet's answers: btGImpactMeshShape with its collision algorithm registered, a discrete pass over a collision world of the two
// objects; every contact that the narrow phase adds is seen by gContactAddedCallback, before the manifold keeps four of them. And
// btBvhTriangleMeshShape, Bullet's shape for static meshes, against another one. Built twice, for both of Debian's precisions.
#include "cases.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <cstdio>
#include <memory>
#include <string>

namespace
{

#ifdef BT_USE_DOUBLE_PRECISION
constexpr bool single_precision = false;
constexpr const char *precision = "double";
#else
constexpr bool single_precision = true;
constexpr const char *precision = "single";
#endif

struct Seen {
    peers_answer *answer;
    const btCollisionObject *first;
    unsigned contacts;
    btScalar deepest;
    btVector3 normal;
};
Seen seen;

bool added(btManifoldPoint &point, const btCollisionObjectWrapper *wrap0, int, int index0,
           const btCollisionObjectWrapper *, int, int index1)
{
    if (point.getDistance() > 0) // close, not touching: within the manifold's breaking threshold
        return false;
    const bool straight = wrap0->getCollisionObject() == seen.first;
    peers_add_pair(seen.answer, static_cast<uint32_t>(straight ? index0 : index1),
                   static_cast<uint32_t>(straight ? index1 : index0));
    if (seen.contacts++ == 0 || point.getDistance() < seen.deepest)
        seen.deepest = point.getDistance(), seen.normal = point.m_normalWorldOnB;
    return false;
}

struct Pair_counter : btCollisionWorld::ContactResultCallback {
    unsigned count = 0;
    btScalar addSingleResult(btManifoldPoint &, const btCollisionObjectWrapper *, int, int,
                             const btCollisionObjectWrapper *, int, int) override
    {
        count++;
        return 0;
    }
};

std::unique_ptr<btTriangleMesh> triangles_of(const peers_mesh *mesh)
{
    auto out = std::make_unique<btTriangleMesh>();
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        btVector3 corner[3];
        for (uint32_t j = 0; j < 3; j++) {
            const double *p = mesh->positions[mesh->triangles[i][j]];
            corner[j] =
                btVector3(static_cast<btScalar>(p[0]), static_cast<btScalar>(p[1]), static_cast<btScalar>(p[2]));
        }
        out->addTriangle(corner[0], corner[1], corner[2]);
    }
    return out;
}

void collide(btCollisionShape *shape_a, btCollisionShape *shape_b, peers_answer *answer)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
    btCollisionObject a, b;
    btCollisionObject *const objects[] = {&a, &b};
    a.setCollisionShape(shape_a);
    b.setCollisionShape(shape_b);
    for (btCollisionObject *object : objects) {
        object->setCollisionFlags(object->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        world.addCollisionObject(object);
    }
    seen = {answer, &a, 0, 0, btVector3(0, 0, 0)};
    answer->lists_pairs = true;
    gContactAddedCallback = added;
    world.performDiscreteCollisionDetection();
    gContactAddedCallback = nullptr;
    int kept = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); i++)
        kept += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    Pair_counter pair_counter;
    world.contactPairTest(&a, &b, pair_counter);
    answer->touches = seen.contacts > 0 ? PEERS_YES : PEERS_NO;
    std::snprintf(answer->remark, sizeof answer->remark,
                  "manifolds keep %d; contactPairTest finds %u; deepest %.6g, normal (%.3g, %.3g, %.3g)", kept,
                  pair_counter.count, static_cast<double>(seen.deepest), static_cast<double>(seen.normal.x()),
                  static_cast<double>(seen.normal.y()), static_cast<double>(seen.normal.z()));
    for (btCollisionObject *object : objects)
        world.removeCollisionObject(object);
}

void ask_gimpact(const peers_mesh *a, const peers_mesh *b, btScalar margin, peers_answer *answer)
{
    const auto triangles_a = triangles_of(a), triangles_b = triangles_of(b);
    btGImpactMeshShape shape_a(triangles_a.get()), shape_b(triangles_b.get());
    for (btGImpactMeshShape *shape : {&shape_a, &shape_b}) {
        if (margin >= 0)
            shape->setMargin(margin);
        shape->updateBound();
    }
    collide(&shape_a, &shape_b, answer);
}

void ask_gimpact_no_margin(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    ask_gimpact(a, b, 0, answer);
}

void ask_gimpact_default(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    ask_gimpact(a, b, -1, answer);
}

void ask_static(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const auto triangles_a = triangles_of(a), triangles_b = triangles_of(b);
    btBvhTriangleMeshShape shape_a(triangles_a.get(), true), shape_b(triangles_b.get(), true);
    collide(&shape_a, &shape_b, answer);
}

} // namespace

int main()
{
    const peers_way ways[] = {
        {"btGImpactMeshShape, margin 0", single_precision, false, ask_gimpact_no_margin, nullptr},
        {"btGImpactMeshShape, its default margin", single_precision, false, ask_gimpact_default, nullptr},
        {"btBvhTriangleMeshShape", single_precision, false, ask_static, nullptr}};
    const std::string library = "Bullet " + std::to_string(btGetVersion() / 100) + "." +
                                std::to_string(btGetVersion() % 100) + ", " + precision + " precision";
    return peers_run(library.c_str(), ways, 3);
}
