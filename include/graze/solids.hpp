// SPDX-License-Identifier: MIT
/// @file
/// Graze for C++17: convex hulls, shapes around them, convex parts, directions of projection. <graze/graze.hpp>
/// includes this.
#ifndef GRAZE_SOLIDS_HPP
#define GRAZE_SOLIDS_HPP

#include <graze/graze.hpp>

namespace graze {

/// A grz_hull: a convex hull, which never changes. Copies share it.
class hull {
  public:
    /// grz_hull_of_points(): of points, x, y, z each.
    hull(const device &owner, span<double> points, const grz_hull_options &options = grz_default_hull_options())
    {
        const std::uint64_t count = points.size() / 3;
        if (points.size() % 3 != 0)
            detail::refuse("hull: points have three numbers each");
        grz_hull *made = nullptr;
        detail::call(grz_hull_of_points, owner.get(), points.data(), count, &options, &made);
        handle_ = owned(made);
    }

    /// grz_hull_of_mesh(): of the vertices that a mesh's faces use.
    explicit hull(const mesh &of, const grz_hull_options &options = grz_default_hull_options())
    {
        grz_hull *made = nullptr;
        detail::call(grz_hull_of_mesh, of.get(), &options, &made);
        handle_ = owned(made);
    }

    /// grz_fitted_dop_hull(): the solid that a k-DOP is.
    hull(const device &owner, const grz_fitted_dop &dop)
    {
        grz_hull *made = nullptr;
        detail::call(grz_fitted_dop_hull, owner.get(), &dop, &made);
        handle_ = owned(made);
    }

    int dimension() const noexcept { return grz_hull_dimension(get()); } ///< 3: volume, 2: flat, 1: a line, 0: a point
    std::uint32_t vertex_count() const noexcept { return grz_hull_vertex_count(get()); } ///< corners
    std::uint32_t face_count() const noexcept { return grz_hull_face_count(get()); }     ///< polygons

    /// The corners, three numbers each.
    span<double> vertices() const noexcept { return {grz_hull_vertices(get()), std::size_t(3) * vertex_count()}; }
    /// For each corner the lowest point, or vertex of the mesh, at its position.
    span<std::uint32_t> points() const noexcept { return {grz_hull_points(get()), vertex_count()}; }
    /// The corners of a face, counter-clockwise from outside; empty if there is none of this number.
    span<std::uint32_t> face(std::uint32_t number) const noexcept
    {
        std::uint32_t count = 0;
        const std::uint32_t *corners = grz_hull_face(get(), number, &count);
        return corners != nullptr ? span<std::uint32_t>(corners, count) : span<std::uint32_t>();
    }
    /// The faces cut into triangles, three corners each.
    span<std::uint32_t> triangles() const noexcept
    {
        std::uint32_t count = 0;
        const std::uint32_t *corners = grz_hull_triangles(get(), &count);
        return corners != nullptr ? span<std::uint32_t>(corners, std::size_t(3) * count) : span<std::uint32_t>();
    }

    /// grz_hull_volume(): its volume, to some 1e-12.
    double volume() const
    {
        double found = 0;
        detail::call(grz_hull_volume, get(), &found);
        return found;
    }

    /// grz_hull_mesh(): a mesh whose faces are the hull's polygons.
    mesh to_mesh() const
    {
        grz_mesh *made = nullptr;
        detail::call(grz_hull_mesh, get(), &made);
        return mesh::adopt(made);
    }

    const grz_hull *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    friend class convex_parts;
    explicit hull(std::shared_ptr<const grz_hull> shared) noexcept : handle_(std::move(shared)) {}
    static std::shared_ptr<const grz_hull> owned(grz_hull *made) { return {made, grz_hull_destroy}; }

