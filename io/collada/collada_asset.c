// SPDX-License-Identifier: MIT
// Unit and up axis of the file. They are told, never applied. Elements may have assets of their own: where one that is
// shown has another unit or axis, one answer for the file would be wrong.
#include "collada/collada.h"

#include <string.h>

static const xml_element *asset_part(const xml_element *of, const char *name)
{
    const xml_element *asset = of->children; // the first one, as the schema has it
    return asset != NULL && strcmp(asset->name, "asset") == 0 ? grz_io_xml_child(asset, name, NULL) : NULL;
}

static bool read_unit(collada *c, const xml_element *unit, double *metres)
{
    char quote[SCAN_QUOTE_SIZE];
    const char *text = unit != NULL ? grz_io_xml_value(unit, "meter") : NULL;
    *metres = 1;
    if (text == NULL)
        return true;
    text_scan s = grz_io_scan_text((const unsigned char *)text, strlen(text), SCAN_NO_COMMENTS, false);
    if (grz_io_scan_double(&s, metres) == SCAN_OK && !scan_more(&s) && *metres > 0)
        return true;
    return grz_io_collada_fail(c, unit, "its meter %s is not a finite number above 0",
                               grz_io_collada_quote(text, quote));
}

static bool read_up(collada *c, const xml_element *up, grz_io_up *axis)
{
    static const struct {
        const char *name;
        grz_io_up axis;
    } axes[] = {{"X_UP", GRZ_IO_UP_X}, {"Y_UP", GRZ_IO_UP_Y}, {"Z_UP", GRZ_IO_UP_Z}};
    char quote[SCAN_QUOTE_SIZE];
    text_token token = {NULL, 0};
    *axis = GRZ_IO_UP_Y;
    if (up == NULL)
        return true;
    text_scan s = grz_io_collada_scan(up);
    if (grz_io_scan_more_lines(&s))
        (void)grz_io_scan_token(&s, &token);
    for (size_t i = 0; token.at != NULL && i < sizeof axes / sizeof *axes; i++)
        if (grz_io_token_is(token, axes[i].name) && !grz_io_scan_more_lines(&s)) {
            *axis = axes[i].axis;
            return true;
        }
    return grz_io_collada_fail(c, up, "%s is none of X_UP, Y_UP and Z_UP",
                               grz_io_collada_quote(up->text != NULL ? up->text : "", quote));
}

bool grz_io_collada_read_asset(collada *c)
{
    return read_unit(c, asset_part(c->tree.root, "unit"), &c->r->unit_in_metres) &&
           read_up(c, asset_part(c->tree.root, "up_axis"), &c->r->up_axis);
}

bool grz_io_collada_check_asset(collada *c, const xml_element *of)
{
    const xml_element *around[] = {of, of->parent};
    for (size_t i = 0; i < 2; i++) {
        double metres;
        grz_io_up axis;
        if (around[i] == NULL || around[i] == c->tree.root)
            continue;
        const xml_element *unit = asset_part(around[i], "unit"), *up = asset_part(around[i], "up_axis");
        if (!read_unit(c, unit, &metres) || !read_up(c, up, &axis))
            return false;
        if (unit != NULL && !(metres >= c->r->unit_in_metres && metres <= c->r->unit_in_metres))
            return grz_io_collada_fail(c, unit, "it has another unit (%g m) than the file (%g m)", metres,
                                       c->r->unit_in_metres);
        if (up != NULL && axis != c->r->up_axis)
            return grz_io_collada_fail(c, up, "it has another up axis than the file");
    }
    return true;
}
