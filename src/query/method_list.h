// SPDX-License-Identifier: MIT
// The methods of the library, one line each: METHOD(name), or METHOD_GL(name) for a method that needs OpenGL. The
// filter of a method is grz_filter_<name>. "auto" takes the first that can do what is asked, except a reference
// (GRZ_IS_REFERENCE), which is used only by name. grz_method_info() lists them in this order. Only methods.c includes
// this file and defines the two macros; a test includes a longer list.
METHOD(naive)
METHOD(bvh)
METHOD(grid)
METHOD(octree)
METHOD(kdtree)
METHOD(bsp)
METHOD(obbtree)
METHOD(kdop)
METHOD_GL(slices)
METHOD_GL(layers)
METHOD_GL(selection)
METHOD_GL(heightmap)
