// SPDX-License-Identifier: MIT
/// @file
/// The second library, libgraze_io, for C++17: models and robots from files, and pictures to files. On top of
/// <graze/io.h> and <graze/io_robot.h>, whose plain structures are used as they are; link libgraze_io as well.
#ifndef GRAZE_IO_HPP
#define GRAZE_IO_HPP

#include <graze/graze.hpp>
#include <graze/io_robot.h>

/// Files.
namespace graze::io {

/// grz_io_format_info(): the formats that can be read.
inline std::vector<grz_io_format> formats()
{
    std::vector<grz_io_format> found;
    grz_io_format format;
    for (std::size_t i = 0; grz_io_format_info(i, &format); i++)
        found.push_back(format);
    return found;
}

/// The answer of detect().
struct detected {
    const char *format;       ///< its name, static text; nullptr where none fits
    grz_io_evidence evidence; ///< what speaks for it
};

/// grz_io_detect(): the format of a file, by its bytes and its name.
inline detected detect(const char *name, span<unsigned char> bytes) noexcept
{
    detected answer{nullptr, GRZ_IO_UNKNOWN};
    answer.format = grz_io_detect(name, bytes.data(), bytes.size(), &answer.evidence);
    return answer;
}

/// grz_io_unread(): what a file is that is of a known format and not read, and what to do; empty where it is of none.
inline std::string unread(const char *name, span<unsigned char> bytes)
{
    char reason[512] = "";
    grz_io_unread(name, bytes.data(), bytes.size(), reason, sizeof reason);
    return reason;
}

/// grz_io_unit_name(): "mm", or "0.0035 m"; empty for 0.
inline std::string unit_name(double unit_in_metres)
{
    char name[GRZ_IO_UNIT_NAME_SIZE];
    grz_io_unit_name(unit_in_metres, name);
    return name;
}

/// grz_io_find_unit(): a unit in metres, by its name.
inline std::optional<double> find_unit(const char *name) noexcept
{
    double metres = 0;
    return grz_io_find_unit(name, &metres) ? std::optional(metres) : std::nullopt;
}

/// grz_io_convert_lengths(): in place, from one unit to another, both in metres.
inline void convert_lengths(double *lengths, std::size_t count, double from, double to)
{
    detail::call(grz_io_convert_lengths, lengths, std::uint64_t(count), from, to);
}

/// grz_io_describe_conversion(): in words.
inline std::string describe_conversion(double from, double to)
{
    char text[GRZ_IO_CONVERSION_SIZE];
    grz_io_describe_conversion(from, to, text);
    return text;
}

/// A grz_io_file: the bytes of a file. Move-only.
class file {
  public:
    /// grz_io_file_open(): map a file, or read a pipe to its end.
    explicit file(const std::string &path, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_file *made = nullptr;
        detail::call(grz_io_file_open, path.c_str(), &options, &made);
        handle_.reset(made);
    }

    /// grz_io_file_open_descriptor(): the same from an open descriptor; 0 is standard input.
    file(int descriptor, const char *name, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_file *made = nullptr;
        detail::call(grz_io_file_open_descriptor, descriptor, name, &options, &made);
        handle_.reset(made);
    }

    /// What it holds; empty if it was moved from.
    span<unsigned char> bytes() const noexcept
    {
        return handle_ ? span<unsigned char>(handle_->bytes, handle_->size) : span<unsigned char>();
    }
    bool mapped() const noexcept { return handle_ && handle_->mapped; } ///< false: collected from a pipe
    grz_io_file *get() const noexcept { return handle_.get(); }         ///< for C functions

  private:
    detail::handle<grz_io_file, grz_io_file_close> handle_;
};

/// A grz_io_model: what was read from a file. Move-only; its cutters keep it alive.
class model {
  public:
    /// grz_io_load_file(): from a file.
    explicit model(const std::string &path, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_model *made = nullptr;
        detail::call(grz_io_load_file, path.c_str(), &options, &made);
        handle_.reset(made, grz_io_model_destroy);
    }

    /// grz_io_load_memory(): from what a file holds. The name's extension counts.
    model(const char *name, span<unsigned char> bytes, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_model *made = nullptr;
        const void *first = bytes.data();
        detail::call(grz_io_load_memory, name, first, bytes.size(), &options, &made);
        handle_.reset(made, grz_io_model_destroy);
    }

    /// grz_io_shape_model(): the closed mesh of a robot's box, sphere, cylinder or capsule.
    explicit model(const grz_io_collision &shape, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_model *made = nullptr;
        detail::call(grz_io_shape_model, &shape, &options, &made);
        handle_.reset(made, grz_io_model_destroy);
    }

    model(model &&) noexcept = default;            ///< leaves it without a model
    model &operator=(model &&) noexcept = default; ///< leaves it without a model

    const grz_io_model *operator->() const noexcept { return handle_.get(); } ///< what was read

    /// The positions, three numbers each, which the caller may change in place.
    double *positions() noexcept { return handle_->positions; }

    /// The parts that the file names.
    span<grz_io_part> parts() const noexcept { return {handle_->parts, handle_->part_count}; }
    /// What was skipped or read in an unusual way.
    span<const char *> notes() const noexcept { return {handle_->notes, handle_->note_count}; }

    /// grz_io_describe(): all of it, for graze::mesh. The description borrows the model.
    grz_mesh_description describe(grz_mesh_description description = grz_default_mesh_description()) const
    {
        detail::call(grz_io_describe, get(), &description);
        return description;
    }

