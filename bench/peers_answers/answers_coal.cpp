// SPDX-License-Identifier: MIT
// Coal's answers: coal::collide() on two BVHModels, contacts asked for and room for all of them.
#include "cases.h"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace
{

template <class Volume> std::shared_ptr<coal::BVHModel<Volume>> model_of(const peers_mesh *mesh)
{
    std::vector<coal::Vec3s> points;
    std::vector<coal::Triangle> triangles;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        points.emplace_back(mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        triangles.emplace_back(mesh->triangles[i][0], mesh->triangles[i][1], mesh->triangles[i][2]);
    auto model = std::make_shared<coal::BVHModel<Volume>>();
    model->beginModel(mesh->triangle_count, mesh->vertex_count);
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

template <class Volume> void ask(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const auto model_a = model_of<Volume>(a), model_b = model_of<Volume>(b);
    const coal::Transform3s identity;
    coal::CollisionRequest request(coal::CONTACT, PEERS_MAX_PAIRS);
    coal::CollisionResult result;
    coal::collide(model_a.get(), identity, model_b.get(), identity, request, result);
    answer->touches = result.isCollision() ? PEERS_YES : PEERS_NO;
    answer->lists_pairs = true;
    // Coal's depth is a signed distance: negative where the triangles overlap.
    double deepest = HUGE_VAL;
    coal::Vec3s normal(0, 0, 0);
    for (size_t i = 0; i < result.numContacts(); i++) {
        const coal::Contact &contact = result.getContact(i);
        peers_add_pair(answer, static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2));
        if (contact.penetration_depth < deepest)
            deepest = contact.penetration_depth, normal = contact.normal;
    }
    if (result.numContacts() > 0) {
        std::snprintf(answer->remark, sizeof answer->remark, "deepest %.6g, normal (%.3g, %.3g, %.3g)", deepest,
                      normal[0], normal[1], normal[2]);
        return;
    }
    if constexpr (!std::is_same_v<Volume, coal::AABB>) {
        coal::DistanceRequest distance_request;
        coal::DistanceResult distance_result;
        coal::distance(model_a.get(), identity, model_b.get(), identity, distance_request, distance_result);
        std::snprintf(answer->remark, sizeof answer->remark, "distance %.6g", distance_result.min_distance);
    }
}

} // namespace

int main()
{
    const peers_way ways[] = {{"BVHModel<OBBRSS>, collide()", false, false, ask<coal::OBBRSS>, nullptr},
                              {"BVHModel<AABB>, collide()", false, false, ask<coal::AABB>, nullptr}};
    return peers_run("Coal " COAL_VERSION, ways, 2);
}
