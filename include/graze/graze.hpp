// SPDX-License-Identifier: MIT
/// @file
/// Graze for C++17: handles that destroy themselves, spans instead of pointer and count, exceptions instead of
/// statuses. Header only, on top of <graze/graze.h>, whose plain structures (grz_object, grz_pose,
/// grz_collide_options, …) and the functions that make them are used as they are. This header has devices, meshes,
/// results, scenes, collisions, picking and shapes; the headers at its end have the other subjects, and
/// <graze/gl.hpp> and <graze/io.hpp> what <graze/gl.h> and <graze/io.h> have.
#ifndef GRAZE_GRAZE_HPP
#define GRAZE_GRAZE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <graze/graze.h>

/// The C++ interface. Threads: as the C functions have it, see docs/reference/api.md.
namespace graze {

/// What every failed call throws. what() is the text: English, one line.
class error : public std::runtime_error {
  public:
    /// From the details that a C function filled in.
    explicit error(const grz_error &details)
        : std::runtime_error(details.message), code_(details.code), element_(details.element)
    {
    }

    /// @return what went wrong; never GRZ_OK.
    grz_status code() const noexcept { return code_; }

    /// @return the index of the vertex, face or object at fault, or GRZ_NO_ELEMENT.
    std::uint64_t element() const noexcept { return element_; }

