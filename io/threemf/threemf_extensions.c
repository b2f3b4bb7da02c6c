// SPDX-License-Identifier: MIT
// Extensions. One that a file requires and that is not understood is refused by its name and address. Elements of
// extensions that make, move or take away material are refused wherever they stand; others are left out and counted.
// Sources: 3MF Core Specification, 2.3.1 and 3.4; addresses: the specifications of the extensions.
#include "threemf/threemf_model.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_PREFIXES = 1000, // that a model may declare, and names in a list of extensions
    MOST_NAMES = 1000,
    ADDRESS_SHOWN = 120 // bytes of an address in a message
};

#define MICROSOFT "http://schemas.microsoft.com/3dmanufacturing/"
#define TRIANGLE_SETS MICROSOFT "trianglesets/2021/07"
#define ALTERNATIVES MICROSOFT "production/alternatives/2021/04"

static const char *const understood[] = {
    THREEMF_CORE, MICROSOFT "production/2015/06", ALTERNATIVES, MICROSOFT "material/2015/02", MICROSOFT "slice/2015/07",
    TRIANGLE_SETS};

// Parts of addresses, and what such an extension is about: geometry that would be missing or wrong without it.
static const struct shape {
    const char *part, *what;
} shapes[] = {{"/beamlattice/", "beam lattices are not read"},
              {"/securecontent/", "encrypted content is not read"},
              {"/booleanoperations/", "boolean operations are not read"},
              {"/displacement/", "displaced surfaces are not read"},
              {"/volumetric/", "volumetric data is not read"},
              {"/implicit/", "implicit shapes are not read"}};

static const char *quote(const char *text, size_t length, char buffer[SCAN_QUOTE_SIZE])
{
    return grz_io_token_quote((text_token){(const unsigned char *)text, length}, buffer);
}

static bool is_understood(const char *address)
{
    for (size_t i = 0; i < sizeof understood / sizeof *understood; i++)
        if (strcmp(understood[i], address) == 0)
            return true;
    return false;
}

// Why an extension is refused that makes shapes; NULL: it is not known to do so.
static const char *why_refused(const char *address)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strstr(address, shapes[i].part) != NULL)
            return shapes[i].what;
    return NULL;
}

bool grz_io_threemf_add_prefix(threemf_model *m, const char *prefix, const char *address)
{
    size_t at;
    if (m->prefix_count++ == MOST_PREFIXES)
        return grz_io_xml_fail(m->x, "more than %d namespaces", (int)MOST_PREFIXES);
    return grz_io_threemf_add_text(m->t, &m->prefixes, prefix, strlen(prefix), &at) &&
           grz_io_threemf_add_text(m->t, &m->prefixes, address, strlen(address), &at);
}

// The address that a prefix stands for; NULL: none.
static const char *address_of(const threemf_model *m, const char *prefix, size_t length)
{
    const char *p = m->prefixes.bytes;
    for (size_t i = 0; i < m->prefix_count; i++) {
        const char *address = p + strlen(p) + 1;
        if (strlen(p) == length && memcmp(p, prefix, length) == 0)
            return address;
        p = address + strlen(address) + 1;
    }
    return NULL;
}

