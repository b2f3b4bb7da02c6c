// SPDX-License-Identifier: MIT
/// @file
/// Graze for C++17: what goes on in a level: movers, flights, footsteps, cells and portals. <graze/graze.hpp> includes
/// this.
#ifndef GRAZE_LEVEL_HPP
#define GRAZE_LEVEL_HPP

#include <graze/graze.hpp>

namespace graze {

/// grz_mover_step(): move a shape through a level, sliding along what is in the way.
inline grz_mover_answer mover_step(const device &on, span<grz_object> objects, const grz_shape &shape,
                                   const double (&position)[3], const double (&displacement)[3],
                                   const grz_mover_options &options = grz_default_mover_options())
{
    grz_mover_answer answer;
    detail::call(grz_mover_step, on.get(), objects.data(), detail::count32(objects.size()), &shape, position,
                 displacement, &options, &answer);
    return answer;
}

/// grz_flight_velocity(): how fast a flight is now. The acceleration is that of its options.
inline std::array<double, 3> flight_velocity(const grz_flight &flight, const double (&acceleration)[3]) noexcept
{
    std::array<double, 3> velocity{};
    grz_flight_velocity(&flight, acceleration, velocity.data());
    return velocity;
}

/// grz_flight_advance(): let a ball fly and bounce until a time. Begin with grz_flight_from().
///
/// @param on           whose allocator gives the memory
/// @param objects      what the ball bounces off
/// @param options      the ball, how it bounces, limits
/// @param until        the time at which it ends
/// @param flight       is advanced; after an exception it stands at its last bounce
/// @param max_bounces  it stops at the next one, with GRZ_FLIGHT_FULL
/// @return the bounces of this call, in order
inline std::vector<grz_bounce> flight_advance(const device &on, span<grz_object> objects,
                                              const grz_flight_options &options, double until, grz_flight &flight,
                                              std::uint64_t max_bounces)
{
    std::vector<grz_bounce> bounces(static_cast<std::size_t>(max_bounces));
    std::uint64_t found = 0;
    detail::call(grz_flight_advance, on.get(), objects.data(), detail::count32(objects.size()), &options, until,
                 &flight, bounces.data(), max_bounces, &found);
    bounces.resize(static_cast<std::size_t>(found));
    return bounces;
}

/// grz_flight_pose(): where an object that moves is at a time.
inline grz_pose flight_pose(const grz_object &object, const grz_flight_motion &motion, double time)
{
    grz_pose pose;
    detail::call(grz_flight_pose, &object, &motion, time, &pose);
    return pose;
}

/// grz_flight_motion_between(): the motion that leads evenly from one pose to another.
///
/// @param from,to  poses at both times
/// @param since    the time of the first pose
/// @param arrival  the time of the second
/// @param centre   what it turns about, in the coordinates of the mesh
inline grz_flight_motion flight_motion_between(const grz_pose &from, const grz_pose &to, double since, double arrival,
                                               const double (&centre)[3] = {0, 0, 0})
{
    grz_flight_motion motion;
    detail::call(grz_flight_motion_between, &from, &to, since, arrival, centre, &motion);
    return motion;
}

/// grz_flight_objects(): which objects may a ball meet, by their boxes, and when?
inline std::vector<grz_flight_visit> flight_objects(span<grz_object> objects, const double (&start)[3],
                                                    const double (&velocity)[3], const double (&acceleration)[3],
                                                    double seconds, double radius)
{
    const std::uint32_t count = detail::count32(objects.size());
    return detail::list_all<grz_flight_visit>(
        [&](grz_flight_visit *visits, std::uint64_t capacity, std::uint64_t *found) {
            detail::call(grz_flight_objects, objects.data(), count, start, velocity, acceleration, seconds, radius,
                         visits, capacity, found);
        });
}

/// grz_footsteps_correct(): how far each frame of a foot must be lifted. The options need `reach`.
/// @return a step for each frame, in their order.
inline std::vector<grz_footstep> footsteps_correct(const device &on, span<grz_object> feet, span<grz_object> floors,
                                                   const grz_footsteps_options &options)
{
    std::vector<grz_footstep> steps(feet.size());
    detail::call(grz_footsteps_correct, on.get(), feet.data(), std::uint64_t(feet.size()), floors.data(),
                 detail::count32(floors.size()), &options, steps.data());
    return steps;
}

/// A grz_portals: a level divided into cells by portals. Move-only; its trackers keep it alive.
class portals {
  public:
    /// grz_portals_create(): some faces of the mesh are portals, the others walls.
    portals(const device &owner, const grz_object &level, span<std::uint32_t> faces,
            const grz_portals_options &options = grz_default_portals_options())
    {
        grz_portals *made = nullptr;
        detail::call(grz_portals_create, owner.get(), &level, faces.data(), std::uint64_t(faces.size()), &options,
                     &made);
        handle_.reset(made, grz_portals_destroy);
    }

