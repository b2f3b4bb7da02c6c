// SPDX-License-Identifier: MIT
// Constants that C and GLSL share for method `heightmap`.
#ifndef GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_BINDINGS_H
#define GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_BINDINGS_H

// Texture units.
#define GRZ_UNIT_OBJECT_MAP 0
#define GRZ_UNIT_ENVIRONMENT_MAP 1
#define GRZ_UNIT_IDS 2
#define GRZ_UNIT_NORMALS 3

// heights_compare.comp and heights_list.comp: work groups of GRZ_HEIGHT_TILE × GRZ_HEIGHT_TILE pixels, row by row,
// then view by view.
#define GRZ_HEIGHT_TILE 8
#define GRZ_BIND_HEIGHT_FOUND 0
#define GRZ_AT_HEIGHT_SIDE 0
#define GRZ_AT_HEIGHT_VIEW 1
#define GRZ_AT_HEIGHT_BOUNDED 2
#define GRZ_BIND_HEIGHT_CONTACTS 1
#define GRZ_AT_HEIGHT_RECORD 3

// The words of a contact (height_query.c). GRZ_CONTACT_HEAD words precede the first; the first of these counts them.
#define GRZ_CONTACT_HEAD 4
#define GRZ_CONTACT_WORDS 12

// The words of what was found in a view: grz_height_found.
#define GRZ_FOUND_PIXELS 0
#define GRZ_FOUND_HITS 1
#define GRZ_FOUND_NOT_LEAST 2
#define GRZ_FOUND_LAST 4
#define GRZ_FOUND_NOT_NEAREST 6
#define GRZ_FOUND_FARTHEST 7
#define GRZ_FOUND_WORDS 8

#endif
