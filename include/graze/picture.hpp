// SPDX-License-Identifier: MIT
/// @file
/// Graze for C++17: pictures of objects and their contacts. <graze/graze.hpp> includes this.
#ifndef GRAZE_PICTURE_HPP
#define GRAZE_PICTURE_HPP

#include <graze/graze.hpp>

namespace graze {

/// A picture, and how it was taken.
struct picture {
    std::uint32_t width;              ///< in pixels
    std::uint32_t height;             ///< in pixels
    std::vector<std::uint8_t> pixels; ///< red, green, blue and 255 of each pixel, row after row from the top
    grz_picture_view view;            ///< from where, and how the world is seen
};

/// grz_picture_draw(): objects and the contacts of a query's result. Needs OpenGL.
///
/// @param on       a device with OpenGL
/// @param objects  what is drawn
/// @param shown    nullptr: no contacts
/// @param options  size, view, colours, limits
inline picture draw_picture(const device &on, span<grz_object> objects, const result *shown,
                            const grz_picture_options &options = grz_default_picture_options())
{
    picture made{options.width, options.height, {}, {}};
    made.pixels.resize(std::size_t(4) * options.width * options.height);
    detail::call(grz_picture_draw, on.get(), objects.data(), detail::count32(objects.size()),
                 shown != nullptr ? shown->get() : nullptr, &options, made.pixels.data(), &made.view);
    return made;
}

/// grz_picture_aim(): the view that draw_picture() would have, without drawing.
inline grz_picture_view aim_picture(const device &on, span<grz_object> objects,
                                    const grz_picture_options &options = grz_default_picture_options())
{
    grz_picture_view view;
    detail::call(grz_picture_aim, on.get(), objects.data(), detail::count32(objects.size()), &options, &view);
    return view;
}

} // namespace graze

#endif
