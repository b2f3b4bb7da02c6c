// SPDX-License-Identifier: MIT
// COLLADA 1.4 and 1.5: the meshes of the visual scene that the file shows, each at the place that its node has.
// collada/README.md says which file does what.
// Source: Khronos Group and Sony, "COLLADA – Digital Asset Schema Release 1.4.1", 2008, and "… 1.5.0", 2008.
#include "collada/collada.h"
#include "format.h"
#include "xml/xml_root.h"

#include <string.h>

static bool has_signature(const unsigned char *bytes, size_t size)
{
    return grz_io_xml_root_is(bytes, size < SIGNATURE_SIZE ? size : SIGNATURE_SIZE, "COLLADA");
}

static bool check_version(collada *c)
{
    char quote[SCAN_QUOTE_SIZE];
    const xml_element *root = c->tree.root;
    const char *version = grz_io_xml_value(root, "version");
    if (strcmp(root->name, "COLLADA") != 0)
        return grz_io_collada_fail(c, root, "it is no COLLADA document");
    if (version == NULL)
        return grz_io_collada_fail(c, root, "it has no version");
    const bool known = strncmp(version, "1.4", 3) == 0 || strncmp(version, "1.5", 3) == 0;
    return (known && (version[3] == '\0' || version[3] == '.')) ||
           grz_io_collada_fail(c, root, "its version is %s; 1.4 and 1.5 are read",
                               grz_io_collada_quote(version, quote));
}

static void finish(collada *c)
{
    load_control *control = c->r->control;
    for (size_t i = 0; c->ids != NULL && i < c->id_count; i++)
        if (c->ids[i].numbers != NULL)
            grz_io_collada_release(c, c->ids[i].numbers, c->ids[i].number_count, sizeof(double));
    for (size_t i = 0; i < c->name_count; i++)
        grz_io_control_release(control, c->names[i], strlen(c->names[i]) + 1);
    grz_io_control_release(control, c->names, c->name_room * sizeof *c->names);
    grz_io_control_release(control, c->stack, c->stack_room * sizeof *c->stack);
    if (c->ids != NULL)
        grz_io_collada_release(c, c->ids, c->id_count, sizeof *c->ids);
    grz_io_release_showings(c->r, &c->showings);
    grz_io_xml_free(&c->tree);
}

static bool read(reader *r)
{
    collada c = {.r = r};
    const bool ok = grz_io_xml_read(r->control, r->bytes, r->size, true, true, &c.tree) && check_version(&c) &&
                    grz_io_collada_index(&c) && grz_io_collada_read_asset(&c) && grz_io_collada_walk(&c) &&
                    grz_io_fill_scene(r, &c.showings);
    finish(&c);
    return ok;
}

const file_format grz_io_format_collada = {
    .about = {"COLLADA", "dae"}, .has_signature = has_signature, .fits = has_signature, .read = read};
