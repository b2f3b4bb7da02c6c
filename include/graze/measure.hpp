// SPDX-License-Identifier: MIT
/// @file
/// Graze for C++17: distances, motions, depths and contact points. <graze/graze.hpp> includes this.
///
/// An answer that a deadline or a cancellation cuts short is thrown away with the exception; call the C function where
/// what is proved until then matters.
#ifndef GRAZE_MEASURE_HPP
#define GRAZE_MEASURE_HPP

#include <graze/graze.hpp>

namespace graze {

/// @cond
namespace detail {
// How many points these numbers are.
inline std::uint64_t points_in(span<double> numbers, const char *refusal)
{
    if (numbers.size() % 3 != 0)
        refuse(refusal);
    return std::uint64_t(numbers.size() / 3);
}

// The positions of all vertices at the end of a motion; none: the mesh does not move.
inline const double *end_positions(const grz_object &object, span<double> end)
{
    if (end.empty())
        return nullptr;
    if (end.size() != 3 * grz_mesh_vertex_count(object.mesh))
        refuse("move deforming: need three numbers for each vertex at the end");
    return end.data();
}

// At most so many items of those that ask(items, max_count, &found) writes.
template <class T, class Ask> std::vector<T> list_some(std::uint64_t max_count, Ask ask)
{
    std::vector<T> items(static_cast<std::size_t>(max_count));
    std::uint64_t found = 0;
    ask(items.data(), max_count, &found);
    items.resize(static_cast<std::size_t>(found));
    return items;
}
} // namespace detail
/// @endcond

/// grz_distance(): how far two surfaces are apart, and where.
inline grz_distance_answer distance(const device &on, const grz_object &a, const grz_object &b,
                                    const grz_distance_options &options = grz_default_distance_options())
{
    grz_distance_answer answer;
    detail::call(grz_distance, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// grz_distance_points(): how far each point is from a surface, and is it inside? Points are x, y, z each, world
/// coordinates. @return an answer for each point, in their order.
inline std::vector<grz_point_distance>
distance_points(const device &on, const grz_object &object, span<double> points,
                const grz_distance_points_options &options = grz_default_distance_points_options())
{
    const std::uint64_t count = detail::points_in(points, "distance points: points have three numbers each");
    std::vector<grz_point_distance> answers(static_cast<std::size_t>(count));
    detail::call(grz_distance_points, on.get(), &object, points.data(), count, &options, answers.data());
    return answers;
}

/// grz_fit_map_points(): where points found on a proxy belong on the mesh. Points and normals are x, y, z each, world
/// coordinates; without normals, the nearest points. @return an answer for each point, in their order.
inline std::vector<grz_mapped_point> fit_map_points(const device &on, const grz_object &object, span<double> points,
                                                    span<double> normals,
                                                    const grz_hull_options &options = grz_default_hull_options())
{
    const std::uint64_t count = detail::points_in(points, "map points: points have three numbers each");
    if (normals.size() != 0 && normals.size() != points.size())
        detail::refuse("map points: there must be a normal for each point, or none");
    std::vector<grz_mapped_point> answers(static_cast<std::size_t>(count));
    detail::call(grz_fit_map_points, on.get(), &object, points.data(), normals.size() != 0 ? normals.data() : nullptr,
                 count, &options, answers.data());
    return answers;
}

/// grz_distance_poses(): one object from a mesh at many poses. @return an answer for each pose, in their order.
inline std::vector<grz_distance_answer>
distance_poses(const device &on, const grz_object &a, const mesh &b, span<grz_pose> poses,
               const grz_distance_options &options = grz_default_distance_options())
{
    std::vector<grz_distance_answer> answers(poses.size());
    detail::call(grz_distance_poses, on.get(), &a, b.get(), poses.data(), std::uint64_t(poses.size()), &options,
                 answers.data());
    return answers;
}

/// grz_distance_scene(): the nearest pairs of a scene's objects. @return at most `max_count` of them, the nearest first.
inline std::vector<grz_scene_distance>
distance_scene(const device &on, const scene &among, std::uint64_t max_count,
               const grz_distance_options &options = grz_default_distance_options())
{
    return detail::list_some<grz_scene_distance>(
        max_count, [&](grz_scene_distance *pairs, std::uint64_t capacity, std::uint64_t *found) {
            detail::call(grz_distance_scene, on.get(), among.get(), &options, pairs, capacity, found);
        });
}

/// grz_move(): when do two objects first touch that move along straight lines, without turning?
///
/// @param on       whose threads do the work
/// @param a        the first object; its pose is the start
/// @param to_a     the translation of its pose at the end
/// @param b        the second object
/// @param to_b     the translation of its pose at the end
/// @param options  how much is reported, limits
inline grz_move_answer move(const device &on, const grz_object &a, const double (&to_a)[3], const grz_object &b,
                            const double (&to_b)[3], const grz_move_options &options = grz_default_move_options())
{
    grz_move_answer answer;
    detail::call(grz_move, on.get(), &a, to_a, &b, to_b, &options, &answer);
    return answer;
}

/// The same where B rests.
inline grz_move_answer move(const device &on, const grz_object &a, const double (&to_a)[3], const grz_object &b,
                            const grz_move_options &options = grz_default_move_options())
{
    grz_move_answer answer;
    detail::call(grz_move, on.get(), &a, to_a, &b, nullptr, &options, &answer);
    return answer;
}

/// grz_move_first_overlap(): when do the insides of two solids first overlap, which may touch before? B rests.
inline grz_overlap_time first_overlap(const device &on, const grz_object &a, const double (&to_a)[3],
                                      const grz_object &b, const grz_move_options &options = grz_default_move_options())
{
    grz_overlap_time answer;
    detail::call(grz_move_first_overlap, on.get(), &a, to_a, &b, nullptr, &options, &answer);
    return answer;
}

/// The same where B moves, too.
inline grz_overlap_time first_overlap(const device &on, const grz_object &a, const double (&to_a)[3],
                                      const grz_object &b, const double (&to_b)[3],
                                      const grz_move_options &options = grz_default_move_options())
{
    grz_overlap_time answer;
    detail::call(grz_move_first_overlap, on.get(), &a, to_a, &b, to_b, &options, &answer);
    return answer;
}

/// grz_move_intervals(): the times from when to when the surfaces touch on the way, in order.
inline std::vector<grz_contact_interval> move_intervals(const device &on, const grz_object &a, const double (&to_a)[3],
                                                        const grz_object &b, const double (&to_b)[3],
                                                        const grz_move_options &options = grz_default_move_options())
{
    return detail::list_all<grz_contact_interval>(
        [&](grz_contact_interval *intervals, std::uint64_t capacity, std::uint64_t *found) {
            detail::call(grz_move_intervals, on.get(), &a, to_a, &b, to_b, &options, intervals, capacity, found);
        });
}

/// The same where B rests.
inline std::vector<grz_contact_interval> move_intervals(const device &on, const grz_object &a, const double (&to_a)[3],
                                                        const grz_object &b,
                                                        const grz_move_options &options = grz_default_move_options())
{
    return detail::list_all<grz_contact_interval>(
        [&](grz_contact_interval *intervals, std::uint64_t capacity, std::uint64_t *found) {
            detail::call(grz_move_intervals, on.get(), &a, to_a, &b, nullptr, &options, intervals, capacity, found);
        });
}

/// grz_move_paths(): many straight ways of one object. The ends are x, y, z each. @return an answer for each way.
inline std::vector<grz_move_answer> move_paths(const device &on, const grz_object &a, span<double> to_a,
                                               const grz_object &b,
                                               const grz_move_options &options = grz_default_move_options())
{
    const std::uint64_t count = detail::points_in(to_a, "move paths: ends have three numbers each");
    std::vector<grz_move_answer> answers(static_cast<std::size_t>(count));
    detail::call(grz_move_paths, on.get(), &a, to_a.data(), count, &b, &options, answers.data());
    return answers;
}

/// grz_move_scene(): what an object of a scene touches first on its way. @return at most `max_count` objects, in order.
inline std::vector<grz_scene_contact> move_scene(const device &on, const scene &among, std::uint32_t moving,
                                                 const double (&to)[3], std::uint64_t max_count,
                                                 const grz_move_options &options = grz_default_move_options())
{
    return detail::list_some<grz_scene_contact>(
        max_count, [&](grz_scene_contact *contacts, std::uint64_t capacity, std::uint64_t *found) {
            detail::call(grz_move_scene, on.get(), among.get(), moving, to, &options, contacts, capacity, found);
        });
}

/// grz_motion_pose(): where a motion is at a time from 0 to 1.
inline grz_pose pose_at(const grz_motion &motion, double t)
{
    grz_pose pose;
    detail::call(grz_motion_pose, &motion, t, &pose);
    return pose;
}

/// grz_move_rigid(): when do two objects first touch that move and turn? The motions have all poses; one that rests is
/// grz_motion_rest().
inline grz_move_answer move_rigid(const device &on, const grz_object &a, const grz_motion &motion_a,
                                  const grz_object &b, const grz_motion &motion_b,
                                  const grz_rigid_options &options = grz_default_rigid_options())
{
    grz_move_answer answer;
    detail::call(grz_move_rigid, on.get(), &a, &motion_a, &b, &motion_b, &options, &answer);
    return answer;
}

/// The same where B rests at its pose.
inline grz_move_answer move_rigid(const device &on, const grz_object &a, const grz_motion &motion_a,
                                  const grz_object &b, const grz_rigid_options &options = grz_default_rigid_options())
{
    grz_move_answer answer;
    detail::call(grz_move_rigid, on.get(), &a, &motion_a, &b, nullptr, &options, &answer);
    return answer;
}

/// grz_move_deforming(): when do two objects first touch whose vertices move, each along a line of its own?
///
/// @param on       whose threads do the work
/// @param a        the first object; its mesh and pose are the start
/// @param end_a    three numbers for each vertex of A: where it is at the end; empty: it rests
/// @param b        the second object
/// @param end_b    the same for B
/// @param options  how much is reported, limits
inline grz_move_answer move_deforming(const device &on, const grz_object &a, span<double> end_a, const grz_object &b,
                                      span<double> end_b,
                                      const grz_deforming_options &options = grz_default_deforming_options())
{
    const double *to_a = detail::end_positions(a, end_a), *to_b = detail::end_positions(b, end_b);
    grz_move_answer answer;
    detail::call(grz_move_deforming, on.get(), &a, to_a, &b, to_b, &options, &answer);
    return answer;
}

/// The same of one object with itself.
inline grz_move_answer move_deforming(const device &on, const grz_object &object, span<double> end,
                                      const grz_deforming_options &options = grz_default_deforming_options())
{
    const double *to = detail::end_positions(object, end);
    grz_move_answer answer;
    detail::call(grz_move_deforming, on.get(), &object, to, nullptr, nullptr, &options, &answer);
    return answer;
}

/// grz_penetration(): the shortest way that frees A of B.
inline grz_penetration_answer penetration(const device &on, const grz_object &a, const grz_object &b,
                                          const grz_move_options &options = grz_default_move_options())
{
    grz_penetration_answer answer;
    detail::call(grz_penetration, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// grz_penetration_along(): how far A must be moved in a direction to be free of B.
inline grz_penetration_answer penetration_along(const device &on, const grz_object &a, const grz_object &b,
                                                const double (&direction)[3],
                                                const grz_move_options &options = grz_default_move_options())
{
    grz_penetration_answer answer;
    detail::call(grz_penetration_along, on.get(), &a, &b, direction, &options, &answer);
    return answer;
}

/// grz_overlap_volume(): the volume that two solids have in common.
inline grz_overlap_volume_answer overlap_volume(const device &on, const grz_object &a, const grz_object &b,
                                                const grz_move_options &options = grz_default_move_options())
{
    grz_overlap_volume_answer answer;
    detail::call(grz_overlap_volume, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// grz_overlap_depth(): how deep do two solids overlap, and deeper than options.deeper_than?
inline grz_overlap_depth_answer
overlap_depth(const device &on, const grz_object &a, const grz_object &b,
              const grz_overlap_depth_options &options = grz_default_overlap_depth_options())
{
    grz_overlap_depth_answer answer;
    detail::call(grz_overlap_depth, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// grz_overlap_depths(): the same of many pairs, each with a `deeper_than` of its own, on all threads. @return an answer
/// for each pair, in their order; options.parts is as in C.
inline std::vector<grz_overlap_depth_answer>
overlap_depths(const device &on, const targets &among, span<grz_overlap_pair> pairs,
               const grz_overlap_depth_options &options = grz_default_overlap_depth_options())
{
    std::vector<grz_overlap_depth_answer> answers(pairs.size());
    detail::call(grz_overlap_depths, on.get(), among.get(), pairs.data(), std::uint64_t(pairs.size()), &options,
                 answers.data());
    return answers;
}

/// grz_manifold_find(): a few points of contact with normals and depths, as a physics engine wants them.
inline grz_manifold_answer manifold(const device &on, const grz_object &a, const grz_object &b,
                                    const grz_manifold_options &options = grz_default_manifold_options())
{
    grz_manifold_answer answer;
    detail::call(grz_manifold_find, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// A grz_contact_tracker: which contact point of this frame is which of the last one's. Move-only.
class contact_tracker {
  public:
    /// A tracker without points.
    explicit contact_tracker(const device &owner)
    {
        grz_contact_tracker *made = nullptr;
        detail::call(grz_contact_tracker_create, owner.get(), &made);
        handle_.reset(made);
    }

    /// Number the contact points of a frame. @return an answer for each point, in their order.
    std::vector<grz_contact_id>
    update(span<grz_tracked_point> points,
           const grz_contact_tracker_options &options = grz_default_contact_tracker_options())
    {
        std::vector<grz_contact_id> ids(points.size());
        detail::call(grz_contact_tracker_update, handle_.get(), points.data(), std::uint64_t(points.size()), &options,
                     ids.data());
        return ids;
    }
    /// The numbers of the contacts that the last update ended, ascending. Borrowed until the next update.
    span<std::uint64_t> ended() const noexcept
    {
        std::uint64_t count = 0;
        const std::uint64_t *first = grz_contact_tracker_ended(handle_.get(), &count);
        return {first, static_cast<std::size_t>(count)};
    }
    /// Add the points of a manifold to those of the frame. The objects have the caller's numbers.
    static void add_points(std::uint64_t object_a, std::uint64_t object_b, const grz_manifold_answer &manifold,
                           std::vector<grz_tracked_point> &points)
    {
        const std::size_t before = points.size();
        points.resize(before + manifold.count);
        grz_contact_tracker_points(object_a, object_b, &manifold, points.data() + before);
    }
    /// The same of two shapes.
    static void add_points(std::uint64_t object_a, std::uint64_t object_b, const grz_shape_manifold &manifold,
                           std::vector<grz_tracked_point> &points)
    {
        const std::size_t before = points.size();
        points.resize(before + manifold.count);
        grz_contact_tracker_shape_points(object_a, object_b, &manifold, points.data() + before);
    }
    grz_contact_tracker *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_contact_tracker, grz_contact_tracker_destroy> handle_;
};

} // namespace graze

#endif