    std::shared_ptr<const grz_hull> handle_;
};

/// grz_fit_sphere(): the smallest ball around a hull.
inline grz_fitted_shape fit_sphere(const hull &around, const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_shape shape;
    detail::call(grz_fit_sphere, around.get(), &options, &shape);
    return shape;
}

/// grz_fit_capsule(): a small capsule around a hull.
inline grz_fitted_shape fit_capsule(const hull &around, const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_shape shape;
    detail::call(grz_fit_capsule, around.get(), &options, &shape);
    return shape;
}

/// grz_fit_box(): the box along the axes around a hull.
inline grz_fitted_shape fit_box(const hull &around, const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_shape shape;
    detail::call(grz_fit_box, around.get(), &options, &shape);
    return shape;
}

/// grz_fit_oriented_box(): a small box around a hull, turned as it suits.
inline grz_fitted_shape fit_oriented_box(const hull &around,
                                         const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_shape shape;
    detail::call(grz_fit_oriented_box, around.get(), &options, &shape);
    return shape;
}

/// grz_fit_cylinder(): a small cylinder around a hull.
inline grz_fitted_shape fit_cylinder(const hull &around, const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_shape shape;
    detail::call(grz_fit_cylinder, around.get(), &options, &shape);
    return shape;
}

/// grz_fit_ellipsoid(): an ellipsoid of about the least volume around a hull.
inline grz_fitted_shape fit_ellipsoid(const hull &around, const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_shape shape;
    detail::call(grz_fit_ellipsoid, around.get(), &options, &shape);
    return shape;
}

/// grz_fit_dop(): the k-DOP around a hull.
inline grz_fitted_dop fit_dop(const hull &around, std::uint32_t k,
                              const grz_hull_options &options = grz_default_hull_options())
{
    grz_fitted_dop dop;
    detail::call(grz_fit_dop, around.get(), k, &options, &dop);
    return dop;
}

/// A grz_convex_parts: a solid cut into convex parts, or covered by some. Copies share it, and its hulls keep it alive.
class convex_parts {
  public:
    /// grz_convex_parts_of_mesh(): cut it exactly.
    explicit convex_parts(const mesh &of, const grz_convex_parts_options &options = grz_default_convex_parts_options())
    {
        grz_convex_parts *made = nullptr;
        detail::call(grz_convex_parts_of_mesh, of.get(), &options, &made);
        handle_.reset(made, grz_convex_parts_destroy);
    }

    /// grz_convex_cover_of_mesh(): cover it by few parts, which may stand out of it a little.
    convex_parts(const mesh &of, const grz_convex_cover_options &options)
    {
        grz_convex_parts *made = nullptr;
        detail::call(grz_convex_cover_of_mesh, of.get(), &options, &made);
        handle_.reset(made, grz_convex_parts_destroy);
    }

    std::uint32_t size() const noexcept { return grz_convex_parts_count(get()); } ///< how many parts

    /// grz_convex_part_hull(): a part; throws if there is none of this number.
    hull part(std::uint32_t number) const
    {
        const grz_hull *found = grz_convex_part_hull(get(), number);
        if (found == nullptr)
            detail::refuse("convex parts: there is no part of this number");
        return hull(std::shared_ptr<const grz_hull>(handle_, found));
    }

    /// grz_convex_parts_rounding(): how far rounding has moved corners, at most.
    double rounding() const noexcept { return grz_convex_parts_rounding(get()); }

    /// grz_convex_part_error(): how far a part of a cover stands out of the solid, lower and upper bound; nothing for
    /// a part that is not of a cover.
    std::optional<std::array<double, 2>> error_of(std::uint32_t number) const noexcept
    {
        std::array<double, 2> bounds{};
        return grz_convex_part_error(get(), number, &bounds[0], &bounds[1]) ? std::optional(bounds) : std::nullopt;
    }

    const grz_convex_parts *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    std::shared_ptr<grz_convex_parts> handle_;
};

/// A grz_mesh_shells: the shells of a mesh, and the parts that they make. Move-only.
class mesh_shells {
  public:
    /// grz_mesh_shells_find(): of a mesh at its current positions.
    explicit mesh_shells(const mesh &of, const grz_mesh_shells_options &options = grz_default_mesh_shells_options())
        : face_count_(of.face_count())
    {
        grz_mesh_shells *made = nullptr;
        detail::call(grz_mesh_shells_find, of.get(), &options, &made);
        handle_.reset(made);
    }

    std::uint32_t size() const noexcept { return grz_mesh_shells_count(get()); }            ///< how many shells
    std::uint32_t part_count() const noexcept { return grz_mesh_shells_part_count(get()); } ///< how many parts

