// SPDX-License-Identifier: MIT
// Fuzzes self-collision: a mesh and a pose from the bytes (support_fuzz_shapes.h), before and after moving vertices.
// Every method must give the same bytes; the pose must change no pair; sharing fewer corners must lose no pair. Two
// faces that share no corner are a pair exactly if the mesh against a copy of itself has that pair. Small meshes are
// compared with the definition, coded in rationals on the oracle's intersection of each two triangles.
#include "mesh/mesh.h"
#include "oracle.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    ORACLE_TRIANGLES = 8 // the largest mesh that is compared with the definition
};

typedef struct subject {
    test_mesh mesh; // where its vertices are now
    double *before; // where they were at creation
    uint32_t flags;
    grz_mesh *uploaded;
} subject;

static bool same_place(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static bool same_corner(const subject *s, uint32_t v, uint32_t w)
{
    const size_t p = 3 * (size_t)v, q = 3 * (size_t)w;
    return v == w || ((s->flags & GRZ_MESH_INDEX_ONLY) == 0 && same_place(s->before + p, s->before + q) &&
                      same_place(s->mesh.positions + p, s->mesh.positions + q));
}

// How many corners the two faces share.
static uint32_t shared_corners(const subject *s, uint32_t face_a, uint32_t face_b)
{
    uint32_t count_a, count_b, shared = 0;
    const uint32_t *a = grz_mesh_face_corners(s->uploaded, face_a, &count_a);
    const uint32_t *b = grz_mesh_face_corners(s->uploaded, face_b, &count_b);
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++)
            shared += same_corner(s, a[i], b[j]);
    return shared;
}

static const grz_pair *find_pair(const test_answer *answer, uint32_t face_a, uint32_t face_b)
{
    for (uint64_t i = 0; i < answer->pair_count; i++)
        if (answer->pairs[i].face_a == face_a && answer->pairs[i].face_b == face_b)
            return &answer->pairs[i];
    return NULL;
}

// Compare with the mesh as two objects at one pose.
static void check_with_pair_query(const subject *s, const test_answer *self)
{
    const grz_object object = grz_object_at_origin(s->uploaded);
    test_answer pair = fuzz_ask_once(&object, &object, GRZ_FIND_PAIRS);
    for (uint32_t a = 0; a < s->mesh.face_count; a++) {
        for (uint32_t b = a + 1; b < s->mesh.face_count; b++) {
            const grz_pair *own = find_pair(self, a, b), *posed = find_pair(&pair, a, b);
            if (shared_corners(s, a, b) > 0)
                FUZZ_REQUIRE(own == NULL || (posed != NULL && own->kind <= posed->kind));
            else
                FUZZ_REQUIRE((own == NULL) == (posed == NULL) && (own == NULL || own->kind == posed->kind));
        }
    }
    for (uint64_t i = 0; i < self->pair_count; i++)
        FUZZ_REQUIRE(self->pairs[i].face_a < self->pairs[i].face_b && self->pairs[i].face_b < s->mesh.face_count);
    test_answer_finish(&pair);
}

// If corners are shared by index only, not by position, no pair may be lost. The exception is three shared corners,
// which always collide: degenerate triangles that share one of them may lie in its hull.
static void check_index_only(const subject *s, const test_answer *self)
{
    test_mesh before = s->mesh;
    before.positions = s->before;
    grz_mesh *uploaded = test_mesh_upload_flags(fuzz_device(), &before, GRZ_MESH_INDEX_ONLY);
    FUZZ_REQUIRE(grz_mesh_set_positions(uploaded, s->mesh.positions, NULL) == GRZ_OK);
    const grz_object object = grz_object_at_origin(uploaded);
    test_answer more = fuzz_ask_once(&object, NULL, GRZ_FIND_PAIRS);
    for (uint64_t i = 0; i < self->pair_count; i++)
        FUZZ_REQUIRE(find_pair(&more, self->pairs[i].face_a, self->pairs[i].face_b) != NULL ||
                     shared_corners(s, self->pairs[i].face_a, self->pairs[i].face_b) >= 3);
    test_answer_finish(&more);
    grz_mesh_destroy(uploaded);
}

// The corners that two triangles share, each matched once, and their positions.
static int shared_places(const subject *s, const uint32_t *a, const uint32_t *b, const double *places[3])
{
    bool taken[3] = {false, false, false};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        int j = 0;
        while (j < 3 && (taken[j] || !same_corner(s, a[i], b[j])))
            j++;
        if (j == 3)
            continue;
        taken[j] = true;
        places[count++] = s->mesh.positions + 3 * (size_t)a[i];
    }
    return count;
}

// Working storage for checking a point in rationals.
typedef struct exact_point {
    mpq_t at[3], p[3], q[3], product, other;
} exact_point;

