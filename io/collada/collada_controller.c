// SPDX-License-Identifier: MIT
// Controllers that the scene shows: a morph changes the positions of a geometry, and a skin places them, those of a
// geometry or of a morph. A skin of a skin, and a morph of a controller, are refused.
#include "collada/collada.h"

#include <string.h>

// The mesh that a skin places.
static bool read_skinned(collada *c, const xml_element *skin, uint64_t *mesh)
{
    const char *url = grz_io_xml_value(skin, "source");
    collada_id *source;
    if (!grz_io_collada_try(c, skin, url, COLLADA_GEOMETRY, &source))
        return false;
    if (source != NULL) {
        *mesh = source->mesh;
        if (!grz_io_collada_read_geometry(c, source))
            return false;
        *mesh = source->mesh;
        return true;
    }
    source = grz_io_collada_find(c, skin, url, COLLADA_CONTROLLER);
    if (source == NULL)
        return false;
    const xml_element *morph = grz_io_xml_child(source->element, "morph", NULL);
    if (morph == NULL)
        return grz_io_collada_fail(c, skin, "its source is a controller that is no morph, which is not read");
    if (!grz_io_collada_read_morph(c, source, morph))
        return false;
    *mesh = source->mesh;
    return true;
}

bool grz_io_collada_read_controller(collada *c, const xml_element *instance, collada_id *controller, uint64_t *mesh,
                                    bool *placed)
{
    const xml_element *skin = grz_io_xml_child(controller->element, "skin", NULL);
    const xml_element *morph = grz_io_xml_child(controller->element, "morph", NULL);
    uint64_t from = 0;
    *placed = skin != NULL;
    if (skin == NULL && morph == NULL)
        return grz_io_collada_fail(c, controller->element, "it is neither a skin nor a morph");
    if (!grz_io_collada_check_asset(c, controller->element))
        return false;
    if (skin == NULL) {
        if (!grz_io_collada_read_morph(c, controller, morph))
            return false;
        *mesh = controller->mesh;
        return true;
    }
    if (!read_skinned(c, skin, &from) || !grz_io_collada_read_skin(c, instance, skin, from))
        return false;
    *mesh = c->r->model.mesh_count - 1;
    c->skinned++;
    return true;
}