    /// grz_mesh_shells_describe(): a shell; nothing if there is none of this number.
    std::optional<grz_mesh_shell> describe(std::uint32_t number) const noexcept
    {
        grz_mesh_shell shell{};
        return grz_mesh_shells_describe(get(), number, &shell) ? std::optional(shell) : std::nullopt;
    }

    /// grz_mesh_shells_of_faces(): the shell of each face.
    span<std::uint32_t> of_faces() const noexcept
    {
        return span<std::uint32_t>(grz_mesh_shells_of_faces(get()), std::size_t(face_count_));
    }

    /// grz_mesh_shells_part_faces(): the faces of a part; none if there is no such part.
    span<std::uint32_t> part_faces(std::uint32_t part) const noexcept
    {
        std::uint64_t count = 0;
        const std::uint32_t *faces = grz_mesh_shells_part_faces(get(), part, &count);
        return span<std::uint32_t>(faces, std::size_t(count));
    }

    /// grz_mesh_shells_cut(): a mesh of a part.
    mesh cut(const mesh &whole, std::uint32_t part)
    {
        grz_mesh *made = nullptr;
        detail::call(grz_mesh_shells_cut, handle_.get(), whole.get(), part, &made);
        return mesh::adopt(made);
    }

    const grz_mesh_shells *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_mesh_shells, grz_mesh_shells_destroy> handle_;
    std::uint64_t face_count_ = 0;
};

/// A grz_projections: directions from which height maps show all of a surface. Move-only.
class projections {
  public:
    /// grz_projections_find(): of one mesh.
    projections(const device &owner, const mesh &of,
                const grz_projections_options &options = grz_default_projections_options())
    {
        const grz_mesh *only = of.get();
        find(owner, span<const grz_mesh *>(&only, 1), options);
    }

    /// Of one mesh in several poses of its vertices: meshes with the same faces.
    projections(const device &owner, span<const grz_mesh *> poses,
                const grz_projections_options &options = grz_default_projections_options())
    {
        find(owner, poses, options);
    }

    /// grz_projections_summary_of(): the numbers; zeros if it was moved from.
    grz_projections_summary summary() const noexcept
    {
        grz_projections_summary found;
        grz_projections_summary_of(get(), &found);
        return found;
    }

    /// grz_projections_part_of(): a part, borrowed from this; nothing if there is none of this number.
    std::optional<grz_projections_part> part(std::uint32_t number) const noexcept
    {
        grz_projections_part found;
        return grz_projections_part_of(get(), number, &found) ? std::optional(found) : std::nullopt;
    }

    /// grz_projections_pose_of(): how much of one pose is covered.
    std::optional<grz_coverage> pose(std::uint32_t number) const noexcept
    {
        grz_coverage found;
        return grz_projections_pose_of(get(), number, &found) ? std::optional(found) : std::nullopt;
    }

    /// grz_projections_positions(): the positions of a part's vertices in a pose, three numbers each.
    std::vector<double> positions(std::uint32_t number, const mesh &of) const
    {
        const std::optional<grz_projections_part> found = part(number);
        if (!found)
            detail::refuse("projections: there is no part of this number");
        std::vector<double> numbers(3 * static_cast<std::size_t>(found->vertex_count));
        detail::call(grz_projections_positions, get(), number, of.get(), numbers.data());
        return numbers;
    }

    /// grz_projections_heightmap(): set a height map (<graze/heightmap.h>) to one direction of a part.
    /// @return whether there is such a direction.
    bool set_heightmap(std::uint32_t number, std::uint32_t direction, grz_heightmap_options &options) const noexcept
    {
        return grz_projections_heightmap(get(), number, direction, &options);
    }

    const grz_projections *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    void find(const device &owner, span<const grz_mesh *> poses, const grz_projections_options &options)
    {
        grz_projections *made = nullptr;
        detail::call(grz_projections_find, owner.get(), poses.data(), detail::count32(poses.size()), &options, &made);
        handle_.reset(made);
    }

    detail::handle<grz_projections, grz_projections_destroy> handle_;
};

} // namespace graze

#endif
