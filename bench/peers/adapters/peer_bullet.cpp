// SPDX-License-Identifier: MIT
// Bullet, single precision, two ways. GImpact, its shape for moving meshes, margin 0, its algorithm called directly on two objects;
// it lists what it finds and has no early exit. And its tree for static meshes, btOptimizedBvh, which has no walk of two trees: the
// walk is written here, with Bullet's own test of boxes under a relative pose, and triangles are tested exactly. Overlapping boxes
// are asked of btDbvtBroadphase.
#include "peer.h"

#include <BulletCollision/Gimpact/btBoxCollision.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace
{

btVector3 vector_of(const double p[3])
{
    return btVector3(static_cast<btScalar>(p[0]), static_cast<btScalar>(p[1]), static_cast<btScalar>(p[2]));
}

btTransform transform_of(const peer_pose *pose)
{
    btMatrix3x3 turn;
    for (int i = 0; i < 3; i++)
        turn[i] = vector_of(pose->m[i]);
    return btTransform(turn, btVector3(static_cast<btScalar>(pose->m[0][3]), static_cast<btScalar>(pose->m[1][3]),
                                       static_cast<btScalar>(pose->m[2][3])));
}

// Positions as floats, and Bullet's view of them; triangles stay the caller's.
struct Arrays {
    std::vector<btVector3> points;
    btTriangleIndexVertexArray view;

    explicit Arrays(const peer_mesh *mesh) : points(mesh->vertex_count)
    {
        set(mesh->positions);
        btIndexedMesh part;
        part.m_numTriangles = static_cast<int>(mesh->triangle_count);
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh->triangles);
        part.m_triangleIndexStride = sizeof *mesh->triangles;
        part.m_numVertices = static_cast<int>(mesh->vertex_count);
        part.m_vertexBase = reinterpret_cast<const unsigned char *>(points.data());
        part.m_vertexStride = sizeof points[0];
        view.addIndexedMesh(part, PHY_INTEGER);
    }

    void set(const double (*positions)[3])
    {
        for (size_t i = 0; i < points.size(); i++)
            points[i] = vector_of(positions[i]);
    }
};

// --- GImpact

struct Impact_model {
    Arrays arrays;
    btGImpactMeshShape shape;
    btCollisionObject object;

    explicit Impact_model(const peer_mesh *mesh) : arrays(mesh), shape(&arrays.view)
    {
        shape.setMargin(0);
        shape.updateBound();
        object.setCollisionShape(&shape);
        object.setCollisionFlags(object.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    }
};

struct Contacts {
    peer_pairs *out; // NULL: yes or no only
    const btCollisionObject *first;
    bool touch;
};
Contacts contacts;

bool contact_added(btManifoldPoint &point, const btCollisionObjectWrapper *wrap0, int, int index0,
                   const btCollisionObjectWrapper *, int, int index1)
{
    if (point.getDistance() > 0)
        return false;
    contacts.touch = true;
    if (!contacts.out)
        return false;
    if (wrap0->getCollisionObject() != contacts.first)
        std::swap(index0, index1);
    peer_pairs_add(contacts.out, static_cast<uint32_t>(index0), static_cast<uint32_t>(index1));
    return false;
}

bool ask_impact(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    static btDefaultCollisionConfiguration configuration;
    static btCollisionDispatcher dispatcher(&configuration);
    static const bool registered = (btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher), true);
    (void)registered;
    auto *first = static_cast<Impact_model *>(a), *second = static_cast<Impact_model *>(b);
    first->object.setWorldTransform(transform_of(pose_a));
    second->object.setWorldTransform(transform_of(pose_b));
    const btCollisionObjectWrapper wrap_a(nullptr, &first->shape, &first->object, first->object.getWorldTransform(), -1,
                                          -1);
    const btCollisionObjectWrapper wrap_b(nullptr, &second->shape, &second->object, second->object.getWorldTransform(),
                                          -1, -1);
    contacts = {out, &first->object, false};
    gContactAddedCallback = contact_added;
    btCollisionAlgorithm *algorithm = dispatcher.findAlgorithm(&wrap_a, &wrap_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldResult result(&wrap_a, &wrap_b);
    btDispatcherInfo information;
    algorithm->processCollision(&wrap_a, &wrap_b, information, &result);
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
    return contacts.touch;
}

void *create_impact(const peer_mesh *mesh, bool)
{
    return std::make_unique<Impact_model>(mesh).release();
}

void destroy_impact(void *model)
{
    delete static_cast<Impact_model *>(model);
}

bool touches_impact(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    return ask_impact(a, pose_a, b, pose_b, nullptr);
}

void pairs_impact(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    ask_impact(a, pose_a, b, pose_b, out);
}

void update_impact(void *model, const double (*positions)[3])
{
    auto *m = static_cast<Impact_model *>(model);
    m->arrays.set(positions);
    m->shape.postUpdate();
    m->shape.updateBound();
}

// --- The static tree, walked here

struct Tree_model {
    const peer_mesh *mesh;
    const double (*positions)[3];
    Arrays arrays;
    btBvhTriangleMeshShape shape;