    /// grz_io_model_convert(): to another unit, in metres.
    void convert(double unit_in_metres) { detail::call(grz_io_model_convert, handle_.get(), unit_in_metres); }

    const grz_io_model *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    friend class cutter;
    std::shared_ptr<grz_io_model> handle_;
};

/// A grz_io_cutter: cuts parts out of a model. Move-only.
class cutter {
  public:
    /// Of a model.
    explicit cutter(const model &of) : model_(of.handle_)
    {
        grz_io_cutter *made = nullptr;
        detail::call(grz_io_cutter_create, of.get(), &made);
        handle_.reset(made);
    }

    cutter(cutter &&) noexcept = default; ///< leaves it without a cutter
    /// Leaves the other one without a cutter.
    cutter &operator=(cutter &&other) noexcept
    {
        handle_ = std::move(other.handle_); // first: a cutter is destroyed before its model
        model_ = std::move(other.model_);
        return *this;
    }

    /// grz_io_cutter_cut(): one part, for graze::mesh. The description borrows the cutter until the next cut.
    grz_mesh_description cut(std::size_t part, grz_mesh_description description = grz_default_mesh_description())
    {
        detail::call(grz_io_cutter_cut, handle_.get(), part, &description);
        return description;
    }

    grz_io_cutter *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    std::shared_ptr<grz_io_model> model_; // destroyed after the cutter
    detail::handle<grz_io_cutter, grz_io_cutter_destroy> handle_;
};

/// A grz_io_robot: a robot that was read from URDF. Move-only.
class robot {
  public:
    /// grz_io_robot_load_file(): from a file.
    explicit robot(const std::string &path, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_robot *made = nullptr;
        detail::call(grz_io_robot_load_file, path.c_str(), &options, &made);
        handle_.reset(made);
    }

    /// grz_io_robot_load_memory(): from what a file holds. Messages begin with the name.
    robot(const char *name, span<unsigned char> bytes, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_robot *made = nullptr;
        const void *first = bytes.data();
        detail::call(grz_io_robot_load_memory, name, first, bytes.size(), &options, &made);
        handle_.reset(made);
    }

    const grz_io_robot *operator->() const noexcept { return handle_.get(); } ///< what was read

    span<grz_io_link> links() const noexcept { return {handle_->links, handle_->link_count}; }     ///< as in the file
    span<grz_io_joint> joints() const noexcept { return {handle_->joints, handle_->joint_count}; } ///< as in the file
    /// The collision shapes, link after link.
    span<grz_io_collision> collisions() const noexcept { return {handle_->collisions, handle_->collision_count}; }
    /// What was left out or read in an unusual way.
    span<const char *> notes() const noexcept { return {handle_->notes, handle_->note_count}; }

    /// grz_io_robot_place(): where each link is. The values are as many as the joints; followers' are written back.
    std::vector<grz_io_frame> place(std::vector<double> &values) const
    {
        if (values.size() != handle_->joint_count)
            detail::refuse("place robot: need a value for each joint");
        std::vector<grz_io_frame> frames(handle_->link_count);
        detail::call(grz_io_robot_place, get(), values.data(), frames.data());
        return frames;
    }

    const grz_io_robot *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_io_robot, grz_io_robot_destroy> handle_;
};

/// grz_io_robot_find_mesh(): the path of a mesh that a robot's file names.
inline std::string find_mesh(const std::string &robot_path, const std::string &mesh, span<grz_io_package> packages = {},
                             std::size_t *used = nullptr)
{
    std::string path(4096, '\0');
    detail::call(grz_io_robot_find_mesh, robot_path.c_str(), mesh.c_str(), packages.data(), packages.size(), &path[0],
                 path.size(), used);
    path.resize(path.find('\0'));
    return path;
}

/// A grz_io_srdf: the pairs of links that need no test. Move-only.
class srdf {
  public:
    /// grz_io_srdf_load_file(): from a file.
    explicit srdf(const std::string &path, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_srdf *made = nullptr;
        detail::call(grz_io_srdf_load_file, path.c_str(), &options, &made);
        handle_.reset(made);
    }

    /// grz_io_srdf_load_memory(): from what a file holds. Messages begin with the name.
    srdf(const char *name, span<unsigned char> bytes, const grz_io_options &options = grz_io_default_options())
    {
        grz_io_srdf *made = nullptr;
        const void *first = bytes.data();
        detail::call(grz_io_srdf_load_memory, name, first, bytes.size(), &options, &made);
        handle_.reset(made);
    }

    /// The pairs, in the order of the file.
    span<grz_io_disabled_pair> disabled() const noexcept { return {handle_->disabled, handle_->disabled_count}; }
    const char *name() const noexcept { return handle_->name; }       ///< of the robot; "" where the file gives none
    const grz_io_srdf *get() const noexcept { return handle_.get(); } ///< for C functions

  private:
    detail::handle<grz_io_srdf, grz_io_srdf_destroy> handle_;
};

/// grz_io_write_png(): write a picture, four bytes a pixel. A file of that name is replaced.
inline void write_png(const std::string &path, std::uint32_t width, std::uint32_t height, span<std::uint8_t> pixels)
{
    if (pixels.size() / 4 / (width != 0 ? width : 1) < height)
        detail::refuse("write PNG: need four bytes a pixel");
    detail::call(grz_io_write_png, path.c_str(), width, height, pixels.data());
}

/// The same of a picture that was drawn.
inline void write_png(const std::string &path, const picture &drawn)
{
    write_png(path, drawn.width, drawn.height, drawn.pixels);
}

} // namespace graze::io

#endif
