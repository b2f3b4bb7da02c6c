// SPDX-License-Identifier: MIT
#include "collada/collada.h"

bool grz_io_collada_read_controller(collada *c, const xml_element *instance, collada_id *controller, uint64_t *mesh,
                                    bool *placed)
{
    (void)instance, (void)mesh, (void)placed;
    const bool skin = grz_io_xml_child(controller->element, "skin", NULL) != NULL;
    return grz_io_collada_fail(c, controller->element, "it is a %s, which is not read", skin ? "skin" : "morph");
}