    explicit Tree_model(const peer_mesh *source)
        : mesh(source), positions(source->positions), arrays(source), shape(&arrays.view, true)
    {
    }
};

void *create_tree(const peer_mesh *mesh, bool)
{
    return std::make_unique<Tree_model>(mesh).release();
}

void destroy_tree(void *model)
{
    delete static_cast<Tree_model *>(model);
}

struct Walk {
    const Tree_model *a, *b;
    const peer_pose *pose_a, *pose_b;
    btOptimizedBvh *tree_a, *tree_b;
    BT_BOX_BOX_TRANSFORM_CACHE relative; // from B to A
    peer_pairs *out;
    bool touch;
};

btAABB box_of(btOptimizedBvh *tree, const btQuantizedBvhNode &node)
{
    btAABB box;
    box.m_min = tree->unQuantize(node.m_quantizedAabbMin);
    box.m_max = tree->unQuantize(node.m_quantizedAabbMax);
    return box;
}

void corners_of(const Tree_model *model, const peer_pose *pose, int triangle, double out[3][3])
{
    for (int i = 0; i < 3; i++)
        peer_world_position(pose, model->positions[model->mesh->triangles[triangle][i]], out[i]);
}

void test_leaves(Walk &walk, int a, int b)
{
    double corners_a[3][3], corners_b[3][3];
    corners_of(walk.a, walk.pose_a, a, corners_a);
    corners_of(walk.b, walk.pose_b, b, corners_b);
    if (!peer_triangles_touch(corners_a, corners_b))
        return;
    walk.touch = true;
    if (walk.out)
        peer_pairs_add(walk.out, static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}

// The second child of an inner node: the first one is the next node, and what it escapes to is its sibling.
int second_child(const QuantizedNodeArray &nodes, int node)
{
    const btQuantizedBvhNode &first = nodes[node + 1];
    return node + 1 + (first.isLeafNode() ? 1 : first.getEscapeIndex());
}

btScalar size_of(const btAABB &box)
{
    return (box.m_max - box.m_min).length2();
}

void walk_trees(Walk &walk)
{
    const QuantizedNodeArray &nodes_a = walk.tree_a->getQuantizedNodeArray(),
                             &nodes_b = walk.tree_b->getQuantizedNodeArray();
    std::vector<std::pair<int, int>> stack{{0, 0}};
    while (!stack.empty()) {
        const auto [a, b] = stack.back();
        stack.pop_back();
        const btQuantizedBvhNode &node_a = nodes_a[a], &node_b = nodes_b[b];
        btAABB box_a = box_of(walk.tree_a, node_a);
        const btAABB box_b = box_of(walk.tree_b, node_b);
        if (!box_a.overlapping_trans_cache(box_b, walk.relative, true))
            continue;
        if (node_a.isLeafNode() && node_b.isLeafNode()) {
            test_leaves(walk, node_a.getTriangleIndex(), node_b.getTriangleIndex());
            if (walk.touch && !walk.out)
                return;
        } else if (node_b.isLeafNode() || (!node_a.isLeafNode() && size_of(box_a) > size_of(box_b))) {
            stack.emplace_back(second_child(nodes_a, a), b);
            stack.emplace_back(a + 1, b);
        } else {
            stack.emplace_back(a, second_child(nodes_b, b));
            stack.emplace_back(a, b + 1);
        }
    }
}

bool ask_tree(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    auto *first = static_cast<Tree_model *>(a), *second = static_cast<Tree_model *>(b);
    Walk walk = {};
    walk.a = first, walk.b = second, walk.pose_a = pose_a, walk.pose_b = pose_b, walk.out = out;
    walk.tree_a = first->shape.getOptimizedBvh(), walk.tree_b = second->shape.getOptimizedBvh();
    walk.relative.calc_from_homogenic(transform_of(pose_a), transform_of(pose_b));
    walk_trees(walk);
    return walk.touch;
}

bool touches_tree(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    return ask_tree(a, pose_a, b, pose_b, nullptr);
}

void pairs_tree(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    ask_tree(a, pose_a, b, pose_b, out);
}

void update_tree(void *model, const double (*positions)[3])
{
    auto *m = static_cast<Tree_model *>(model);
    btVector3 low, high;
    m->positions = positions;
    m->arrays.set(positions);
    m->arrays.view.calculateAabbBruteForce(low, high);
    m->shape.refitTree(low, high);
}

// --- Boxes

struct Box_model {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    std::vector<btBroadphaseProxy *> proxies;

    Box_model() : dispatcher(&configuration)
    {
    }
};

void *boxes_create(const peer_box *boxes, uint32_t count)
{
    auto model = std::make_unique<Box_model>();
    for (uint32_t i = 0; i < count; i++)
        model->proxies.push_back(model->broadphase.createProxy(vector_of(boxes[i].min), vector_of(boxes[i].max), 0,
                                                               reinterpret_cast<void *>(static_cast<uintptr_t>(i)), 1,
                                                               1, &model->dispatcher));
    return model.release();
}

void boxes_pairs(void *state, const peer_box *boxes, uint32_t count, peer_pairs *out)
{
    auto *model = static_cast<Box_model *>(state);
    for (uint32_t i = 0; i < count; i++)
        model->broadphase.setAabb(model->proxies[i], vector_of(boxes[i].min), vector_of(boxes[i].max),
                                  &model->dispatcher);
    model->broadphase.calculateOverlappingPairs(&model->dispatcher);
    const btBroadphasePairArray &pairs = model->broadphase.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); i++) {
        const btBroadphaseProxy *a = pairs[i].m_pProxy0, *b = pairs[i].m_pProxy1;
        // Its boxes are fattened; what it keeps of pairs whose boxes have parted is left out here.
        if (TestAabbAgainstAabb2(a->m_aabbMin, a->m_aabbMax, b->m_aabbMin, b->m_aabbMax))
            peer_pairs_add(out, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(a->m_clientObject)),
                           static_cast<uint32_t>(reinterpret_cast<uintptr_t>(b->m_clientObject)));
    }
}

peer way(const char *name)
{
    static const std::string version =
        std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
    peer p = {};
    p.library = "bullet", p.name = name, p.version = version.c_str(), p.flags = PEER_SINGLE, p.threads = 1;
    return p;
}

peer impact_way()
{
    peer p = way("Bullet GImpact");
    p.create = create_impact, p.destroy = destroy_impact;
    p.touches = touches_impact, p.pairs = pairs_impact, p.update = update_impact;
    return p;
}

peer tree_way()
{
    peer p = way("Bullet tree + exact test");
    p.flags |= PEER_USUAL;
    p.create = create_tree, p.destroy = destroy_tree;
    p.touches = touches_tree, p.pairs = pairs_tree, p.update = update_tree;
    p.boxes_create = boxes_create, p.boxes_pairs = boxes_pairs;
    return p;
}

} // namespace

peer_list peer_bullet(void)
{
    static const peer ways[] = {impact_way(), tree_way()};
    return {ways, sizeof ways / sizeof *ways};
}
