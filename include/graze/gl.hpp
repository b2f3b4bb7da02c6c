// SPDX-License-Identifier: MIT
/// @file
/// Graze with OpenGL for C++17: <graze/graze.hpp>, and what <graze/gl.h> has: meshes in buffers, captured triangles,
/// height maps, particles, pictures to pick from, and what the image-space methods offer beside collide().
///
/// Callbacks are C functions, because C code calls them: they must not throw.
#ifndef GRAZE_GL_HPP
#define GRAZE_GL_HPP

#include <graze/gl.h>
#include <graze/graze.hpp>

namespace graze {

/// grz_mesh_create_gl(): a mesh whose positions stay in a buffer of OpenGL. Its set_positions() throws.
inline mesh mesh_in_buffers(const device &owner, const grz_gl_mesh_description &description)
{
    grz_mesh *made = nullptr;
    detail::call(grz_mesh_create_gl, owner.get(), &description, &made);
    return mesh::adopt(made);
}

/// grz_mesh_gl_changed(): say that the positions in the buffer are new ones.
inline void buffers_changed(mesh &changed)
{
    detail::call(grz_mesh_gl_changed, changed.get());
}

/// A grz_capture: the triangles that a callback draws, as a mesh. Move-only.
class capture {
  public:
    /// Without triangles yet.
    explicit capture(const device &owner, const grz_capture_options &options = grz_default_capture_options())
    {
        grz_capture *made = nullptr;
        detail::call(grz_capture_create, owner.get(), &options, &made);
        handle_.reset(made);
    }

    /// Capture what a callback draws, between grz_capture_begin() and grz_capture_end() with the capture it is given.
    void draw(grz_capture_callback callback, void *user = nullptr)
    {
        detail::call(grz_capture_draw, handle_.get(), callback, user);
    }

    /// How many triangles there are.
    std::uint64_t triangle_count() const noexcept { return grz_capture_triangle_count(handle_.get()); }
    /// The captured mesh, which this owns; nullptr before the first draw.
    const grz_mesh *borrowed_mesh() const noexcept { return grz_capture_mesh(handle_.get()); }
    /// The captured mesh at a pose, for queries.
    grz_object at(const grz_pose &pose = grz_pose_identity()) const { return grz_object_at(borrowed_mesh(), pose); }
    grz_capture *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_capture, grz_capture_destroy> handle_;
};

/// A grz_heightmap: maps of an object's mesh, to compare with its environment. Move-only.
class heightmap {
  public:
    /// Of a mesh.
    heightmap(const device &owner, const mesh &of,
              const grz_heightmap_options &options = grz_default_heightmap_options())
    {
        grz_heightmap *made = nullptr;
        detail::call(grz_heightmap_create, owner.get(), of.get(), &options, &made);
        handle_.reset(made);
    }

    /// grz_heightmap_collide(): does the object, whose mesh is that of the maps, touch its environment? Discrete.
    grz_heightmap_answer collide(const grz_object &object, const grz_environment &environment)
    {
        grz_heightmap_answer answer;
        detail::call(grz_heightmap_collide, handle_.get(), &object, &environment, &answer);
        return answer;
    }

    /// The pixels that hit in the last call, if the environment asked for them; borrowed until the next one.
    span<grz_height_contact> contacts() const noexcept
    {
        std::uint64_t count = 0;
        const grz_height_contact *items = grz_heightmap_contacts(handle_.get(), &count);
        return {items, static_cast<std::size_t>(count)};
    }

    /// The pictures of the last call in OpenGL; nothing before the first one.
    std::optional<grz_heightmap_images> images() const noexcept
    {
        grz_heightmap_images found;
        return grz_heightmap_images_of(handle_.get(), &found) ? std::optional(found) : std::nullopt;
    }

    grz_heightmap *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_heightmap, grz_heightmap_destroy> handle_;
};

/// A grz_particle_map: what particles bounce off. Move-only.
class particle_map {
  public:
    /// Nothing is drawn yet. The options need the box: `half`.
    particle_map(const device &owner, const grz_particle_map_options &options)
    {
        grz_particle_map *made = nullptr;
        detail::call(grz_particle_map_create, owner.get(), &options, &made);
        handle_.reset(made);
    }

    /// grz_particle_map_draw(): draw the surroundings.
    void draw(const grz_environment &environment) { detail::call(grz_particle_map_draw, handle_.get(), &environment); }

    /// grz_particle_map_step(): move particles, in memory or in a buffer.
    grz_particle_answer step(const grz_particle_array &particles,
                             const grz_particle_step &options = grz_default_particle_step())
    {
        grz_particle_answer answer;
        detail::call(grz_particle_map_step, handle_.get(), &particles, &options, &answer);
        return answer;
    }

    /// The hits of the last step, if it was to list some; borrowed until the next one.
    span<grz_particle_hit> hits() const noexcept
    {
        std::uint64_t count = 0;
        const grz_particle_hit *items = grz_particle_map_hits(handle_.get(), &count);
        return {items, static_cast<std::size_t>(count)};
    }

    /// How many pixels had more surfaces than layers in the last drawing.
    std::uint64_t overfull() const noexcept { return grz_particle_map_overfull(handle_.get()); }

    /// The buffers of the map in OpenGL; nothing before the first drawing.
    std::optional<grz_particle_map_buffers> buffers() const noexcept
    {
        grz_particle_map_buffers found;
        return grz_particle_map_buffers_of(handle_.get(), &found) ? std::optional(found) : std::nullopt;
    }

    grz_particle_map *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_particle_map, grz_particle_map_destroy> handle_;
};

/// grz_pick_image_discrete(): what is seen in each pixel of a picture, row after row from the top.
inline std::vector<grz_pick_pixel> pick_image(const device &on, const targets &among, const double (&to_pixels)[4][4],
                                              std::uint32_t width, std::uint32_t height,
                                              const grz_pick_options &options = grz_default_pick_options())
{
    std::vector<grz_pick_pixel> pixels(std::size_t(width) * height);
    detail::call(grz_pick_image_discrete, on.get(), among.get(), to_pixels, width, height, &options, pixels.data());
    return pixels;
}

/// grz_layers_overlap_volume(): the volume that two solids have in common, estimated from a picture.
inline grz_layers_volume
layers_overlap_volume(const device &on, const grz_object &a, const grz_object &b,
                      const grz_layers_volume_options &options = grz_default_layers_volume_options())
{
    grz_layers_volume answer;
    detail::call(grz_layers_overlap_volume, on.get(), &a, &b, &options, &answer);
    return answer;
}

/// grz_slices_path(): do two meshes collide that go through as many poses each, and at which step first?
inline grz_slices_path_answer
slices_path(const device &on, const mesh &a, span<grz_pose> poses_a, const mesh &b, span<grz_pose> poses_b,
            const grz_slices_options &options = grz_default_slices_options(GRZ_SLICES_BALANCED))
{
    if (poses_a.size() != poses_b.size())
        detail::refuse("slices path: the two meshes need as many poses");
    grz_slices_path_answer answer;
    detail::call(grz_slices_path, on.get(), a.get(), poses_a.data(), b.get(), poses_b.data(),
                 std::uint64_t(poses_a.size()), &options, &answer);
    return answer;
}

} // namespace graze

#endif
