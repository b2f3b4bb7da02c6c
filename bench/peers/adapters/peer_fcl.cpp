// SPDX-License-Identifier: MIT
// FCL: fcl::collide() on BVHModels in single precision, its faster one, with three kinds of boxes, no contact points. One
// contact is asked for yes or no, all of them for lists. fcl::distance() with the two kinds that have distances.
// Overlapping boxes are asked of its dynamic tree of boxes.
#include "peer.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>
#include <vector>

namespace
{

std::vector<fcl::Vector3f> points_of(const double (*positions)[3], uint32_t count)
{
    std::vector<fcl::Vector3f> points;
    points.reserve(count);
    for (uint32_t i = 0; i < count; i++)
        points.emplace_back(static_cast<float>(positions[i][0]), static_cast<float>(positions[i][1]),
                            static_cast<float>(positions[i][2]));
    return points;
}

fcl::Transform3f transform_of(const peer_pose *pose)
{
    fcl::Transform3f transform;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            transform.linear()(i, j) = static_cast<float>(pose->m[i][j]);
        transform.translation()[i] = static_cast<float>(pose->m[i][3]);
    }
    transform.makeAffine();
    return transform;
}

template <class Volume> void *create(const peer_mesh *mesh, bool)
{
    const std::vector<fcl::Vector3f> points = points_of(mesh->positions, mesh->vertex_count);
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(mesh->triangle_count);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        triangles.emplace_back(mesh->triangles[i][0], mesh->triangles[i][1], mesh->triangles[i][2]);
    auto model = std::make_unique<fcl::BVHModel<Volume>>();
    model->beginModel(static_cast<int>(mesh->triangle_count), static_cast<int>(mesh->vertex_count));
    model->addSubModel(points, triangles);
    model->endModel();
    return model.release();
}

template <class Volume> void destroy(void *model)
{
    delete static_cast<fcl::BVHModel<Volume> *>(model);
}

template <class Volume>
void collide(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, size_t limit,
             fcl::CollisionResultf &result)
{
    fcl::CollisionRequestf request;
    request.num_max_contacts = limit;
    request.enable_contact = false;
    fcl::collide(static_cast<const fcl::BVHModel<Volume> *>(a), transform_of(pose_a),
                 static_cast<const fcl::BVHModel<Volume> *>(b), transform_of(pose_b), request, result);
}

template <class Volume> bool touches(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    fcl::CollisionResultf result;
    collide<Volume>(a, pose_a, b, pose_b, 1, result);
    return result.isCollision();
}

template <class Volume> void pairs(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    fcl::CollisionResultf result;
    collide<Volume>(a, pose_a, b, pose_b, std::numeric_limits<int>::max(), result);
    for (size_t i = 0; i < result.numContacts(); i++) {
        const auto &contact = result.getContact(i);
        peer_pairs_add(out, static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2));
    }
}

template <class Volume> double distance(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    fcl::DistanceRequestf request;
    fcl::DistanceResultf result;
    return static_cast<double>(fcl::distance(static_cast<const fcl::BVHModel<Volume> *>(a), transform_of(pose_a),
                                             static_cast<const fcl::BVHModel<Volume> *>(b), transform_of(pose_b),
                                             request, result));
}

template <class Volume> void update(void *model, const double (*positions)[3])
{
    auto *bvh = static_cast<fcl::BVHModel<Volume> *>(model);
    bvh->beginUpdateModel();
    bvh->updateSubModel(points_of(positions, static_cast<uint32_t>(bvh->num_vertices)));
    bvh->endUpdateModel(true, true);
}

template <class Volume> peer way(const char *name, unsigned flags = PEER_SINGLE)
{
    peer p = {};
    p.library = "fcl", p.name = name, p.version = FCL_VERSION, p.flags = flags, p.threads = 1;
    p.create = create<Volume>, p.destroy = destroy<Volume>;
    p.touches = touches<Volume>, p.pairs = pairs<Volume>, p.update = update<Volume>;
    return p;
}

// A way that also measures distances.
template <class Volume> peer measuring(peer p)
{
    p.distance = distance<Volume>;
    return p;
}

// Spheres swept by rectangles, for distances alone.
peer swept_spheres()
{
    peer p = measuring<fcl::RSSf>(way<fcl::RSSf>("FCL RSS"));
    p.touches = nullptr, p.pairs = nullptr, p.update = nullptr;
    return p;
}

} // namespace

peer_list peer_fcl(void)
{
    static const peer ways[] = {way<fcl::OBBf>("FCL OBB", PEER_SINGLE | PEER_USUAL),
                                measuring<fcl::OBBRSSf>(way<fcl::OBBRSSf>("FCL OBBRSS")), way<fcl::AABBf>("FCL AABB"),
                                swept_spheres()};
    return {ways, sizeof ways / sizeof *ways};
}
