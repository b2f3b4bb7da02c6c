// SPDX-License-Identifier: MIT
// FCL's answers: fcl::collide() on two BVHModels with room for all contacts, as its README shows; with contact points and without:
// the points of a triangle without area come from a normal that FCL 0.7.0 leaves unset, so there the first may change from run to
// run.
#include "cases.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/utility.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

template <class Volume> std::shared_ptr<fcl::BVHModel<Volume>> model_of(const peers_mesh *mesh)
{
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        points.emplace_back(mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        triangles.emplace_back(mesh->triangles[i][0], mesh->triangles[i][1], mesh->triangles[i][2]);
    auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel(static_cast<int>(mesh->triangle_count), static_cast<int>(mesh->vertex_count));
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

template <class Volume, bool points> void ask(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const auto model_a = model_of<Volume>(a), model_b = model_of<Volume>(b);
    const fcl::Transform3d identity = fcl::Transform3d::Identity();
    fcl::CollisionRequestd request;
    request.num_max_contacts = PEERS_MAX_PAIRS;
    request.enable_contact = points;
    fcl::CollisionResultd result;
    fcl::collide(model_a.get(), identity, model_b.get(), identity, request, result);
    answer->touches = result.isCollision() ? PEERS_YES : PEERS_NO;
    answer->lists_pairs = true;
    double deepest = -HUGE_VAL;
    fcl::Vector3d normal(0, 0, 0);
    for (size_t i = 0; i < result.numContacts(); i++) {
        const auto &contact = result.getContact(i);
        peers_add_pair(answer, static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2));
        if (contact.penetration_depth > deepest)
            deepest = contact.penetration_depth, normal = contact.normal;
    }
    if (result.numContacts() > 0 && !points)
        return;
    if (result.numContacts() > 0) {
        std::snprintf(answer->remark, sizeof answer->remark, "deepest %.6g, normal (%.3g, %.3g, %.3g)", deepest,
                      normal[0], normal[1], normal[2]);
        return;
    }
    // Where nothing touches: how far apart, by one of the two kinds of boxes; FCL has a distance for both.
    if constexpr (!std::is_same_v<Volume, fcl::AABBd>) {
        fcl::DistanceRequestd distance_request;
        fcl::DistanceResultd distance_result;
        fcl::distance(model_a.get(), identity, model_b.get(), identity, distance_request, distance_result);
        std::snprintf(answer->remark, sizeof answer->remark, "distance %.6g", distance_result.min_distance);
    }
}

} // namespace

int main()
{
    const peers_way ways[] = {
        {"BVHModel<OBBRSSd>, collide(), no contact points", false, false, ask<fcl::OBBRSSd, false>, nullptr},
        {"BVHModel<AABBd>, collide(), no contact points", false, false, ask<fcl::AABBd, false>, nullptr},
        {"BVHModel<OBBRSSd>, collide(), contact points", false, false, ask<fcl::OBBRSSd, true>, nullptr},
        {"BVHModel<AABBd>, collide(), contact points", false, false, ask<fcl::AABBd, true>, nullptr}};
    return peers_run("FCL " FCL_VERSION, ways, 4);
}
