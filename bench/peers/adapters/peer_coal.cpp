// SPDX-License-Identifier: MIT
// Coal, the successor of hpp-fcl: coal::collide() on BVHModels, which are of double precision, with OBBRSS, the kind of
// boxes that its manual names for meshes, and without contact points. One contact is asked for yes or no and, with the
// security margin, for clearances; all of them for lists. coal::distance() likewise, with OBBRSS and with RSS.
#include "peer.h"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>

#include <limits>
#include <memory>
#include <vector>

namespace
{

coal::Transform3s transform_of(const peer_pose *pose)
{
    coal::Matrix3s rotation;
    coal::Vec3s translation;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            rotation(i, j) = pose->m[i][j];
        translation[i] = pose->m[i][3];
    }
    return {rotation, translation};
}

std::vector<coal::Vec3s> points_of(const double (*positions)[3], uint32_t count)
{
    std::vector<coal::Vec3s> points;
    points.reserve(count);
    for (uint32_t i = 0; i < count; i++)
        points.emplace_back(positions[i][0], positions[i][1], positions[i][2]);
    return points;
}

template <class Volume> void *create(const peer_mesh *mesh, bool)
{
    const std::vector<coal::Vec3s> points = points_of(mesh->positions, mesh->vertex_count);
    std::vector<coal::Triangle> triangles;
    triangles.reserve(mesh->triangle_count);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        triangles.emplace_back(mesh->triangles[i][0], mesh->triangles[i][1], mesh->triangles[i][2]);
    auto model = std::make_unique<coal::BVHModel<Volume>>();
    model->beginModel(mesh->triangle_count, mesh->vertex_count);
    model->addSubModel(points, triangles);
    model->endModel();
    return model.release();
}

template <class Volume> void destroy(void *model)
{
    delete static_cast<coal::BVHModel<Volume> *>(model);
}

template <class Volume>
void collide(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, const coal::CollisionRequest &request,
             coal::CollisionResult &result)
{
    coal::collide(static_cast<const coal::BVHModel<Volume> *>(a), transform_of(pose_a),
                  static_cast<const coal::BVHModel<Volume> *>(b), transform_of(pose_b), request, result);
}

template <class Volume> bool touches(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    const coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    collide<Volume>(a, pose_a, b, pose_b, request, result);
    return result.isCollision();
}

template <class Volume>
bool nearer(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, double clearance)
{
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    request.security_margin = clearance;
    collide<Volume>(a, pose_a, b, pose_b, request, result);
    return result.isCollision();
}

template <class Volume> void pairs(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    const coal::CollisionRequest request(coal::NO_REQUEST, std::numeric_limits<int>::max());
    coal::CollisionResult result;
    collide<Volume>(a, pose_a, b, pose_b, request, result);
    for (size_t i = 0; i < result.numContacts(); i++) {
        const coal::Contact &contact = result.getContact(i);
        peer_pairs_add(out, static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2));
    }
}

template <class Volume> double distance(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    coal::DistanceRequest request;
    coal::DistanceResult result;
    request.enable_signed_distance = false;
    return coal::distance(static_cast<const coal::BVHModel<Volume> *>(a), transform_of(pose_a),
                          static_cast<const coal::BVHModel<Volume> *>(b), transform_of(pose_b), request, result);
}

template <class Volume> peer way(const char *name, unsigned flags)
{
    peer p = {};
    p.library = "coal", p.name = name, p.version = COAL_VERSION, p.flags = flags, p.threads = 1;
    p.create = create<Volume>, p.destroy = destroy<Volume>;
    p.distance = distance<Volume>;
    return p;
}

peer usual()
{
    peer p = way<coal::OBBRSS>("Coal OBBRSS", PEER_USUAL);
    p.touches = touches<coal::OBBRSS>, p.pairs = pairs<coal::OBBRSS>, p.nearer = nearer<coal::OBBRSS>;
    return p;
}

} // namespace

peer_list peer_coal(void)
{
    static const peer ways[] = {usual(), way<coal::RSS>("Coal RSS", 0)};
    return {ways, sizeof ways / sizeof *ways};
}