  private:
    grz_status code_;
    std::uint64_t element_;
};

/// A view of items in a row that belong to somebody else: C++20's std::span for reading, as far as it is needed here.
template <class T> class span {
  public:
    constexpr span() noexcept = default; ///< nothing

    /// From the first item and how many there are.
    constexpr span(const T *data, std::size_t size) noexcept : data_(data), size_(size) {}

    /// From a vector, an array or whatever has data() and size().
    template <class Container, class = std::enable_if_t<std::is_convertible_v<
                                   decltype(std::data(std::declval<const Container &>())), const T *>>>
    constexpr span(const Container &items) noexcept
        : data_(std::data(items)), size_(std::size(items)) // NOLINT: implicit
    {
    }

    constexpr const T *data() const noexcept { return data_; }                       ///< the first item
    constexpr std::size_t size() const noexcept { return size_; }                    ///< how many
    constexpr bool empty() const noexcept { return size_ == 0; }                     ///< whether there are none
    constexpr const T *begin() const noexcept { return data_; }                      ///< the first item
    constexpr const T *end() const noexcept { return data_ + size_; }                ///< past the last item
    constexpr const T &operator[](std::size_t i) const noexcept { return data_[i]; } ///< item i, unchecked

  private:
    const T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// @cond what the classes below are made of; not for programs
namespace detail {
// The summary of no query.
inline grz_summary no_summary() noexcept
{
    grz_summary none{};
    none.certainty = GRZ_UNDECIDED;
    none.reason = "no query was completed";
    none.method = none.device = "";
    return none;
}

template <class T, void (*end)(T *)> struct ender {
    void operator()(T *handle) const noexcept { end(handle); }
};

template <class T, void (*end)(T *)> using handle = std::unique_ptr<T, ender<T, end>>;

// Calls function(…, &error) and throws what it reports.
template <class Function, class... Arguments> void call(Function function, Arguments... arguments)
{
    grz_error details;
    if (function(arguments..., &details) != GRZ_OK)
        throw error(details);
}

inline void refuse(const char *message)
{
    grz_error details = {};
    details.code = GRZ_ERROR_ARGUMENT;
    details.element = GRZ_NO_ELEMENT;
    std::char_traits<char>::copy(details.message, message, std::char_traits<char>::length(message) + 1);
    throw error(details);
}

// How many objects; the C functions count them in 32 bits.
inline std::uint32_t count32(std::size_t count)
{
    if (count > UINT32_MAX)
        refuse("more objects than 32 bits count");
    return std::uint32_t(count);
}

// All items of a list that ask(items, capacity, &found) writes: first with little room, then with enough.
template <class T, class Ask> std::vector<T> list_all(Ask ask)
{
    std::vector<T> items(16);
    std::uint64_t found = 0;
    ask(items.data(), std::uint64_t(items.size()), &found);
    if (found > items.size()) {
        items.resize(static_cast<std::size_t>(found));
        ask(items.data(), std::uint64_t(items.size()), &found);
    }
    items.resize(static_cast<std::size_t>(found));
    return items;
}

} // namespace detail
/// @endcond

/// A rigid pose: rotate by a quaternion (x, y, z, w, of any length but 0), then translate.
inline grz_pose rigid_pose(const double (&translation)[3], const double (&quaternion)[4])
{
    grz_pose pose;
    detail::call(grz_pose_from_quaternion, translation, quaternion, &pose);
    return pose;
}

/// The inverse of a pose, rounded (grz_pose_inverse()). Throws where it is singular.
inline grz_pose inverse(const grz_pose &pose)
{
    grz_pose result;
    detail::call(grz_pose_inverse, &pose, &result);
    return result;
}

/// A box along the axes: grz_object_bounds(), grz_shape_bounds().
struct box {
    std::array<double, 3> min; ///< lower corner, world coordinates
    std::array<double, 3> max; ///< upper corner
};

/// grz_object_bounds(): the box of an object, in constant time.
inline box bounds(const grz_object &object)
{
    box found{};
    detail::call(grz_object_bounds, &object, found.min.data(), found.max.data());
    return found;
}

/// grz_shape_bounds(): the box of a shape.
inline box bounds(const grz_shape &shape)
{
    box found{};
    detail::call(grz_shape_bounds, &shape, found.min.data(), found.max.data());
    return found;
}

/// grz_renderer_count(), grz_renderer_info(): the renderers that a device can be opened on, in the order of their
/// numbers.
inline std::vector<grz_renderer> renderers()
{
    std::vector<grz_renderer> found(grz_renderer_count());
    for (std::size_t i = 0; i < found.size(); i++)
        detail::call(grz_renderer_info, std::uint32_t(i), &found[i]);
    return found;
}

/// grz_method_info(): the methods that grz_collide_options::method can name.
inline std::vector<grz_method> methods()
{
    std::vector<grz_method> found;
    grz_method method;
    for (std::size_t i = 0; grz_method_info(i, &method); i++)
        found.push_back(method);
    return found;
}

/// A grz_device: threads, and OpenGL where it is asked for. Everything else is made with one and keeps it alive.
class device {
  public:
    /// Open a device: all cores, unless the options say otherwise.
    explicit device(const grz_device_options &options = grz_default_device_options())
    {
        grz_device *opened = nullptr;
        detail::call(grz_device_open, &options, &opened);
        handle_.reset(opened);
    }

    grz_device *get() const noexcept { return handle_.get(); } ///< for C functions
    unsigned threads() const noexcept
    {
        return grz_device_threads(handle_.get());
    }                                                                            ///< how many threads a query may use
    const char *name() const noexcept { return grz_device_name(handle_.get()); } ///< "cpu" or "gl"
    const char *simd_name() const noexcept
    {
        return grz_device_simd_name(handle_.get());
    } ///< the registers that queries compute with, such as "avx2"

    /// grz_device_renderer(): what does the drawing. Opens OpenGL if need be.
    grz_renderer renderer() const
    {
        grz_renderer found;
        detail::call(grz_device_renderer, handle_.get(), &found);
        return found;
    }

  private:
    detail::handle<grz_device, grz_device_close> handle_;
};

/// A grz_mesh. Move-only. Objects and scenes borrow it; objects of a scene keep its data alive.
class mesh {
  public:
    /// From any description: polygons, strides, flags.
    mesh(const device &owner, const grz_mesh_description &description)
        : type_(description.position_type), packed_(description.position_stride == 0)
    {
        grz_mesh *made = nullptr;
        detail::call(grz_mesh_create, owner.get(), &description, &made);
        handle_.reset(made);
    }

    /// A triangle soup: x, y, z of each corner, three corners for each triangle.
    mesh(const device &owner, span<float> positions)
        : mesh(owner, soup(positions.data(), GRZ_FLOAT32, positions.size()))
    {
    }
    /// The same in double precision.
    mesh(const device &owner, span<double> positions)
        : mesh(owner, soup(positions.data(), GRZ_FLOAT64, positions.size()))
    {
    }

    /// Triangles: x, y, z of each vertex, and three vertex numbers for each triangle, one triangle at least.
    mesh(const device &owner, span<float> positions, span<std::uint32_t> indices)
        : mesh(owner, triangles(positions.data(), GRZ_FLOAT32, positions.size(), indices))
    {
    }
    /// The same in double precision.
    mesh(const device &owner, span<double> positions, span<std::uint32_t> indices)
        : mesh(owner, triangles(positions.data(), GRZ_FLOAT64, positions.size(), indices))
    {
    }

    /// New positions for all vertices, of the type that the mesh was made with. Needs the mesh alone.
    void set_positions(span<float> positions) { move_vertices(positions.data(), positions.size(), GRZ_FLOAT32); }
    /// The same in double precision.
    void set_positions(span<double> positions) { move_vertices(positions.data(), positions.size(), GRZ_FLOAT64); }

    /// What is in it and what is wrong with it.
    grz_mesh_report check() const
    {
        grz_mesh_report report;
        detail::call(grz_mesh_check, handle_.get(), &report);
        return report;
    }

    /// Whether it has no holes.
    bool closed() const
    {
        bool answer = false;
        detail::call(grz_mesh_is_closed, handle_.get(), &answer);
        return answer;
    }

    /// The rule that GRZ_INSIDE_AUTO stands for with it: GRZ_NONZERO if it meets itself and is wound consistently.
    grz_inside_rule inside_rule() const
    {
        grz_inside_rule answer = GRZ_EVEN_ODD;
        detail::call(grz_mesh_inside_rule, handle_.get(), &answer);
        return answer;
    }

    /// grz_mesh_is_convex(): whether it is a convex solid, or where it is not.
    grz_convex_report convexity() const
    {
        grz_convex_report report;
        detail::call(grz_mesh_is_convex, handle_.get(), &report);
        return report;
    }

    /// Build now what the first query by this method would build. nullptr: the method that is chosen by default.
    void prepare(const char *method = nullptr) const { detail::call(grz_mesh_prepare, handle_.get(), method); }

    /// The mesh at a pose, which borrows it.
    grz_object at(const grz_pose &pose = grz_pose_identity()) const { return grz_object_at(handle_.get(), pose); }

    std::uint64_t vertex_count() const noexcept { return grz_mesh_vertex_count(handle_.get()); } ///< vertices
    std::uint64_t face_count() const noexcept { return grz_mesh_face_count(handle_.get()); }     ///< faces
    std::uint64_t triangle_count() const noexcept
    {
        return grz_mesh_triangle_count(handle_.get());
    } ///< triangles of the faces

    /// The positions, three numbers each. Empty for a mesh in buffers of OpenGL, as the three lists below.
    span<double> positions() const noexcept { return list(grz_mesh_positions(handle_.get()), 3 * vertex_count()); }
    /// The triangles of the faces, three vertex numbers each.
    span<std::uint32_t> triangles() const noexcept
    {
        return list(grz_mesh_triangles(handle_.get()), 3 * triangle_count());
    }
    /// The face of each triangle; empty if every face is a triangle.
    span<std::uint32_t> triangle_faces() const noexcept
    {
        return list(grz_mesh_triangle_faces(handle_.get()), triangle_count());
    }
    /// The vertex numbers of a face; empty if there is none of this number.
    span<std::uint32_t> face(std::uint64_t number) const noexcept
    {
        std::uint32_t count = 0;
        const std::uint32_t *vertices = grz_mesh_face(handle_.get(), number, &count);
        return {vertices, count};
    }

    /// Take over a mesh that a C function made. Its set_positions() throws: it does not know the layout.
    static mesh adopt(grz_mesh *made) noexcept { return mesh(made); }

    grz_mesh *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    explicit mesh(grz_mesh *made) noexcept : handle_(made), type_(GRZ_FLOAT64), packed_(false) {}

    template <class T> static span<T> list(const T *items, std::uint64_t count) noexcept
    {
        return items != nullptr ? span<T>(items, static_cast<std::size_t>(count)) : span<T>();
    }

    static grz_mesh_description soup(const void *positions, grz_scalar type, std::size_t numbers)
    {
        if (numbers % 9 != 0)
            detail::refuse("mesh: a triangle soup has nine numbers for each triangle");
        return grz_mesh_description_from_triangles(positions, type, numbers / 3, nullptr, numbers / 9);
    }

    static grz_mesh_description triangles(const void *positions, grz_scalar type, std::size_t numbers,
                                          span<std::uint32_t> indices)
    {
        if (indices.empty())
            detail::refuse("mesh: the vertex numbers of the triangles are empty");
        if (numbers % 3 != 0 || indices.size() % 3 != 0)
            detail::refuse("mesh: positions and corners of triangles come in threes");
        return grz_mesh_description_from_triangles(positions, type, numbers / 3, indices.data(), indices.size() / 3);
    }

    void move_vertices(const void *positions, std::size_t numbers, grz_scalar type)
    {
        if (type != type_ || !packed_ || numbers % 3 != 0 || numbers / 3 != vertex_count())
            detail::refuse(
                "set positions: need three numbers a vertex, packed, of the type that the mesh was made with");
        detail::call(grz_mesh_set_positions, handle_.get(), positions);
    }

    detail::handle<grz_mesh, grz_mesh_destroy> handle_;
    grz_scalar type_;
    bool packed_;
};

/// A grz_result: a query's answer. Everything read from it is valid until its next query. Move-only.
class result {
  public:
    /// Empty; reused by as many queries as you like.
    explicit result(const device &owner)
    {
        grz_result *made = nullptr;
        detail::call(grz_result_create, owner.get(), &made);
        handle_.reset(made);
    }

    /// The answer in brief; undecided for a result that was moved from.
    const grz_summary &summary() const noexcept
    {
        static const grz_summary none = detail::no_summary();
        const grz_summary *given = grz_result_summary(handle_.get());
        return given != nullptr ? *given : none;
    }
    bool colliding() const noexcept { return summary().colliding; } ///< relation is not GRZ_APART

    span<grz_pair> pairs() const noexcept { return list(grz_result_pairs); }           ///< pairs of touching faces
    span<grz_pair> near_pairs() const noexcept { return list(grz_result_near_pairs); } ///< nearer than the clearance
    span<grz_contact> contacts() const noexcept { return list(grz_result_contacts); }  ///< contacts, sorted by pair
    span<grz_features> features() const noexcept { return list(grz_result_features); } ///< one a point of contact
    span<grz_curve> curves() const noexcept { return list(grz_result_curves); }        ///< contacts joined to curves
    /// Pairs of a scene's objects.
    span<grz_scene_pair> scene_pairs() const noexcept { return list(grz_result_scene_pairs); }
    /// How these lie as solids, in the same order.
    span<grz_pair_solids> scene_solids() const noexcept { return list(grz_result_scene_solids); }
    /// Whether these keep the clearance, in the same order.
    span<grz_pair_clearance> scene_clearances() const noexcept { return list(grz_result_scene_clearances); }
    /// Where a discrete answer found both objects.
    span<grz_collision_box> collision_boxes() const noexcept { return list(grz_result_collision_boxes); }

    /// The points of all contacts, three numbers each.
    span<double> points() const noexcept { return numbers(list(grz_result_points)); }
    /// The points of one contact, three numbers each.
    span<double> points(const grz_contact &contact) const noexcept
    {
        return {points().data() + 3 * contact.first_point, std::size_t(3) * contact.point_count};
    }
    /// The points of one curve, three numbers each.
    span<double> points(const grz_curve &curve) const noexcept
    {
        return {list(grz_result_curve_points).data() + 3 * curve.first_point,
                static_cast<std::size_t>(3 * curve.point_count)};
    }

    /// The statistics of a discrete answer; an exact one has none.
    span<grz_statistic> statistics() const noexcept { return list(grz_result_statistics); }
    /// The statistic of this name, such as "cells"; nothing where there is none.
    std::optional<std::uint64_t> statistic(const char *name) const noexcept
    {
        std::uint64_t value = 0;
        return grz_result_statistic(handle_.get(), name, &value) ? std::optional(value) : std::nullopt;
    }
    grz_result *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    template <class T> span<T> list(const T *(*getter)(const grz_result *, std::uint64_t *)) const noexcept
    {
        std::uint64_t count = 0;
        const T *items = getter(handle_.get(), &count);
        return {items, static_cast<std::size_t>(count)};
    }
    static span<double> numbers(span<double> points) noexcept { return {points.data(), 3 * points.size()}; }

    detail::handle<grz_result, grz_result_destroy> handle_;
};

/// A grz_scene: many objects, which keep their meshes alive. Move-only.
class scene {
  public:
    /// An empty scene.
    explicit scene(const device &owner)
    {
        grz_scene *made = nullptr;
        detail::call(grz_scene_create, owner.get(), &made);
        handle_.reset(made);
    }

    /// Add a copy of an object. @return its number.
    std::uint32_t add(const grz_object &object)
    {
        std::uint32_t id = 0;
        detail::call(grz_scene_add, handle_.get(), &object, &id);
        return id;
    }
    void remove(std::uint32_t id) { detail::call(grz_scene_remove, handle_.get(), id); } ///< take an object out
    /// Move an object.
    void set_pose(std::uint32_t id, const grz_pose &pose)
    {
        detail::call(grz_scene_set_pose, handle_.get(), id, &pose);
    }
    /// Change which objects an object is tested with.
    void set_groups(std::uint32_t id, std::uint32_t group, std::uint32_t mask)
    {
        detail::call(grz_scene_set_groups, handle_.get(), id, group, mask);
    }
    /// Which pairs are asked about at all; nullptr: all. The function must not throw.
    void set_filter(grz_scene_filter *filter, void *user = nullptr)
    {
        detail::call(grz_scene_set_filter, handle_.get(), filter, user);
    }
    /// How near pairs are found; the answers are the same.
    void set_broad_phase(grz_broad_phase broad_phase)
    {
        detail::call(grz_scene_set_broad_phase, handle_.get(), broad_phase);
    }
    /// An object, borrowed until the scene changes; nullptr where there is none of this number.
    const grz_object *object(std::uint32_t id) const noexcept { return grz_scene_object(handle_.get(), id); }
    /// An object's serial number, which no other object of the scene ever has; 0 where there is none of this number.
    std::uint64_t serial(std::uint32_t id) const noexcept { return grz_scene_object_serial(handle_.get(), id); }
    std::uint32_t size() const noexcept { return grz_scene_object_count(handle_.get()); } ///< how many objects
    grz_scene *get() const noexcept { return handle_.get(); }                             ///< for C functions

  private:
    detail::handle<grz_scene, grz_scene_destroy> handle_;
};

/// A grz_scene_events: which pairs of a scene began, stay and ended since the answer before. Move-only. It may outlive
/// its scene, but then takes no more updates.
class scene_events {
  public:
    /// Events of a scene, without pairs.
    explicit scene_events(const scene &of)
    {
        grz_scene_events *made = nullptr;
        detail::call(grz_scene_events_create, of.get(), &made);
        handle_.reset(made);
    }

    /// Compare the scene's newest answer with that of the last update.
    void update(const result &answer) { detail::call(grz_scene_events_update, handle_.get(), answer.get()); }
    /// The pairs of a list, sorted. Borrowed until the next update.
    span<grz_scene_event> pairs(grz_pair_event event, grz_pair_state state = GRZ_PAIR_COLLIDING) const noexcept
    {
        std::uint64_t count = 0;
        const grz_scene_event *first = grz_scene_events_pairs(handle_.get(), state, event, &count);
        return {first, static_cast<std::size_t>(count)};
    }
    grz_scene_events *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_scene_events, grz_scene_events_destroy> handle_;
};

/// grz_collide(): do two objects touch, and where? Into a result that is reused. After an exception its summary says
/// what is known.
inline void collide(const device &on, const grz_object &a, const grz_object &b, result &into,
                    const grz_collide_options &options = grz_default_collide_options())
{
    detail::call(grz_collide, on.get(), &a, &b, &options, into.get());
}

/// The same with a result of its own.
inline result collide(const device &on, const grz_object &a, const grz_object &b,
                      const grz_collide_options &options = grz_default_collide_options())
{
    result made(on);
    collide(on, a, b, made, options);
    return made;
}

/// grz_collide_self(): does a mesh touch itself, and where?
inline void collide_self(const device &on, const grz_object &object, result &into,
                         const grz_collide_options &options = grz_default_collide_options())
{
    detail::call(grz_collide_self, on.get(), &object, &options, into.get());
}

/// The same with a result of its own.
inline result collide_self(const device &on, const grz_object &object,
                           const grz_collide_options &options = grz_default_collide_options())
{
    result made(on);
    collide_self(on, object, made, options);
    return made;
}

/// grz_collide_scene(): which objects of a scene touch, and where? The scene remembers what it can for the next query.
inline void collide(const device &on, scene &among, result &into,
                    const grz_collide_options &options = grz_default_collide_options())
{
    detail::call(grz_collide_scene, on.get(), among.get(), &options, into.get());
}

/// The same with a result of its own.
inline result collide(const device &on, scene &among,
                      const grz_collide_options &options = grz_default_collide_options())
{
    result made(on);
    collide(on, among, made, options);
    return made;
}

/// grz_collide_poses(): one object against a mesh at many poses. @return an answer for each pose, in their order.
inline std::vector<grz_pose_answer> collide_poses(const device &on, const grz_object &a, const mesh &b,
                                                  span<grz_pose> poses,
                                                  const grz_collide_options &options = grz_default_collide_options())
{
    std::vector<grz_pose_answer> answers(poses.size());
    detail::call(grz_collide_poses, on.get(), &a, b.get(), poses.data(), std::uint64_t(poses.size()), &options,
                 answers.data());
    return answers;
}

/// grz_collision_box_in_object(): a box of a discrete answer in the coordinates of an object's mesh.
inline grz_collision_box in_object(const grz_collision_box &box, const grz_object &object)
{
    grz_collision_box moved;
    detail::call(grz_collision_box_in_object, &box, &object, &moved);
    return moved;
}

/// grz_locate_points(): is each point inside, outside or on the surface? Points are x, y, z each, world coordinates.
inline std::vector<grz_location> locate(const device &on, const grz_object &object, span<double> points,
                                        const grz_locate_options &options = grz_default_locate_options())
{
    if (points.size() % 3 != 0)
        detail::refuse("locate: points have three numbers each");
    std::vector<grz_location> locations(points.size() / 3);
    detail::call(grz_locate_points, on.get(), &object, points.data(), std::uint64_t(locations.size()), &options,
                 locations.data());
    return locations;
}

/// grz_ray_through_pixel(): the ray from the eye through a point of a picture, for picking by a cursor.
inline grz_ray ray_through_pixel(const double (&to_pixels)[4][4], double column, double row)
{
    grz_ray ray;
    detail::call(grz_ray_through_pixel, to_pixels, column, row, &ray);
    return ray;
}

/// What rays and regions are asked about: objects in a row, one object, or a scene. Borrowed for the call.
class targets {
  public:
    /// Objects in a row.
    targets(span<grz_object> objects) // NOLINT: implicit
        : targets_(grz_targets_of_objects(objects.data(), detail::count32(objects.size())))
    {
    }
    /// One object.
    targets(const grz_object &object) noexcept : targets_(grz_targets_of_objects(&object, 1)) {} // NOLINT: implicit
    /// The objects of a scene.
    targets(const scene &among) noexcept : targets_(grz_targets_of_scene(among.get())) {} // NOLINT: implicit
    /// From a vector, an array or whatever a span can be made of.
    template <class Container, class = std::enable_if_t<std::is_convertible_v<const Container &, span<grz_object>>>>
    targets(const Container &objects) : targets(span<grz_object>(objects)) // NOLINT: implicit
    {
    }

    grz_targets get() const noexcept { return targets_; } ///< for C functions

  private:
    grz_targets targets_;
};

/// grz_pick(): what each of many rays hits first. @return an answer for each ray, in their order.
inline std::vector<grz_ray_hit> pick(const device &on, const targets &among, span<grz_ray> rays,
                                     const grz_pick_options &options = grz_default_pick_options())
{
    std::vector<grz_ray_hit> hits(rays.size());
    detail::call(grz_pick, on.get(), among.get(), rays.data(), std::uint64_t(rays.size()), &options, hits.data());
    return hits;
}

/// What one ray hits first; nothing if it hits nothing.
inline std::optional<grz_ray_hit> pick_first(const device &on, const targets &among, const grz_ray &ray,
                                             const grz_pick_options &options = grz_default_pick_options())
{
    const grz_ray_hit hit = pick(on, among, span<grz_ray>(&ray, 1), options)[0];
    return hit.face != GRZ_NO_FACE ? std::optional<grz_ray_hit>(hit) : std::nullopt;
}

/// grz_pick_any(): whether each of many rays hits anything. @return an answer for each ray, in their order.
inline std::vector<bool> pick_any(const device &on, const targets &among, span<grz_ray> rays,
                                  const grz_pick_options &options = grz_default_pick_options())
{
    const std::unique_ptr<bool[]> hits(new bool[rays.size()]); // std::vector<bool> has no array of bools
    detail::call(grz_pick_any, on.get(), among.get(), rays.data(), std::uint64_t(rays.size()), &options, hits.get());
    return std::vector<bool>(hits.get(), hits.get() + rays.size());
}

/// grz_pick_all(): all that a ray hits, in order.
inline std::vector<grz_ray_hit> pick_all(const device &on, const targets &among, const grz_ray &ray,
                                         const grz_pick_options &options = grz_default_pick_options())
{
    return detail::list_all<grz_ray_hit>([&](grz_ray_hit *hits, std::uint64_t capacity, std::uint64_t *found) {
        detail::call(grz_pick_all, on.get(), among.get(), &ray, &options, hits, capacity, found);
    });
}

/// grz_pick_boxes(): whose bounding boxes a ray meets, in order. Approximate, on the safe side.
inline std::vector<grz_box_hit> pick_boxes(const device &on, const targets &among, const grz_ray &ray,
                                           const grz_pick_options &options = grz_default_pick_options())
{
    return detail::list_all<grz_box_hit>([&](grz_box_hit *hits, std::uint64_t capacity, std::uint64_t *found) {
        detail::call(grz_pick_boxes, on.get(), among.get(), &ray, &options, hits, capacity, found);
    });
}

/// grz_region_of_pixels(): the region of space that a rectangle of a picture shows.
inline grz_region region_of_pixels(const double (&to_pixels)[4][4], double left, double top, double right,
                                   double bottom)
{
    grz_region region;
    detail::call(grz_region_of_pixels, to_pixels, left, top, right, bottom, &region);
    return region;
}

/// grz_region_pick(): all faces that meet a region, hidden or not.
inline std::vector<grz_region_hit> pick_region(const device &on, const targets &among, const grz_region &region,
                                               const grz_pick_options &options = grz_default_pick_options())
{
    return detail::list_all<grz_region_hit>([&](grz_region_hit *hits, std::uint64_t capacity, std::uint64_t *found) {
        detail::call(grz_region_pick, on.get(), among.get(), &region, &options, hits, capacity, found);
    });
}

/// grz_region_pick_gl(): the same by OpenGL, which draws the objects first; the faces are the same.
inline std::vector<grz_region_hit> pick_region_gl(const device &on, const targets &among, const grz_region &region,
                                                  const grz_pick_options &options = grz_default_pick_options())
{
    return detail::list_all<grz_region_hit>([&](grz_region_hit *hits, std::uint64_t capacity, std::uint64_t *found) {
        detail::call(grz_region_pick_gl, on.get(), among.get(), &region, &options, hits, capacity, found);
    });
}

/// grz_region_join(): one record for all hits with the same first names, as OpenGL's selection mode gave them.
///
/// @param on      whose allocator gives the memory
/// @param hits    of pick_region(), in any order
/// @param paths   the names of each object; a record's names are borrowed from them
/// @param levels  how many names of a path tell records apart
inline std::vector<grz_region_record> join_hits(const device &on, span<grz_region_hit> hits, span<grz_name_path> paths,
                                                std::uint32_t levels)
{
    const std::uint32_t objects = detail::count32(paths.size());
    return detail::list_all<grz_region_record>(
        [&](grz_region_record *records, std::uint64_t capacity, std::uint64_t *found) {
            detail::call(grz_region_join, on.get(), hits.data(), std::uint64_t(hits.size()), paths.data(), objects,
                         levels, records, capacity, found);
        });
}

/// grz_shapes_compare(): how two shapes lie to each other, how far apart or how deep.
inline grz_shape_answer compare(const device &on, const grz_shape &a, const grz_shape &b,
                                const grz_shape_options &options = grz_default_shape_options())
{
    grz_shape_answer answer;
    detail::call(grz_shapes_compare, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// grz_shapes_manifold(): where two shapes touch or penetrate, as up to four points.
inline grz_shape_manifold manifold(const device &on, const grz_shape &a, const grz_shape &b,
                                   const grz_shape_options &options = grz_default_shape_options())
{
    grz_shape_manifold found;
    detail::call(grz_shapes_manifold, on.get(), &a, &b, &options, &found);
    return found;
}

/// grz_shapes_compare_many(): pairs of shapes, each the numbers of its two.
inline std::vector<grz_shape_answer> compare_many(const device &on, span<grz_shape> shapes,
                                                  span<std::array<std::uint32_t, 2>> pairs,
                                                  const grz_shape_options &options = grz_default_shape_options())
{
    static_assert(sizeof(std::array<std::uint32_t, 2>) == 2 * sizeof(std::uint32_t), "no room between pairs");
    std::vector<grz_shape_answer> answers(pairs.size());
    const std::uint32_t *numbers = pairs.empty() ? nullptr : pairs.data()->data();
    detail::call(grz_shapes_compare_many, on.get(), shapes.data(), shapes.size(), numbers, pairs.size(), &options,
                 answers.data());
    return answers;
}

/// grz_shape_compare_object(): how a shape lies to the surface of an object, and which face is nearest.
inline grz_shape_object_answer compare(const device &on, const grz_shape &shape, const grz_object &object,
                                       const grz_shape_options &options = grz_default_shape_options())
{
    grz_shape_object_answer answer;
    detail::call(grz_shape_compare_object, on.get(), &shape, &object, &options, &answer);
    return answer;
}

/// grz_shape_faces(): the faces of an object that a shape touches or penetrates.
inline std::vector<std::uint32_t> faces_touched(const device &on, const grz_shape &shape, const grz_object &object,
                                                const grz_shape_options &options = grz_default_shape_options())
{
    return detail::list_all<std::uint32_t>([&](std::uint32_t *faces, std::uint64_t capacity, std::uint64_t *found) {
        detail::call(grz_shape_faces, on.get(), &shape, &object, &options, faces, capacity, found);
    });
}

} // namespace graze

// The other subjects, which need what is above.
#include <graze/flat.hpp>
#include <graze/level.hpp>
#include <graze/measure.hpp>
#include <graze/picture.hpp>
#include <graze/solids.hpp>

#endif
