// SPDX-License-Identifier: MIT
// FCL: its dynamic AABB trees and its sweep and prune. Each body is a box at a translation. After a move the manager is
// updated, or, as another peer, filled anew, and all pairs are asked for.
#include "peers.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace
{

using object = fcl::CollisionObject<double>;

struct world {
    std::unique_ptr<fcl::BroadPhaseCollisionManager<double>> manager;
    std::vector<std::unique_ptr<object>> objects;
    std::vector<uint64_t> pairs;
};

void place(object &body, const body_box &box)
{
    body.setTranslation(fcl::Vector3<double>(0.5 * (box.min[0] + box.max[0]), 0.5 * (box.min[1] + box.max[1]),
                                             0.5 * (box.min[2] + box.max[2])));
    body.computeAABB();
}

bool note(object *a, object *b, void *user)
{
    const auto s = reinterpret_cast<uintptr_t>(a->getUserData()), t = reinterpret_cast<uintptr_t>(b->getUserData());
    static_cast<world *>(user)->pairs.push_back(s < t ? static_cast<uint64_t>(s) << 32 | t
                                                      : static_cast<uint64_t>(t) << 32 | s);
    return false;
}

void collide(world *w)
{
    w->pairs.clear();
    w->manager->collide(w, note);
}

void update(void *user, const body_box *boxes, const uint32_t *moved, size_t moved_count)
{
    auto *w = static_cast<world *>(user);
    for (size_t i = 0; i < moved_count; i++)
        place(*w->objects[moved[i]], boxes[moved[i]]);
    if (moved_count * 10 > w->objects.size()) {
        w->manager->update();
    } else {
        std::vector<object *> changed;
        for (size_t i = 0; i < moved_count; i++)
            changed.push_back(w->objects[moved[i]].get());
        w->manager->update(changed);
    }
    collide(w);
}

void make_anew(void *user, const body_box *boxes, const uint32_t *moved, size_t moved_count)
{
    auto *w = static_cast<world *>(user);
    std::vector<object *> all;
    for (size_t i = 0; i < moved_count; i++)
        place(*w->objects[moved[i]], boxes[moved[i]]);
    for (const auto &body : w->objects)
        all.push_back(body.get());
    w->manager->clear();
    w->manager->registerObjects(all);
    w->manager->setup();
    collide(w);
}

void *fill(fcl::BroadPhaseCollisionManager<double> *manager, const body_box *boxes, uint32_t count)
{
    auto *w = new world;
    std::vector<object *> all;
    w->manager.reset(manager);
    for (uint32_t id = 0; id < count; id++) {
        const body_box &box = boxes[id];
        const auto shape = std::make_shared<fcl::Box<double>>(box.max[0] - box.min[0], box.max[1] - box.min[1],
                                                              box.max[2] - box.min[2]);
        w->objects.push_back(std::make_unique<object>(shape));
        w->objects.back()->setUserData(reinterpret_cast<void *>(static_cast<uintptr_t>(id)));
        place(*w->objects.back(), box);
        all.push_back(w->objects.back().get());
    }
    manager->registerObjects(all);
    manager->setup();
    collide(w);
    return w;
}

void *create_tree(const body_box *boxes, uint32_t count)
{
    return fill(new fcl::DynamicAABBTreeCollisionManager<double>, boxes, count);
}

void *create_array(const body_box *boxes, uint32_t count)
{
    return fill(new fcl::DynamicAABBTreeCollisionManager_Array<double>, boxes, count);
}

void *create_sap(const body_box *boxes, uint32_t count)
{
    return fill(new fcl::SaPCollisionManager<double>, boxes, count);
}

void list(void *user, pair_list *out)
{
    for (const uint64_t pair : static_cast<world *>(user)->pairs)
        pair_list_add(out, pair);
}

void destroy(void *user)
{
    delete static_cast<world *>(user);
}

} // namespace

extern "C" {
const peer peer_fcl_tree = {"FCL AABB tree", UINT32_MAX, 20000, create_tree, update, list, destroy};
const peer peer_fcl_array = {"FCL AABB tree, array", 200000, 20000, create_array, update, list, destroy};
const peer peer_fcl_anew = {"FCL AABB tree, anew", UINT32_MAX, UINT32_MAX, create_tree, make_anew, list, destroy};
const peer peer_fcl_sap = {"FCL SaP", 20000, 0, create_sap, update, list, destroy};
}