// Whether x->at lies on the segment p-q, which may be a point: between the ends along each axis, and in line with them.
static bool on_segment(exact_point *x, const double *p, const double *q)
{
    for (int i = 0; i < 3; i++) {
        mpq_set_d(x->p[i], p[i]);
        mpq_set_d(x->q[i], q[i]);
        if (mpq_cmp(x->at[i], p[i] < q[i] ? x->p[i] : x->q[i]) < 0 ||
            mpq_cmp(x->at[i], p[i] < q[i] ? x->q[i] : x->p[i]) > 0)
            return false;
        mpq_sub(x->at[i], x->at[i], x->p[i]);
        mpq_sub(x->q[i], x->q[i], x->p[i]);
    }
    for (int i = 0; i < 3; i++) {
        mpq_mul(x->product, x->at[i], x->q[(i + 1) % 3]);
        mpq_mul(x->other, x->at[(i + 1) % 3], x->q[i]);
        if (!mpq_equal(x->product, x->other))
            return false;
    }
    return true;
}

// Whether the intersection of two triangles is not contained in the hull of the corners that they share. `kind`: of the
// intersection.
static bool collide(const subject *s, uint32_t a, uint32_t b, grz_kind *kind)
{
    static oracle *o;
    static exact_point x;
    const uint32_t *t = s->uploaded->triangles + 3 * (size_t)a, *u = s->uploaded->triangles + 3 * (size_t)b;
    const double *places[3];
    double p[3][3], q[3][3];
    oracle_answer answer;
    if (o == NULL) {
        o = oracle_create();
        for (int i = 0; i < 3; i++)
            mpq_inits(x.at[i], x.p[i], x.q[i], NULL);
        mpq_inits(x.product, x.other, NULL);
    }
    FUZZ_REQUIRE(o != NULL);
    for (int i = 0; i < 3; i++) {
        memcpy(p[i], s->mesh.positions + 3 * (size_t)t[i], sizeof p[i]);
        memcpy(q[i], s->mesh.positions + 3 * (size_t)u[i], sizeof q[i]);
    }
    oracle_intersect(o, (const double(*)[3])p, (const double(*)[3])q, &answer);
    *kind = answer.kind;
    const int shared = shared_places(s, t, u, places);
    if (answer.points == 0 || shared == 0 || shared == 3)
        return answer.points > 0;
    for (uint32_t i = 0; i < answer.points; i++) {
        oracle_point(o, i, x.at);
        if (!on_segment(&x, places[0], places[shared - 1]))
            return true;
    }
    return false;
}

static void check_definition(const subject *s, const test_answer *self)
{
    const uint32_t count = s->uploaded->triangle_count;
    uint32_t strongest[ORACLE_TRIANGLES * ORACLE_TRIANGLES] = {0};
    if (count > ORACLE_TRIANGLES)
        return;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count; b++) {
            const uint32_t face_a = grz_mesh_triangle_face(s->uploaded, a),
                           face_b = grz_mesh_triangle_face(s->uploaded, b);
            grz_kind kind;
            if (face_a == face_b || !collide(s, a, b, &kind))
                continue;
            // Kinds start at 1: 0 stands for a pair that does not collide.
            uint32_t *known = &strongest[face_a * ORACLE_TRIANGLES + face_b];
            *known = (uint32_t)kind + 1 > *known ? (uint32_t)kind + 1 : *known;
        }
    }
    for (uint32_t a = 0; a < s->mesh.face_count; a++) {
        for (uint32_t b = a + 1; b < s->mesh.face_count; b++) {
            const grz_pair *pair = find_pair(self, a, b);
            FUZZ_REQUIRE(strongest[a * ORACLE_TRIANGLES + b] == (pair != NULL ? pair->kind + 1 : 0));
        }
    }
}

static void check(fuzz_input *in, const subject *s)
{
    grz_object object = grz_object_at_origin(s->uploaded);
    test_answer self, posed;
    FUZZ_REQUIRE(fuzz_ask(&object, NULL, &self));
    check_with_pair_query(s, &self);
    check_definition(s, &self);
    if ((s->flags & GRZ_MESH_INDEX_ONLY) == 0)
        check_index_only(s, &self);
    object.pose = fuzz_pose(in);
    if (fuzz_ask(&object, NULL, &posed)) {
        FUZZ_REQUIRE(posed.pair_count == self.pair_count && posed.contact_count == self.contact_count);
        for (uint64_t i = 0; i < self.pair_count; i++)
            FUZZ_REQUIRE(memcmp(&posed.pairs[i], &self.pairs[i], sizeof *self.pairs) == 0);
        fuzz_ask_otherwise(in, &object, NULL, &posed);
        test_answer_finish(&posed);
    }
    test_answer_finish(&self);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    subject s = {.flags = fuzz_byte(&in) & 1 ? GRZ_MESH_INDEX_ONLY : 0};
    s.mesh = fuzz_mesh(&in, NULL);
    s.uploaded = test_mesh_upload_flags(fuzz_device(), &s.mesh, s.flags);
    const size_t bytes = 3 * (size_t)s.mesh.vertex_count * sizeof *s.before;
    s.before = malloc(bytes);
    FUZZ_REQUIRE(s.before != NULL);
    memcpy(s.before, s.mesh.positions, bytes);
    check(&in, &s);
    if (in.size > 0) {
        double *moved = fuzz_moved(&in, &s.mesh, NULL);
        FUZZ_REQUIRE(grz_mesh_set_positions(s.uploaded, moved, NULL) == GRZ_OK);
        memcpy(s.mesh.positions, moved, bytes);
        free(moved);
        check(&in, &s);
    }
    grz_mesh_destroy(s.uploaded);
    test_mesh_finish(&s.mesh);
    free(s.before);
    return 0;
}
