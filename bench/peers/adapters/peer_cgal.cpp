// SPDX-License-Identifier: MIT
// CGAL, with exact predicates. Rigid_triangle_mesh_collision_detection has transforms and says yes or no. AABB_tree has none that
// are exact for our rounded positions: moved positions are put in, and the tree of A is built, before the clock starts; each
// triangle of B is then asked of it. Self-collision by self_intersections(), on one thread and on two, and by
// box_self_intersection_d() with the triangles tested for pairs that share no vertex. Overlapping boxes by
// box_self_intersection_d() too. AABB_tree measures the distance of a point; for that of two meshes CGAL has no call.
#include "peer.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace
{

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Triangles = std::vector<Kernel::Triangle_3>;
using Surface = CGAL::Surface_mesh<Point>;

Surface surface_of(const peer_mesh *mesh)
{
    Surface surface;
    std::vector<Surface::Vertex_index> vertices;
    surface.reserve(mesh->vertex_count, mesh->triangle_count * 3 / 2, mesh->triangle_count);
    vertices.reserve(mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = mesh->positions[i];
        vertices.push_back(surface.add_vertex(Point(p[0], p[1], p[2])));
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        if (surface.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]) == Surface::null_face())
            peer_die("CGAL's mesh type cannot hold this mesh");
    }
    return surface;
}

// --- Rigid_triangle_mesh_collision_detection

using Detection = CGAL::Rigid_triangle_mesh_collision_detection<Surface>;

// One detection holds all models; adding one builds its tree.
Detection &detection()
{
    static Detection all;
    return all;
}

struct Rigid_model {
    Surface surface;
    std::size_t id;
};

void *create_rigid(const peer_mesh *mesh, bool)
{
    auto model = std::make_unique<Rigid_model>(Rigid_model{surface_of(mesh), 0});
    model->id = detection().add_mesh(model->surface);
    return model.release();
}

void destroy_rigid(void *model)
{
    detection().remove_mesh(static_cast<Rigid_model *>(model)->id);
    delete static_cast<Rigid_model *>(model);
}

Kernel::Aff_transformation_3 transformation_of(const peer_pose *pose)
{
    const auto &m = pose->m;
    return {m[0][0], m[0][1], m[0][2], m[0][3], m[1][0], m[1][1], m[1][2], m[1][3], m[2][0], m[2][1], m[2][2], m[2][3]};
}

bool touches_rigid(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    const std::size_t id_a = static_cast<Rigid_model *>(a)->id, id_b = static_cast<Rigid_model *>(b)->id;
    detection().set_transformation(id_a, transformation_of(pose_a));
    detection().set_transformation(id_b, transformation_of(pose_b));
    return !detection().get_all_intersections(id_b).empty();
}

// --- AABB_tree

using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

struct Tree_model {
    const peer_mesh *mesh;
    Triangles triangles;
    Tree tree;
};

void fill(Tree_model *model, const peer_pose *pose)
{
    std::vector<Point> points;
    points.reserve(model->mesh->vertex_count);
    for (uint32_t i = 0; i < model->mesh->vertex_count; i++) {
        double p[3];
        peer_world_position(pose, model->mesh->positions[i], p);
        points.emplace_back(p[0], p[1], p[2]);
    }
    model->tree.clear();
    model->triangles.clear();
    for (uint32_t i = 0; i < model->mesh->triangle_count; i++) {
        const uint32_t *t = model->mesh->triangles[i];
        model->triangles.emplace_back(points[t[0]], points[t[1]], points[t[2]]);
    }
    model->tree.rebuild(model->triangles.begin(), model->triangles.end());
    model->tree.build();
}

void *create_tree(const peer_mesh *mesh, bool)
{
    const peer_pose identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    auto model = std::make_unique<Tree_model>();
    model->mesh = mesh;
    fill(model.get(), &identity);
    return model.release();
}

void destroy_tree(void *model)
{
    delete static_cast<Tree_model *>(model);
}

void place(void *model, const peer_pose *pose)
{
    fill(static_cast<Tree_model *>(model), pose);
}

bool touches_tree(void *a, const peer_pose *, void *b, const peer_pose *)
{
    const auto *first = static_cast<Tree_model *>(a), *second = static_cast<Tree_model *>(b);
    for (const auto &triangle : second->triangles)
        if (first->tree.do_intersect(triangle))
            return true;
    return false;
}

void pairs_tree(void *a, const peer_pose *, void *b, const peer_pose *, peer_pairs *out)
{
    const auto *first = static_cast<Tree_model *>(a), *second = static_cast<Tree_model *>(b);
    std::vector<Triangles::const_iterator> found;
    for (std::size_t i = 0; i < second->triangles.size(); i++) {
        found.clear();
        first->tree.all_intersected_primitives(second->triangles[i], std::back_inserter(found));
        for (const auto &triangle : found)
            peer_pairs_add(out, static_cast<uint32_t>(triangle - first->triangles.begin()), static_cast<uint32_t>(i));
    }
}

