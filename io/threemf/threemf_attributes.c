// SPDX-License-Identifier: MIT
// Attributes of 3MF's own elements. One that 3MF does not have is counted; where it is almost one that places an object
// or gives it its size, it is refused: "Transform" would leave the object where it is.
// Sources: 3MF Core Specification, 3 and 4; ECMA-376-3, "Markup Compatibility and Extensibility", fifth edition, 2015.
#include "threemf/threemf_model.h"

#include <string.h>

#define MUST_UNDERSTAND THREEMF_COMPATIBILITY "|MustUnderstand"

enum {
    LONGEST = 24, // name that is compared
    LONG = 6      // names from this length on may have two letters wrong
};

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

// How many letters must be changed, put in or taken out to make one name of the other; the case of letters is free.
static size_t letters_apart(const char *one, size_t one_length, const char *other, size_t other_length)
{
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= other_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= one_length; i++) {
        size_t before = row[0]; // of the row above, to the left
        row[0] = i;
        for (size_t j = 1; j <= other_length; j++) {
            const size_t changed = before + (lower(one[i - 1]) != lower(other[j - 1]));
            const size_t less = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            before = row[j];
            row[j] = changed < less ? changed : less;
        }
    }
    return row[other_length];
}

static bool is_like(const char *name, const char *known, size_t known_length)
{
    const size_t length = strlen(name), most = known_length >= LONG ? 2 : known_length > 2 ? 1 : 0;
    return length <= LONGEST && known_length <= LONGEST && letters_apart(name, length, known, known_length) <= most;
}

void grz_io_threemf_count_attribute(threemf_model *m, const char *name)
{
    threemf_counts *counts = &m->t->counts;
    if (strchr(name, XML_NAMESPACE_END) == NULL && counts->attributes++ == 0) {
        const size_t length = strlen(name), most = sizeof counts->first_attribute - 1;
        memcpy(counts->first_attribute, name, length < most ? length : most);
    }
}

// An attribute that stands in no namespace. `known` has names with a blank between them; the first `vital` of them say
// where an object is, or how large.
static bool check_one(threemf_model *m, const char *element, const char *known, int vital, const char *name)
{
    char quote[SCAN_QUOTE_SIZE];
    const char *like = NULL;
    size_t like_length = 0;
    for (const char *p = known; *p != '\0'; vital--) {
        const size_t length = strcspn(p, " ");
        if (strlen(name) == length && memcmp(name, p, length) == 0)
            return true;
        if (vital > 0 && like == NULL && is_like(name, p, length)) {
            like = p;
            like_length = length;
        }
        p += length;
        p += *p == ' ';
    }
    if (like == NULL) {
        grz_io_threemf_count_attribute(m, name);
        return true;
    }
    return grz_io_xml_fail(m->x, "the %s has an attribute %s, which 3MF does not have: %.*s is meant?", element,
                           grz_io_token_quote((text_token){(const unsigned char *)name, strlen(name)}, quote),
                           (int)like_length, like);
}

bool grz_io_threemf_check_attributes(threemf_model *m, const char *element, const char *known, int vital,
                                     const char **attributes)
{
    for (const char **a = attributes; *a != NULL; a += 2) {
        if (strcmp(a[0], MUST_UNDERSTAND) == 0 && !grz_io_threemf_check_must_understand(m, a[1]))
            return false;
        if (strchr(a[0], XML_NAMESPACE_END) == NULL && !check_one(m, element, known, vital, a[0]))
            return false;
    }
    return true;
}
