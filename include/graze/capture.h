// SPDX-License-Identifier: MIT
/// @file
/// Meshes of the triangles that an application's shaders make: tessellated surfaces, output of geometry shaders,
/// instances, buffers that compute shaders write. Transform feedback captures them while a callback draws. The
/// triangles stay on the GPU, as a mesh that every query takes, so what a callback draws gets an exact answer, too.
///
/// The application's shader writes the world position of each vertex into a varying, and its program is linked so that
/// this is captured:
///
/// @code
/// // in the last shader before the rasterizer: out vec3 grz_position;
/// const char *varying = "grz_position";
/// glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
/// glLinkProgram(program);
///
/// static grz_status draw_level(void *user, grz_capture *capture)
/// {
///     glUseProgram(program);
///     glBindVertexArray(vertices);
///     grz_capture_begin(capture, NULL);
///     glDrawArraysInstanced(GL_PATCHES, 0, count, instances);
///     return grz_capture_end(capture, NULL);
/// }
///
/// status = grz_capture_draw(capture, draw_level, &level, &error);
/// grz_object object = grz_object_at_origin(grz_capture_mesh(capture));
/// status = grz_collide(device, &ship, &object, NULL, result, &error);
/// @endcode
///
/// Exact means exact for the floats that were captured: what the shaders computed, as this device rounds.
#ifndef GRAZE_CAPTURE_H
#define GRAZE_CAPTURE_H

#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a callback draws, as a mesh in a buffer of the library's own on the GPU.
///
/// Thread-safety: one thread at a time, as for everything that uses OpenGL (grz_device).
typedef struct grz_capture grz_capture;

/// Options of grz_capture_create(). Start from grz_default_capture_options().
typedef struct grz_capture_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    /// Name of the varying that holds a vertex's position, a vec3 or a vec4 whose w is ignored; copied. NULL:
    /// "grz_position". Programs may capture more than that, into one buffer; offset and stride are asked of OpenGL.
    const char *varying;
    uint64_t triangles; ///< room to begin with; it grows when it is too small, and the callback is called again
    /// GRZ_MESH_…; GRZ_MESH_INDEX_ONLY unless set. Each captured triangle has three vertices of its own, so with this
    /// flag no two triangles share a corner. That matters for a mesh with itself, and for curves across seams. Without
    /// it, vertices that were captured at equal positions are one corner; all of the mesh is then read back for an
    /// exact answer. Whether a mesh is closed, and what is inside it, is decided by positions either way.
    uint32_t flags;
} grz_capture_options;

/// Draw with OpenGL calls in the device's context, each drawing between grz_capture_begin() and grz_capture_end().
///
/// It may bind and set what it likes. State that the library itself sets is as before after grz_capture_draw(); what
/// else the callback sets stays, in a caller's context. It must leave no query, conditional rendering or transform
/// feedback of its own open, make no other context current, and not call Graze with the same device, apart from the
/// functions of this header that say so. Most of that is noticed, and ends grz_capture_draw() with an error. It is
/// called again when the buffer was too small, and must then draw the same.
///
/// Bound for drawing is a framebuffer without pictures, and GL_RASTERIZER_DISCARD is on: nothing is seen.
///
/// @param user     as given to grz_capture_draw()
/// @param capture  for grz_capture_begin(), grz_capture_end() and grz_capture_triangle_count()
/// @return GRZ_OK; anything else ends the draw, which returns it
typedef grz_status (*grz_capture_callback)(void *user, grz_capture *capture);

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_capture_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_capture_options_init(grz_capture_options *options, size_t size);

/// @return options that suit most callers: "grz_position", room for 4,096 triangles.
GRZ_INLINE grz_capture_options grz_default_capture_options(void)
{
    grz_capture_options options;
    grz_capture_options_init(&options, sizeof options);
    return options;
}

/// Make a capture, which holds no triangles yet.
///
/// @param device   one with OpenGL
/// @param options  NULL means the defaults
/// @param capture  receives it; NULL on failure. Destroy it with grz_capture_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_UNSUPPORTED (no OpenGL)
GRZ_API grz_status grz_capture_create(grz_device *device, const grz_capture_options *options, grz_capture **capture,
                                      grz_error *error);

/// Destroy a capture. Its mesh lives on, with its triangles, as long as a scene or a height map has it. `capture` may
/// be NULL.
GRZ_API void grz_capture_destroy(grz_capture *capture);

/// Capture what a callback draws, in place of what was captured before. The number of triangles may be another one.
///
/// The position of a vertex is whatever the shader wrote: usually in world coordinates, so that the object's pose is
/// the identity. Triangles come in the order in which OpenGL writes them, one drawing after the other; strips and fans
/// become triangles of their own.
///
/// Waits for the GPU at each grz_capture_end(), to know how many triangles there are. Reads back what
/// grz_mesh_create_gl() reads back: the bounds and a sample of the triangles.
///
/// @param capture  its mesh changes, and no query may be using it
/// @param draw     the callback
/// @param user     for the callback
/// @param error    may be NULL. `element` is the vertex at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (no triangle was drawn: a mesh has at least one; or a position is NaN or infinite);
///         GRZ_ERROR_ARGUMENT (the callback used this header wrongly: no program in use, one that does not capture the
///         varying, begin without end); GRZ_ERROR_UNSUPPORTED (more triangles than the device lets a shader see);
///         GRZ_ERROR_DEVICE (OpenGL reported an error, such as for drawing lines or points); GRZ_ERROR_BUSY;
///         GRZ_ERROR_MEMORY; what the callback returned. After a failure, queries with the mesh fail until a later
///         draw succeeds; after GRZ_ERROR_BUSY of the device they do not, because nothing was drawn
GRZ_API grz_status grz_capture_draw(grz_capture *capture, grz_capture_callback draw, void *user, grz_error *error);

/// Begin to capture, with the program in use (or, if there is none, the program pipeline that is bound). It must stay
/// in use until grz_capture_end(): OpenGL refuses glUseProgram() in between. Draw triangles only, or what becomes
/// triangles: the output of tessellation and geometry shaders counts.
///
/// @param capture  the one that the callback was given
/// @param error    may be NULL
/// @return GRZ_OK; anything else ends grz_capture_draw(), whose error says why. GRZ_ERROR_ARGUMENT outside of a
///         callback, where nothing is done
GRZ_API grz_status grz_capture_begin(grz_capture *capture, grz_error *error);

/// End what grz_capture_begin() began. The next pair of calls appends its triangles; its program may be another one
/// that captures the varying at the same offset and stride.
///
/// @param capture  the one that the callback was given
/// @param error    may be NULL
/// @return as grz_capture_begin()
GRZ_API grz_status grz_capture_end(grz_capture *capture, grz_error *error);

/// @return how many triangles the last grz_capture_draw() captured. In a callback: how many it has drawn so far, which
///         is the number that the next triangle gets as a face. 0 for NULL, and after a failure
GRZ_API uint64_t grz_capture_triangle_count(const grz_capture *capture);

/// The captured triangles as a mesh: three vertices for each triangle, no indices. It is as one of
/// grz_mesh_create_gl(): every query takes it, and <graze/gl_mesh.h> says what each reads back.
///
/// @param capture  may be NULL
/// @return the same mesh for every draw, borrowed until the capture is destroyed; NULL before the first draw that
///         succeeds
GRZ_API const grz_mesh *grz_capture_mesh(const grz_capture *capture);

#ifdef __cplusplus
}
#endif

#endif