void point_distances(void *model, const double (*points)[3], uint32_t count, double *out)
{
    const auto *one = static_cast<Tree_model *>(model);
    for (uint32_t i = 0; i < count; i++)
        out[i] = std::sqrt(one->tree.squared_distance(Point(points[i][0], points[i][1], points[i][2])));
}

// --- One mesh with itself

template <class Concurrency> void self_surface(const peer_mesh *mesh, peer_pairs *out)
{
    const Surface surface = surface_of(mesh);
    std::vector<std::pair<Surface::Face_index, Surface::Face_index>> found;
    CGAL::Polygon_mesh_processing::self_intersections<Concurrency>(surface, std::back_inserter(found));
    for (const auto &pair : found)
        peer_pairs_add(out, static_cast<uint32_t>(pair.first), static_cast<uint32_t>(pair.second));
}

using Numbered_box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const Kernel::Triangle_3 *>;

bool share_vertex(const uint32_t *s, const uint32_t *t)
{
    for (int i = 0; i < 3; i++)
        if (s[i] == t[0] || s[i] == t[1] || s[i] == t[2])
            return true;
    return false;
}

void self_boxes(const peer_mesh *mesh, peer_pairs *out)
{
    Triangles triangles;
    std::vector<Numbered_box> boxes;
    triangles.reserve(mesh->triangle_count);
    boxes.reserve(mesh->triangle_count);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        Point corner[3];
        for (int j = 0; j < 3; j++) {
            const double *p = mesh->positions[mesh->triangles[i][j]];
            corner[j] = Point(p[0], p[1], p[2]);
        }
        triangles.emplace_back(corner[0], corner[1], corner[2]);
        boxes.emplace_back(triangles[i].bbox(), &triangles[i]);
    }
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Numbered_box &a, const Numbered_box &b) {
        const auto s = static_cast<uint32_t>(a.handle() - triangles.data()),
                   t = static_cast<uint32_t>(b.handle() - triangles.data());
        if (!share_vertex(mesh->triangles[s], mesh->triangles[t]) && CGAL::do_intersect(*a.handle(), *b.handle()))
            peer_pairs_add(out, s, t);
    });
}

// --- Boxes

using Frame_box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const peer_box *>;

void *boxes_create(const peer_box *, uint32_t count)
{
    auto boxes = std::make_unique<std::vector<Frame_box>>();
    boxes->reserve(count);
    return boxes.release();
}

void boxes_pairs(void *state, const peer_box *source, uint32_t count, peer_pairs *out)
{
    auto &boxes = *static_cast<std::vector<Frame_box> *>(state);
    boxes.clear();
    for (uint32_t i = 0; i < count; i++)
        boxes.emplace_back(CGAL::Bbox_3(source[i].min[0], source[i].min[1], source[i].min[2], source[i].max[0],
                                        source[i].max[1], source[i].max[2]),
                           &source[i]);
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Frame_box &a, const Frame_box &b) {
        peer_pairs_add(out, static_cast<uint32_t>(a.handle() - source), static_cast<uint32_t>(b.handle() - source));
    });
}

peer way(const char *name)
{
    peer p = {};
    p.library = "cgal", p.name = name, p.version = CGAL_VERSION_STR, p.threads = 1;
    return p;
}

peer rigid_way()
{
    peer p = way("CGAL rigid detection");
    p.create = create_rigid, p.destroy = destroy_rigid, p.touches = touches_rigid;
    return p;
}

peer tree_way()
{
    peer p = way("CGAL AABB tree");
    p.flags = PEER_PLACED;
    p.create = create_tree, p.destroy = destroy_tree, p.place = place;
    p.touches = touches_tree, p.pairs = pairs_tree, p.point_distances = point_distances;
    return p;
}

peer surface_way()
{
    peer p = way("CGAL self_intersections");
    p.flags = PEER_NEIGHBOURS;
    p.self = self_surface<CGAL::Sequential_tag>;
    return p;
}

peer boxes_way()
{
    peer p = way("CGAL box_self_intersection");
    p.self = self_boxes;
    p.boxes_create = boxes_create, p.boxes_pairs = boxes_pairs;
    return p;
}

#ifdef CGAL_LINKED_WITH_TBB
peer parallel_way()
{
    peer p = surface_way();
    p.name = "CGAL self_i. 2 threads";
    p.threads = 2;
    p.self = self_surface<CGAL::Parallel_tag>;
    return p;
}
#endif

} // namespace

peer_list peer_cgal(void)
{
    static const peer ways[] = {
        rigid_way(),    tree_way(), surface_way(), boxes_way(),
#ifdef CGAL_LINKED_WITH_TBB
        parallel_way(),
#endif
    };
    return {ways, sizeof ways / sizeof *ways};
}
