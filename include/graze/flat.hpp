// SPDX-License-Identifier: MIT
/// @file
/// Graze for C++17: points, boxes and segments in the plane. <graze/graze.hpp> includes this.
#ifndef GRAZE_FLAT_HPP
#define GRAZE_FLAT_HPP

#include <graze/graze.hpp>

namespace graze {

/// A grz_flat: a set of items in the plane, to search in. Move-only. Items are made by grz_flat_point(),
/// grz_flat_box() and grz_flat_segment(). Points are arrays of two numbers.
class flat {
  public:
    using point = std::array<double, 2>; ///< x and y

    /// grz_flat_create(): items are numbered in their order.
    explicit flat(const device &owner, span<grz_flat_item> items = {},
                  const grz_flat_options &options = grz_default_flat_options())
    {
        grz_flat *made = nullptr;
        detail::call(grz_flat_create, owner.get(), items.data(), std::uint64_t(items.size()), &options, &made);
        handle_.reset(made);
    }

    std::uint64_t size() const noexcept { return grz_flat_count(get()); } ///< how many items there are

    /// grz_flat_item_at(): an item as it was given; nothing if there is none of this number.
    std::optional<grz_flat_item> item(std::uint32_t number) const noexcept
    {
        grz_flat_item found;
        return grz_flat_item_at(get(), number, &found) ? std::optional(found) : std::nullopt;
    }

    /// grz_flat_add(): put items in. @return their numbers, in their order.
    std::vector<std::uint32_t> add(span<grz_flat_item> items,
                                   const grz_flat_options &options = grz_default_flat_options())
    {
        std::vector<std::uint32_t> numbers(items.size());
        detail::call(grz_flat_add, get(), items.data(), std::uint64_t(items.size()), &options, numbers.data());
        return numbers;
    }

    /// grz_flat_move(): put others in the place of these items.
    void move(span<std::uint32_t> numbers, span<grz_flat_item> items,
              const grz_flat_options &options = grz_default_flat_options())
    {
        if (numbers.size() != items.size())
            detail::refuse("flat: need an item for each number");
        if (!items.empty())
            detail::call(grz_flat_move, get(), numbers.data(), items.data(), std::uint64_t(items.size()), &options);
    }

    /// grz_flat_move(): put others in the place of the first items.
    void move(span<grz_flat_item> items, const grz_flat_options &options = grz_default_flat_options())
    {
        detail::call(grz_flat_move, get(), static_cast<const std::uint32_t *>(nullptr), items.data(),
                     std::uint64_t(items.size()), &options);
    }

    /// grz_flat_remove(): take items out.
    void remove(span<std::uint32_t> numbers, const grz_flat_options &options = grz_default_flat_options())
    {
        detail::call(grz_flat_remove, get(), numbers.data(), std::uint64_t(numbers.size()), &options);
    }

    /// grz_flat_pairs(): all pairs of items that have a point in common.
    std::vector<grz_flat_pair> pairs(const grz_flat_options &options = grz_default_flat_options()) const
    {
        return detail::list_all<grz_flat_pair>([&](grz_flat_pair *found, std::uint64_t capacity, std::uint64_t *count) {
            detail::call(grz_flat_pairs, get(), &options, found, capacity, count);
        });
    }

    /// grz_flat_in_box(): all items that have a point in common with a box.
    std::vector<std::uint32_t> in_box(const point &min, const point &max,
                                      const grz_flat_options &options = grz_default_flat_options()) const
    {
        return detail::list_all<std::uint32_t>(
            [&](std::uint32_t *numbers, std::uint64_t capacity, std::uint64_t *count) {
                detail::call(grz_flat_in_box, get(), min.data(), max.data(), &options, numbers, capacity, count);
            });
    }

    /// grz_flat_in_circle(): all items whose distance from a point is at most a radius.
    std::vector<std::uint32_t> in_circle(const point &centre, double radius,
                                         const grz_flat_options &options = grz_default_flat_options()) const
    {
        return detail::list_all<std::uint32_t>(
            [&](std::uint32_t *numbers, std::uint64_t capacity, std::uint64_t *count) {
                detail::call(grz_flat_in_circle, get(), centre.data(), radius, &options, numbers, capacity, count);
            });
    }

    /// grz_flat_nearest(): the nearest item for each of many points, in their order.
    std::vector<grz_flat_near> nearest(span<point> points,
                                       const grz_flat_options &options = grz_default_flat_options()) const
    {
        std::vector<grz_flat_near> answers(points.size());
        const double *numbers = points.empty() ? nullptr : points.data()->data();
        detail::call(grz_flat_nearest, get(), numbers, std::uint64_t(points.size()), &options, answers.data());
        return answers;
    }

    /// grz_flat_first_hits(): what each of many rays meets first, in their order.
    std::vector<grz_flat_hit> first_hits(span<grz_flat_ray> rays,
                                         const grz_flat_options &options = grz_default_flat_options()) const
    {
        std::vector<grz_flat_hit> hits(rays.size());
        detail::call(grz_flat_first_hits, get(), rays.data(), std::uint64_t(rays.size()), &options, hits.data());
        return hits;
    }

    /// grz_flat_all_hits(): all items that a ray meets, in their order along it.
    std::vector<grz_flat_hit> all_hits(const grz_flat_ray &ray,
                                       const grz_flat_options &options = grz_default_flat_options()) const
    {
        return detail::list_all<grz_flat_hit>([&](grz_flat_hit *hits, std::uint64_t capacity, std::uint64_t *count) {
            detail::call(grz_flat_all_hits, get(), &ray, &options, hits, capacity, count);
        });
    }

    grz_flat *get() const noexcept { return handle_.get(); } ///< for C functions, and grz_mover_options::ground

  private:
    detail::handle<grz_flat, grz_flat_destroy> handle_;
};

} // namespace graze

#endif