    /// grz_portals_create_bsp(): all faces but those of `options.marks` are walls; the tree finds the other portals.
    portals(const device &owner, const grz_object &level,
            const grz_portals_options &options = grz_default_portals_options())
    {
        grz_portals *made = nullptr;
        detail::call(grz_portals_create_bsp, owner.get(), &level, &options, &made);
        handle_.reset(made, grz_portals_destroy);
    }

    portals(portals &&) noexcept = default;            ///< leaves it without a level
    portals &operator=(portals &&) noexcept = default; ///< leaves it without a level

    /// grz_portals_examine(): what it is made of.
    grz_portals_report examine() const noexcept
    {
        grz_portals_report report;
        grz_portals_examine(get(), &report);
        return report;
    }
    /// grz_portals_cell_at(): a cell, borrowed until an object changes; nothing if there is none of this number.
    std::optional<grz_portals_cell> cell(std::uint32_t number) const noexcept
    {
        grz_portals_cell found;
        return grz_portals_cell_at(get(), number, &found) ? std::optional(found) : std::nullopt;
    }
    /// grz_portals_portal_at(): a portal; nothing if there is none of this number.
    std::optional<grz_portal> portal(std::uint32_t index) const noexcept
    {
        grz_portal found;
        return grz_portals_portal_at(get(), index, &found) ? std::optional(found) : std::nullopt;
    }
    /// grz_portals_polygon_at(): a convex piece of a portal, borrowed; nothing if there is none of these numbers.
    std::optional<grz_portals_polygon> polygon(std::uint32_t index, std::uint32_t number) const noexcept
    {
        grz_portals_polygon found;
        return grz_portals_polygon_at(get(), index, number, &found) ? std::optional(found) : std::nullopt;
    }

    /// Put an object in; its mesh is borrowed. @return its number.
    std::uint32_t add(const grz_object &object)
    {
        std::uint32_t number = 0;
        detail::call(grz_portals_add, get(), &object, &number);
        return number;
    }
    /// Give an object a new pose; steps push movers out of its way until rest().
    void move(std::uint32_t number, const grz_pose &pose) { detail::call(grz_portals_move, get(), number, &pose); }
    void rest() { detail::call(grz_portals_rest, get()); } ///< begin a frame: all objects have rested
    void remove(std::uint32_t number) { detail::call(grz_portals_remove, get(), number); } ///< take an object out
    grz_portals *get() const noexcept { return handle_.get(); }                            ///< for C functions

  private:
    friend class portals_tracker;
    std::shared_ptr<grz_portals> handle_;
};

/// A grz_portals_tracker: in which cells a body is. Move-only.
class portals_tracker {
  public:
    /// Of a body in a level.
    explicit portals_tracker(const portals &level) : level_(level.handle_)
    {
        grz_portals_tracker *made = nullptr;
        detail::call(grz_portals_tracker_create, level.get(), &made);
        handle_.reset(made);
    }

    portals_tracker(portals_tracker &&) noexcept = default; ///< leaves it without a tracker
    /// Leaves the other one without a tracker.
    portals_tracker &operator=(portals_tracker &&other) noexcept
    {
        handle_ = std::move(other.handle_); // first: a tracker is destroyed before its level
        level_ = std::move(other.level_);
        return *this;
    }

    /// grz_portals_track(): the cells of a body, by a point of it and a box around it. Borrowed until the next call.
    grz_portals_place track(const double (&point)[3], const double (&min)[3], const double (&max)[3])
    {
        grz_portals_place place;
        detail::call(grz_portals_track, get(), point, min, max, &place);
        return place;
    }

    /// grz_portals_step(): mover_step() among the walls and objects of the body's cells.
    ///
    /// @param shape     the body's shape
    /// @param position  where it stands
    /// @param displacement  how far it should go
    /// @param options   how it slides and steps; limits
    /// @param place     nullptr, or receives the cells, borrowed until the next call
    grz_mover_answer step(const grz_shape &shape, const double (&position)[3], const double (&displacement)[3],
                          const grz_mover_options &options = grz_default_mover_options(),
                          grz_portals_place *place = nullptr)
    {
        grz_mover_answer answer;
        detail::call(grz_portals_step, get(), &shape, position, displacement, &options, &answer, place);
        return answer;
    }

    /// grz_portals_straddled(): the portals that a body is in, of the cells found last. Borrowed until the next call.
    ///
    /// @param shape     the body's shape
    /// @param position  where it stands
    grz_portals_straddle straddled(const grz_shape &shape, const double (&position)[3])
    {
        grz_portals_straddle straddle;
        detail::call(grz_portals_straddled, get(), &shape, position, &straddle);
        return straddle;
    }

    grz_portals_tracker *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    std::shared_ptr<grz_portals> level_; // destroyed after the tracker
    detail::handle<grz_portals_tracker, grz_portals_tracker_destroy> handle_;
};

} // namespace graze

#endif
