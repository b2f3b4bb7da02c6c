// SPDX-License-Identifier: MIT
// Reads the header of a PLY file: which elements there are, how many, and of what. Lines of unknown meaning are
// refused, since a property that is missed would shift everything behind it.
// Source: Greg Turk, "The PLY Polygon File Format", 1994; the type names int8, float32, … as in later programs.
#include "ply_header.h"

#include <string.h>

size_t grz_io_ply_type_size(ply_type type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 0};
    return sizes[type];
}

static ply_type type_of(text_token token)
{
    static const char *const names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                           {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                           {"float", "float32"}, {"double", "float64"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (grz_io_token_is(token, names[i][0]) || grz_io_token_is(token, names[i][1]))
            return (ply_type)i;
    return PLY_NO_TYPE;
}

bool grz_io_is_ply(const unsigned char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (scan_is_line_end(bytes[3]) || scan_is_blank(bytes[3]));
}

// A token of the header line at the cursor. `what` is named where there is none.
static bool take(reader *r, text_scan *s, const char *what, text_token *token)
{
    return grz_io_scan_token(s, token) ||
           grz_io_fail_line(r, s->line, "the PLY header's line ends where %s is expected", what);
}

static bool read_format(reader *r, text_scan *s, ply_header *header)
{
    char quote[SCAN_QUOTE_SIZE];
    text_token token;
    if (header->encoding != PLY_NO_ENCODING)
        return grz_io_fail_line(r, s->line, "a second \"format\" line in the PLY header");
    if (!take(r, s, "the format", &token))
        return false;
    if (grz_io_token_is(token, "ascii"))
        header->encoding = PLY_TEXT;
    else if (grz_io_token_is(token, "binary_little_endian"))
        header->encoding = PLY_LITTLE_ENDIAN;
    else if (grz_io_token_is(token, "binary_big_endian"))
        header->encoding = PLY_BIG_ENDIAN;
    else
        return grz_io_fail_line(r, s->line, "unknown PLY format %s", grz_io_token_quote(token, quote));
    if (!take(r, s, "the version", &token))
        return false;
    return grz_io_token_is(token, "1.0") ||
           grz_io_fail_line(r, s->line, "PLY version %s is not supported", grz_io_token_quote(token, quote));
}

static ply_kind kind_of(text_token name)
{
    if (grz_io_token_is(name, "vertex"))
        return PLY_VERTEX;
    if (grz_io_token_is(name, "face"))
        return PLY_FACE;
    if (grz_io_token_is(name, "tristrips"))
        return PLY_STRIPS;
    return grz_io_token_is(name, "edge") ? PLY_EDGE : PLY_OTHER;
}

static bool read_element(reader *r, text_scan *s, ply_header *header)
{
    char quote[SCAN_QUOTE_SIZE], number[SCAN_QUOTE_SIZE];
    ply_element element = {.first_property = header->property_count};
    int64_t count = 0;
    if (!take(r, s, "an element's name", &element.name))
        return false;
    element.kind = kind_of(element.name);
    for (size_t i = 0; i < header->element_count; i++)
        if (element.kind != PLY_OTHER && header->elements[i].kind == element.kind)
            return grz_io_fail_line(r, s->line, "a second element %s", grz_io_token_quote(element.name, quote));
    text_scan before = *s;
    scan_result result = grz_io_scan_integer(s, &count);
    if (result != SCAN_OK)
        return grz_io_fail_number(r, s, result, "number of elements");
    (void)grz_io_scan_token(&before, &element.count_text);
    if (count < 0)
        return grz_io_fail_line(r, s->line, "%s elements %s", grz_io_token_number(element.count_text, number),
                                grz_io_token_quote(element.name, quote));
    element.count = (uint64_t)count;
    if (element.kind == PLY_VERTEX)
        header->vertex_count = element.count;
    if (header->element_count == header->element_capacity) {
        size_t capacity = 2 * header->element_capacity + 4;
        ply_element *moved = grz_io_control_reallocate(
            r->control, header->elements, header->element_capacity * sizeof *moved, capacity * sizeof *moved);
        if (!moved)
            return grz_io_fail_memory(r);
        header->elements = moved;
        header->element_capacity = capacity;
    }
    header->elements[header->element_count++] = element;
    return true;
}

// What a property is to the model.
static ply_role role_of(ply_kind kind, text_token name, bool is_list)
{
    if (kind == PLY_VERTEX && !is_list && name.length == 1 && *name.at >= 'x' && *name.at <= 'z')
        return (ply_role)(*name.at - 'x');
    if ((kind == PLY_FACE || kind == PLY_STRIPS) && is_list &&
        (grz_io_token_is(name, "vertex_indices") || grz_io_token_is(name, "vertex_index")))
        return PLY_CORNERS;
    return PLY_IGNORED;
}

static bool add_property(reader *r, text_scan *s, ply_header *header, ply_property property, text_token name)
{
    char quote[SCAN_QUOTE_SIZE];
    ply_element *element = &header->elements[header->element_count - 1];
    for (size_t i = 0; i < element->property_count; i++)
        if (property.role != PLY_IGNORED && header->properties[element->first_property + i].role == property.role)
            return grz_io_fail_line(r, s->line, "a second property %s", grz_io_token_quote(name, quote));
    if (header->property_count == header->property_capacity) {
        size_t capacity = 2 * header->property_capacity + 8;
        ply_property *moved = grz_io_control_reallocate(
            r->control, header->properties, header->property_capacity * sizeof *moved, capacity * sizeof *moved);
        if (!moved)
            return grz_io_fail_memory(r);
        header->properties = moved;
        header->property_capacity = capacity;
    }
    header->properties[header->property_count++] = property;
    element->property_count++;
    element->has_list |= property.count_type != PLY_NO_TYPE;
    return true;
}

static bool read_property(reader *r, text_scan *s, ply_header *header)
{
    char quote[SCAN_QUOTE_SIZE];
    ply_property property = {.count_type = PLY_NO_TYPE};
    text_token token;
    if (header->element_count == 0)
        return grz_io_fail_line(r, s->line, "a property before the first element of the PLY header");
    if (!take(r, s, "a type", &token))
        return false;
    bool is_list = grz_io_token_is(token, "list");
    if (is_list) {
        if (!take(r, s, "the type of a list's length", &token))
            return false;
        property.count_type = type_of(token);
        if (property.count_type >= PLY_FLOAT32)
            return grz_io_fail_line(r, s->line, "a list's length cannot be of type %s",
                                    grz_io_token_quote(token, quote));
        if (!take(r, s, "the type of a list's numbers", &token))
            return false;
    }
    property.type = type_of(token);
    if (property.type == PLY_NO_TYPE)
        return grz_io_fail_line(r, s->line, "unknown type %s of a property", grz_io_token_quote(token, quote));
    text_token type = token;
    if (!take(r, s, "a property's name", &token))
        return false;
    property.role = role_of(header->elements[header->element_count - 1].kind, token, is_list);
    if (property.role == PLY_CORNERS && property.type >= PLY_FLOAT32)
        return grz_io_fail_line(r, s->line, "corners cannot be of type %s", grz_io_token_quote(type, quote));
    return add_property(r, s, header, property, token);
}

// What has to be there for a mesh, and room for everything that is declared.
static bool check(reader *r, const text_scan *s, ply_header *header)
{
    char quote[SCAN_QUOTE_SIZE], number[SCAN_QUOTE_SIZE];
    uint64_t left = (uint64_t)(s->end - s->at) + (header->encoding == PLY_TEXT); // a text's last line may have no end
    if (header->encoding == PLY_NO_ENCODING)
        return grz_io_fail(r, "the PLY header has no \"format\" line");
    for (size_t i = 0; i < header->element_count; i++) {
        ply_element *e = &header->elements[i];
        unsigned roles = 0;
        for (size_t k = 0; k < e->property_count; k++) {
            const ply_property *property = &header->properties[e->first_property + k];
            bool is_list = property->count_type != PLY_NO_TYPE;
            roles |= 1u << property->role;
            // In text a digit, and what keeps it from the next.
            e->least_size += header->encoding == PLY_TEXT
                                 ? 2
                                 : grz_io_ply_type_size(is_list ? property->count_type : property->type);
        }
        if (e->kind == PLY_VERTEX && (roles & 7u) != 7u)
            return grz_io_fail(r, "the PLY vertices have not all of the properties x, y and z");
        if ((e->kind == PLY_FACE || e->kind == PLY_STRIPS) && e->count > 0 && !(roles & 1u << PLY_CORNERS))
            return grz_io_fail(r, "the PLY element %s has no list vertex_indices", grz_io_token_quote(e->name, quote));
        if (e->least_size && e->count > left / e->least_size)
            return grz_io_fail(r, "the PLY header declares %s elements %s, but the file has room for at most %llu",
                               grz_io_token_number(e->count_text, number), grz_io_token_quote(e->name, quote),
                               (unsigned long long)(left / e->least_size));
        left -= e->least_size * e->count;
    }
    return true;
}

// A word that begins as one of those that count.
static bool is_misspelt(text_token word)
{
    static const char *const starts[] = {"elem", "prop", "form", "end_"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (word.length >= 4 && memcmp(word.at, starts[i], 4) == 0)
            return true;
    return false;
}

// Skip a line that says nothing to us; the first is noted.
static bool skip_line(reader *r, text_scan *s, text_token word, uint64_t *count)
{
    char quote[SCAN_QUOTE_SIZE];
    text_token rest;
    while (grz_io_scan_token(s, &rest)) {
    }
    return (*count)++ > 0 ||
           grz_io_note(r, "line %llu of the header begins with %s, which starts no line of a PLY header: skipped",
                       (unsigned long long)s->line, grz_io_token_quote(word, quote));
}

bool grz_io_ply_header_read(reader *r, text_scan *s, ply_header *header)
{
    char quote[SCAN_QUOTE_SIZE];
    text_token word;
    *header = (ply_header){0};
    if (!grz_io_is_ply(r->bytes, r->size))
        return grz_io_fail(r, "no PLY file: it does not start with a line \"ply\"");
    // Where lines end in CR alone, an LF behind the header's last line is data.
    uint64_t strange_lines = 0; // before the first element, where nothing can be shifted: Blender forgot "comment" once
    bool cr_only = r->bytes[3] == '\r' && r->size > 4 && r->bytes[4] != '\n';
    for (scan_next_line(s);; scan_next_line(s)) {
        if (!grz_io_scan_more_lines(s))
            return grz_io_fail_line(r, s->line, "the file ends within the PLY header");
        (void)grz_io_scan_token(s, &word);
        if (grz_io_token_is(word, "comment") || grz_io_token_is(word, "obj_info"))
            continue;
        if (grz_io_token_is(word, "end_header"))
            break;
        bool ok;
        if (grz_io_token_is(word, "format"))
            ok = read_format(r, s, header);
        else if (grz_io_token_is(word, "element"))
            ok = read_element(r, s, header);
        else if (grz_io_token_is(word, "property"))
            ok = read_property(r, s, header);
        else if (header->element_count == 0 && !is_misspelt(word))
            ok = skip_line(r, s, word, &strange_lines);
        else
            return grz_io_fail_line(r, s->line, "%s starts no line of a PLY header", grz_io_token_quote(word, quote));
        if (!ok)
            return false;
        if (scan_more(s))
            return grz_io_fail_line(r, s->line, "%s at the end of a line of the PLY header",
                                    grz_io_scan_quote(s, quote));
        if (s->at == s->end)
            return grz_io_fail_line(r, s->line, "the file ends within the PLY header");
    }
    if (scan_more(s))
        return grz_io_fail_line(r, s->line, "%s after \"end_header\"", grz_io_scan_quote(s, quote));
    if (cr_only && s->at < s->end && *s->at == '\r') {
        s->at++;
        s->line++;
    } else {
        scan_next_line(s);
    }
    return check(r, s, header);
}

void grz_io_ply_header_finish(reader *r, ply_header *header)
{
    grz_io_control_release(r->control, header->elements, header->element_capacity * sizeof *header->elements);
    grz_io_control_release(r->control, header->properties, header->property_capacity * sizeof *header->properties);
    *header = (ply_header){0};
}