// `in`: the attribute that names the prefix.
static bool check_required_in(threemf_model *m, const char *in, const char *prefix, size_t length)
{
    char name[SCAN_QUOTE_SIZE], where[ADDRESS_SHOWN];
    const char *address = address_of(m, prefix, length);
    (void)quote(prefix, length, name);
    if (address == NULL)
        return grz_io_xml_fail(m->x, "%s: the prefix %s stands for no namespace", in, name);
    if (is_understood(address))
        return true;
    const char *why = why_refused(address);
    (void)snprintf(where, sizeof where, "%s", address);
    for (char *p = where; *p != '\0'; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
    return grz_io_xml_fail(m->x, "the model requires the extension %s, %s: %s", name, where,
                           why != NULL ? why : "it is not known here");
}

static bool check_required(threemf_model *m, const char *prefix, size_t length)
{
    return check_required_in(m, "requiredextensions", prefix, length);
}

static bool check_must_understand(threemf_model *m, const char *prefix, size_t length)
{
    return check_required_in(m, "MustUnderstand", prefix, length);
}

static bool note_recommended(threemf_model *m, const char *prefix, size_t length)
{
    char name[SCAN_QUOTE_SIZE];
    const char *address = address_of(m, prefix, length);
    if (address != NULL && is_understood(address))
        return true;
    return grz_io_note(m->t->r, "extension %s ignored, which the model recommends and does not require",
                       quote(prefix, length, name));
}

static bool check_list(threemf_model *m, const char *list, bool (*check)(threemf_model *, const char *, size_t))
{
    static const char blanks[] = " \t\r\n";
    int count = 0;
    for (const char *p = list; p != NULL && *(p += strspn(p, blanks)) != '\0';) {
        const size_t length = strcspn(p, blanks);
        if (++count > MOST_NAMES)
            return grz_io_xml_fail(m->x, "more than %d extensions", (int)MOST_NAMES);
        if (!check(m, p, length))
            return false;
        p += length;
    }
    return true;
}

bool grz_io_threemf_check_extensions(threemf_model *m, const char **attributes)
{
    const char *const *a = (const char *const *)attributes;
    return check_list(m, grz_io_xml_attribute(a, "requiredextensions"), check_required) &&
           check_list(m, grz_io_xml_attribute(a, "recommendedextensions"), note_recommended);
}

bool grz_io_threemf_check_must_understand(threemf_model *m, const char *list)
{
    return check_list(m, list, check_must_understand);
}

// The object counts as unread: it is refused if the build shows it.
static bool keep_unread(threemf_model *m, const char *element, const char *why)
{
    threemf_object *object = threemf_current_object(m);
    char reason[REASON_SIZE], buffer[SCAN_QUOTE_SIZE];
    if (object->unread.length > 0)
        return true;
    (void)snprintf(reason, sizeof reason, "it has an element %s: %s", quote(element, strlen(element), buffer), why);
    object->unread_line = grz_io_xml_line(m->x);
    object->unread.length = strlen(reason);
    return grz_io_threemf_add_text(m->t, &m->t->texts, reason, object->unread.length, &object->unread.at);
}

// Whether an element is one of an extension that is understood.
static bool is_known(const char *name, const char *end)
{
    for (size_t i = 0; end != NULL && i < sizeof understood / sizeof *understood; i++)
        if (strlen(understood[i]) == (size_t)(end - name) && memcmp(understood[i], name, (size_t)(end - name)) == 0)
            return true;
    return false;
}

bool grz_io_threemf_meet_foreign(threemf_model *m, const char *name)
{
    threemf_counts *counts = &m->t->counts;
    const char *end = strrchr(name, XML_NAMESPACE_END), *local = end != NULL ? end + 1 : name;
    const char *why = why_refused(name);
    char buffer[SCAN_QUOTE_SIZE];
    const bool in_object = m->inside == INSIDE_OBJECT || m->inside == INSIDE_MESH;
    if (strncmp(name, THREEMF_COMPATIBILITY "|", sizeof THREEMF_COMPATIBILITY) == 0)
        return grz_io_xml_fail(m->x,
                               "the element %s of \"markup compatibility\" is not read: it chooses between contents",
                               quote(local, strlen(local), buffer));
    if (why != NULL && in_object)
        return keep_unread(m, local, why);
    if (!in_object && is_known(name, end))
        return true; // colours and slices, which are listed beside the objects
    if (strncmp(name, TRIANGLE_SETS "|", sizeof TRIANGLE_SETS) == 0)
        return true; // groups of triangles that stay where they are
    if (strncmp(name, ALTERNATIVES "|", sizeof ALTERNATIVES) == 0) {
        counts->alternatives++;
        return true;
    }
    if (counts->foreign_elements++ > 0)
        return true;
    counts->first_foreign.length = strlen(local);
    return grz_io_threemf_add_text(m->t, &m->t->texts, local, strlen(local), &counts->first_foreign.at);
}
