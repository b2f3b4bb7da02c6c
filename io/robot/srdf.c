// SPDX-License-Identifier: MIT
// SRDF (https://wiki.ros.org/srdf): each <disable_collisions> below the root <robot>, with link1, link2 and perhaps a
// reason, and the name of the robot that they are for. All else is left alone.
#include "robot/document.h"

#include <graze/io_robot.h>

#include <string.h>

// What is in the caller's hands. One block: the structure, its pairs, their texts.
typedef struct owned_srdf {
    grz_io_srdf shown; // first: its address is the caller's
    size_t size;       // of the block
    grz_allocator allocator;
    grz_io_disabled_pair pairs[]; // the texts follow
} owned_srdf;

static size_t size_of(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

static const char *keep(char **room, const char *text)
{
    if (text == NULL)
        return NULL;
    char *copy = *room;
    memcpy(copy, text, size_of(text));
    *room += size_of(text);
    return copy;
}

static const xml_element *next_rule(const xml_element *root, const xml_element *after)
{
    return grz_io_xml_child(root, "disable_collisions", after);
}

static const char *name_of_robot(const xml_element *root)
{
    const char *name = grz_io_xml_value(root, "name");
    return name != NULL ? name : "";
}

// Count the rules, and the bytes of all texts. False, with the reason, where a rule is not complete.
static bool measure(load_control *control, const xml_element *root, size_t *count, size_t *texts)
{
    *count = 0;
    *texts = size_of(name_of_robot(root));
    if (strcmp(root->name, "robot") != 0)
        return grz_io_xml_fail_at(control, root, "the root of this XML is not <robot>: only SRDF is read");
    for (const xml_element *rule = NULL; (rule = next_rule(root, rule)) != NULL; (*count)++) {
        const char *a = grz_io_xml_value(rule, "link1"), *b = grz_io_xml_value(rule, "link2");
        if (a == NULL || b == NULL)
            return grz_io_xml_fail_at(control, rule, "disable_collisions needs link1 and link2");
        *texts += size_of(a) + size_of(b) + size_of(grz_io_xml_value(rule, "reason"));
    }
    return true;
}

static void *read_tree(load_control *control, const xml_element *root, uint64_t size)
{
    size_t count, texts;
    (void)size;
    if (!measure(control, root, &count, &texts))
        return NULL;
    const size_t block = sizeof(owned_srdf) + count * sizeof(grz_io_disabled_pair) + texts;
    owned_srdf *made = grz_io_control_reallocate(control, NULL, 0, block);
    if (made == NULL) {
        grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the rules");
        return NULL;
    }
    *made = (owned_srdf){.shown = {.disabled = made->pairs}, .size = block, .allocator = control->allocator};
    char *room = (char *)(made->pairs + count);
    made->shown.name = keep(&room, name_of_robot(root));
    for (const xml_element *rule = NULL; (rule = next_rule(root, rule)) != NULL;) {
        grz_io_disabled_pair *pair = &made->pairs[made->shown.disabled_count++];
        pair->link1 = keep(&room, grz_io_xml_value(rule, "link1"));
        pair->link2 = keep(&room, grz_io_xml_value(rule, "link2"));
        pair->reason = keep(&room, grz_io_xml_value(rule, "reason"));
        pair->line = rule->line;
    }
    return made;
}

static const document_call load_srdf = {"load SRDF", read_tree};

grz_status grz_io_srdf_load_file(const char *path, const grz_io_options *options, grz_io_srdf **srdf, grz_error *error)
{
    void *made = NULL;
    if (srdf == NULL)
        return grz_io_refuse(load_srdf.name, "srdf is NULL", error);
    const grz_status status = grz_io_load_document_file(&load_srdf, path, options, &made, error);
    *srdf = made;
    return status;
}

grz_status grz_io_srdf_load_memory(const char *name, const void *bytes, size_t size, const grz_io_options *options,
                                   grz_io_srdf **srdf, grz_error *error)
{
    void *made = NULL;
    if (srdf == NULL)
        return grz_io_refuse(load_srdf.name, "srdf is NULL", error);
    const grz_status status = grz_io_load_document_memory(&load_srdf, name, bytes, size, options, &made, error);
    *srdf = made;
    return status;
}

void grz_io_srdf_destroy(grz_io_srdf *srdf)
{
    if (srdf == NULL)
        return;
    owned_srdf *owned = (owned_srdf *)srdf;
    const grz_allocator allocator = owned->allocator;
    grz_io_release_block(&allocator, owned, owned->size);
}
