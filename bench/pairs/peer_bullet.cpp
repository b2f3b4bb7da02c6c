// SPDX-License-Identifier: MIT
// Bullet: btDbvtBroadphase (its defaults, and with collision put off to the end of the step) and
// bt32BitAxisSweep3. Its pairs are those of enlarged boxes, in a hash table; taking them out is not measured.
#include "peers.h"

#include <btBulletCollisionCommon.h>

#include <vector>

namespace
{

struct world {
    btBroadphaseInterface *broad_phase;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    std::vector<btBroadphaseProxy *> proxies;
};

btVector3 vector_of(const double p[3])
{
    return btVector3(static_cast<btScalar>(p[0]), static_cast<btScalar>(p[1]), static_cast<btScalar>(p[2]));
}

void update(void *user, const body_box *boxes, const uint32_t *moved, size_t moved_count)
{
    auto *w = static_cast<world *>(user);
    for (size_t i = 0; i < moved_count; i++) {
        const body_box &box = boxes[moved[i]];
        w->broad_phase->setAabb(w->proxies[moved[i]], vector_of(box.min), vector_of(box.max), &w->dispatcher);
    }
    w->broad_phase->calculateOverlappingPairs(&w->dispatcher);
}

void *fill(btBroadphaseInterface *broad_phase, const body_box *boxes, uint32_t count)
{
    auto *w = new world;
    w->broad_phase = broad_phase;
    for (uint32_t id = 0; id < count; id++)
        w->proxies.push_back(broad_phase->createProxy(
            vector_of(boxes[id].min), vector_of(boxes[id].max), 0, reinterpret_cast<void *>(static_cast<uintptr_t>(id)),
            btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter, &w->dispatcher));
    broad_phase->calculateOverlappingPairs(&w->dispatcher);
    return w;
}

void *create_tree(const body_box *boxes, uint32_t count)
{
    return fill(new btDbvtBroadphase, boxes, count);
}

void *create_deferred(const body_box *boxes, uint32_t count)
{
    auto *tree = new btDbvtBroadphase;
    tree->m_deferedcollide = true;
    return fill(tree, boxes, count);
}

void *create_sweep(const body_box *boxes, uint32_t count)
{
    double least = boxes[0].min[0], most = boxes[0].max[0];
    for (uint32_t id = 0; id < count; id++)
        for (int axis = 0; axis < 3; axis++) {
            least = boxes[id].min[axis] < least ? boxes[id].min[axis] : least;
            most = boxes[id].max[axis] > most ? boxes[id].max[axis] : most;
        }
    const btScalar margin = static_cast<btScalar>(0.1 * (most - least));
    const btScalar low = static_cast<btScalar>(least) - margin, high = static_cast<btScalar>(most) + margin;
    return fill(new bt32BitAxisSweep3(btVector3(low, low, low), btVector3(high, high, high), count + 1), boxes, count);
}

void list(void *user, pair_list *out)
{
    const auto *w = static_cast<world *>(user);
    const btBroadphasePairArray &pairs = w->broad_phase->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); i++) {
        const auto a = reinterpret_cast<uintptr_t>(pairs[i].m_pProxy0->m_clientObject),
                   b = reinterpret_cast<uintptr_t>(pairs[i].m_pProxy1->m_clientObject);
        pair_list_add(out, a < b ? static_cast<uint64_t>(a) << 32 | b : static_cast<uint64_t>(b) << 32 | a);
    }
}

void destroy(void *user)
{
    auto *w = static_cast<world *>(user);
    for (btBroadphaseProxy *proxy : w->proxies)
        w->broad_phase->destroyProxy(proxy, &w->dispatcher);
    delete w->broad_phase;
    delete w;
}

// Destroying many proxies one by one takes the square of their pairs: let them be.
void abandon(void *user)
{
    if (static_cast<world *>(user)->proxies.size() <= 1000)
        destroy(user);
}

} // namespace

extern "C" {
const peer peer_bullet = {"Bullet dbvt", 200000, 200000, create_tree, update, list, abandon};
const peer peer_bullet_deferred = {"Bullet dbvt, deferred", 200000, 200000, create_deferred, update, list, abandon};
const peer peer_bullet_sweep = {"Bullet axis sweep", 20000, 0, create_sweep, update, list, abandon};
}
