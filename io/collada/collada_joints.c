// SPDX-License-Identifier: MIT
// The nodes that a skin's joints are, and their places. A name in a Name_array is a node's sid, looked for below the
// nodes that the instance's <skeleton> elements name, or in the whole scene where there are none; a name in an
// IDREF_array is a node's id. A joint has to be a node of the scene itself: in a library it may be at many places.
#include "collada/collada.h"

#include <string.h>

enum {
    DEEPEST = 1000 // elements within each other, as xml_events.c reads them
};

// The best match so far: the least deep, of those the first.
typedef struct search {
    const char *sid;
    const xml_element *found;
    size_t depth;
} search;

static bool is_node(const xml_element *e)
{
    return strcmp(e->name, "node") == 0;
}

static bool look_below(collada *c, const xml_element *root, search *s)
{
    size_t depth = 0;
    for (const xml_element *e = root;;) {
        const char *sid = is_node(e) ? grz_io_xml_value(e, "sid") : NULL;
        if (!grz_io_collada_work(c, e, COLLADA_WORK_A_CHILD))
            return false;
        if (sid != NULL && strcmp(sid, s->sid) == 0 && (s->found == NULL || depth < s->depth)) {
            s->found = e;
            s->depth = depth;
        }
        if (e->children != NULL && (e == root || is_node(e))) {
            e = e->children;
            depth++;
            continue;
        }
        while (e != root && e->next == NULL) {
            e = e->parent;
            depth--;
        }
        if (e == root)
            return true;
        e = e->next;
    }
}

// The text of a <skeleton> as a node.
static collada_id *skeleton_root(collada *c, const xml_element *skeleton)
{
    char url[COLLADA_NAME_SIZE];
    text_token token = {NULL, 0};
    text_scan s = grz_io_collada_scan(skeleton);
    if (grz_io_scan_more_lines(&s))
        (void)grz_io_scan_token(&s, &token);
    if (token.length >= sizeof url) {
        grz_io_collada_fail(c, skeleton, "its text has more than %d bytes", COLLADA_NAME_SIZE - 1);
        return NULL;
    }
    if (token.length > 0)
        memcpy(url, token.at, token.length);
    url[token.length] = '\0';
    return grz_io_collada_find(c, skeleton, url, COLLADA_NODE);
}

static bool find_by_sid(collada *c, const xml_element *instance, const char *sid, const xml_element **joint)
{
    search s = {.sid = sid};
    const xml_element *skeleton = grz_io_xml_child(instance, "skeleton", NULL);
    if (skeleton == NULL && !look_below(c, c->scene, &s))
        return false;
    for (; skeleton != NULL && s.found == NULL; skeleton = grz_io_xml_child(instance, "skeleton", skeleton)) {
        const collada_id *root = skeleton_root(c, skeleton);
        if (root == NULL || !look_below(c, root->element, &s))
            return false;
    }
    *joint = s.found;
    return true;
}

// From a node to the scene: the product of the matrices of the nodes around it, from the outermost on.
static bool place(collada *c, const xml_element *node, scene_matrix *out)
{
    const xml_element *chain[DEEPEST];
    size_t depth = 0;
    const xml_element *e = node;
    for (; e != NULL && is_node(e) && depth < DEEPEST; e = e->parent)
        chain[depth++] = e;
    if (e != c->scene)
        return grz_io_collada_fail(c, node, "it is a joint, but no node of the scene itself");
    *out = grz_io_matrix_identity;
    while (depth > 0) {
        scene_matrix local;
        if (!grz_io_collada_local_matrix(c, chain[--depth], &local))
            return false;
        *out = grz_io_matrix_multiply(out, &local);
    }
    return true;
}

bool grz_io_collada_read_joints(collada *c, const xml_element *instance, const collada_names *names, scene_matrix *out)
{
    char name[COLLADA_NAME_SIZE], quote[SCAN_QUOTE_SIZE];
    text_scan s = grz_io_collada_scan(names->array);
    for (uint64_t i = 0; i < names->count; i++) {
        const xml_element *joint = NULL;
        collada_id *found = NULL;
        if (!grz_io_collada_take_name(c, names, &s, name))
            return false;
        if (names->are_ids ? !grz_io_collada_try_id(c, names->array, name, COLLADA_NODE, &found)
                           : !find_by_sid(c, instance, name, &joint))
            return false;
        if (found != NULL)
            joint = found->element;
        if (joint == NULL)
            return grz_io_collada_fail(c, instance, "no node is its joint %s", grz_io_collada_quote(name, quote));
        if (!place(c, joint, &out[i]))
            return false;
    }
    return true;
}
