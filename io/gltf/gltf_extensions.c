// SPDX-License-Identifier: MIT
// Extensions. One that a file requires and that is not understood here is refused by its name; one that it merely uses
// is ignored, as the specification allows, with a note where it is not known to leave the geometry alone.
#include "gltf/gltf.h"

#include <string.h>

static const char *const understood[] = {"KHR_mesh_quantization", "EXT_mesh_gpu_instancing"};

// Beginnings of the names of extensions about looks, light and data beside the geometry.
static const char *const harmless[] = {"KHR_materials_",        "KHR_texture_",
                                       "EXT_texture_",          "KHR_lights_",
                                       "EXT_lights_",           "KHR_xmp",
                                       "KHR_animation_pointer", "KHR_techniques_",
                                       "EXT_materials_",        "MSFT_packing_",
                                       "MSFT_texture_",         "ADOBE_materials_",
                                       "EXT_mesh_features",     "EXT_structural_metadata",
                                       "EXT_instance_features"};

static bool is_understood(const char *name)
{
    for (size_t i = 0; i < sizeof understood / sizeof *understood; i++)
        if (strcmp(name, understood[i]) == 0)
            return true;
    return false;
}

static bool is_harmless(const char *name)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strncmp(name, harmless[i], strlen(harmless[i])) == 0)
            return true;
    return false;
}

// The names of an array of texts; each is looked at.
static bool check_list(gltf *g, const char *key, bool required)
{
    char quote[SCAN_QUOTE_SIZE];
    const json_t *list;
    const char *first = NULL;
    uint64_t ignored = 0;
    grz_io_gltf_at(g, "%s", key);
    if (!grz_io_gltf_array(g, g->root, key, &list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name == NULL)
            return grz_io_gltf_fail(g, "its element %zu is not a name", i);
        g->quantized = g->quantized || strcmp(name, "KHR_mesh_quantization") == 0;
        if (is_understood(name) || is_harmless(name))
            continue;
        if (required)
            return grz_io_gltf_fail(g, "the file needs the extension %s, which is not read",
                                    grz_io_gltf_quote(name, quote));
        first = first != NULL ? first : name;
        ignored++;
    }
    if (ignored == 0)
        return true;
    if (ignored > 1)
        return grz_io_note(g->r, "%llu extensions ignored, which the file does not require: %s and others",
                           (unsigned long long)ignored, grz_io_gltf_quote(first, quote));
    return grz_io_note(g->r, "extension %s ignored, which the file does not require", grz_io_gltf_quote(first, quote));
}

bool grz_io_gltf_check_extensions(gltf *g)
{
    return check_list(g, "extensionsRequired", true) && check_list(g, "extensionsUsed", false);
}
