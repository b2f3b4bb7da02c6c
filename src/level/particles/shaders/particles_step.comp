#version 450
// SPDX-License-Identifier: MIT
// particles_step.comp: move particles by one step, one invocation each. A particle flies along a parabola up to its
// first hit, bounces or slides, and flies on, until the step's time is over. In: surfaces[], ids[], the plan. Out:
// particles[], counts[], hits[]. Twin in doubles: tests/particles/particle_twin.c
#include "level/particles/shaders/particles_bindings.h"
#include "gpu/shaders/group_number.h"
#include "level/particles/shaders/step_plan.h"
#include "level/particles/shaders/pixel_solids.h"
#include "level/particles/shaders/flight.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_PARTICLE_IDS) readonly buffer ids_buffer
{
    uvec2 ids[];
};
layout(std430, binding = GRZ_BIND_PARTICLE_COUNTS) buffer counts_buffer
{
    uint counts[];
};
layout(std430, binding = GRZ_BIND_PARTICLES) buffer particles_buffer
{
    float particles[];
};
layout(std430, binding = GRZ_BIND_PARTICLE_HITS) buffer hits_buffer
{
    uint hits[];
};

shared uint sums[GRZ_COUNT_WORDS];

// A particle, its position relative to `origin`.
struct Particle {
    vec3 p, v;
    vec3 way; // moved since the step began
    float time, left; // since then, and up to its end
    uint number, order;
};

bool is_number(vec3 v)
{
    return !any(isnan(v)) && !any(isinf(v));
}

uvec2 id_of(uint entry)
{
    return record != 0u ? ids[entry] : uvec2(0xffffffffu, 0u);
}

void advance(inout Particle one, vec3 way)
{
    one.p += way;
    one.way += way;
}

void list(inout Particle one, Hit hit)
{
    if (max_hits == 0u)
        return;
    uint place = atomicAdd(counts[GRZ_COUNT_LISTED], 1u), at = place * GRZ_HIT_WORDS;
    if (place >= max_hits)
        return;
    vec3 position = origin.xyz + one.p;
    uvec2 id = id_of(hit.entry);
    for (uint i = 0u; i < 3u; i++) {
        hits[at + i] = floatBitsToUint(position[i]);
        hits[at + 4u + i] = floatBitsToUint(hit.normal[i]);
    }
    hits[at + 3u] = floatBitsToUint(one.time);
    hits[at + 7u] = one.number;
    hits[at + 8u] = one.order;
    hits[at + 9u] = hit.kind;
    hits[at + 10u] = id.x;
    hits[at + 11u] = id.y;
    one.order++;
}

// ---- Forces -------------------------------------------------------------------------------------------------------

// A surface in front of a particle.
struct Ahead {
    bool found;
    uint entry;
    float distance; // along the view
    vec3 normal;
};

// The first surface in front of a point, in the first view that shows one.
Ahead look_ahead(vec3 p)
{
    Ahead ahead = Ahead(false, 0u, 0.0, vec3(0.0));
    for (uint view = 0u; view < view_count && !ahead.found; view++) {
        vec3 place = place_in_view(view, p);
        ivec2 cell = cell_of(place);
        if (is_in_map(cell) && place.z >= 0.0) {
            vec3 at = vec3(place.xy - vec2(cell) - 0.5, place.z);
            uint first = first_entry(view, cell), i = 0u;
            Solid solid;
            while (!ahead.found && next_solid(view, first, i, solid)) {
                float distance = -behind(vec4(solid.planes[0].xyz, 0.0), 0, at);
                ahead = Ahead(distance >= 0.0, solid.entries[0], distance,
                              normal_of(view, solid.planes[0].yz, 0));
            }
        }
    }
    return ahead;
}

bool fits(Force force, Ahead ahead, uvec2 id)
{
    return (force.id == 0xffffffffu || force.id == id.x) && (force.value == 0xffffffffu || force.value == id.y) &&
           ahead.distance <= force.reach;
}

vec3 acceleration_of(vec3 p)
{
    vec3 sum = acceleration.xyz;
    if (force_count > 0u) {
        Ahead ahead = look_ahead(p);
        uvec2 id = ahead.found ? id_of(ahead.entry) : uvec2(0u);
        uint i = ahead.found ? 0u : force_count;
        while (i < force_count && !fits(forces[i], ahead, id))
            i++;
        if (i < force_count)
            sum += forces[i].acceleration.xyz + forces[i].acceleration.w * ahead.normal;
    }
    return sum;
}

// ---- Particles inside something -----------------------------------------------------------------------------------

// A way out of a solid.
struct Exit {
    float size;
    vec3 way, normal; // in the world
    uint view, entry;
};

void try_exit(inout Exit best, vec3 way, vec3 normal, uint view, uint entry)
{
    float size = length(way);
    if (size < best.size)
        best = Exit(size, way, normal, view, entry);
}

// The ways across the view to free pixels.
void try_aside(inout Exit best, ivec2 cell, vec3 place, uint entry)
{
    const ivec2 directions[8] = ivec2[8](ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1),
                                         ivec2(1, -1), ivec2(-1, 1), ivec2(-1, -1));
    for (int i = 0; i < 8; i++) {
        bool searching = true;
        for (int far = 1; far <= GRZ_SEARCH && searching; far++) {
            ivec2 to = cell + far * directions[i];
            vec2 nearest = clamp(place.xy, vec2(to) + GRZ_NUDGE, vec2(to) + (1.0 - GRZ_NUDGE));
            nearest = mix(place.xy, nearest, abs(vec2(directions[i]))); // straight ways stay straight
            Solid solid;
            searching = is_in_map(to);
            if (searching && !is_deeper(0.0, 0u, to, vec3(nearest - vec2(to) - 0.5, place.z), solid)) {
                vec2 aside = (nearest - place.xy) * pixel[0];
                vec3 way = aside.x * views[0].right.xyz + aside.y * views[0].up.xyz;
                try_exit(best, way, normalize(way), 0u, entry);
                searching = false;
            }
        }
    }
}

// The shortest way out of what a particle is inside, behind the surface itself, in all views that hold it. False: it is
// free in one of them.
bool find_exit(vec3 p, out Exit best)
{
    bool is_held = false, is_free = false;
    best = Exit(NEVER, vec3(0.0), vec3(0.0), 0u, 0u);
    for (uint view = 0u; view < view_count; view++) {
        vec3 place = place_in_view(view, p);
        ivec2 cell = cell_of(place);
        vec3 at = vec3(place.xy - vec2(cell) - 0.5, place.z);
        Solid solid;
        bool is_seen = is_in_map(cell) && place.z >= 0.0 && place.z <= views[view].forwards.w;
        if (is_seen && is_deeper(radius, view, cell, at, solid)) {
            is_held = true;
            for (int end = 0; end < 2; end++) {
                float depth = behind(solid.planes[end], end, at);
                if (solid.blocks[end])
                    try_exit(best, (end == 0 ? -depth : depth) * views[view].forwards.xyz,
                             normal_of(view, solid.planes[end].yz, end), view, solid.entries[end]);
            }
            if (view_count == 1u)
                try_aside(best, cell, place, solid.entries[0]);
        } else if (is_seen) {
            is_free = true;
        }
    }
    return is_held && !is_free;
}

// True if it was inside something.
bool push_out(inout Particle one)
{
    Exit best;
    if (!find_exit(one.p, best))
        return false;
    advance(one, best.way);
    float towards = dot(one.v, best.normal);
    if (towards < 0.0)
        one.v -= (1.0 + restitution) * towards * best.normal;
    Hit hit;
    hit.normal = best.normal;
    hit.kind = GRZ_HIT_PUSHED;
    hit.entry = best.entry;
    list(one, hit);
    return true;
}

// ---- Bounces ------------------------------------------------------------------------------------------------------

// Turn the velocity at a hit. True if the particle leaves the surface; false if it slides on it.
bool bounce(inout Particle one, vec3 normal, vec3 a, out bool counts_as_bounce)
{
    float towards = -dot(one.v, normal), pull = max(-dot(a, normal), 0.0), speed = length(one.v);
    float rest = max(pull * GRZ_REST_SECONDS, GRZ_REST_SPEED * speed), leaving = restitution * towards;
    vec3 along = one.v + towards * normal;
    float size = length(along);
    counts_as_bounce = towards > rest;
    if (size > 0.0 && towards > 0.0)
        along *= max(0.0, 1.0 - friction * (1.0 + restitution) * towards / size);
    bool leaves = leaving > rest;
    one.v = leaves ? along + leaving * normal : along;
    return leaves;
}

// The forces of the surfaces that a particle slides on, which hold it: how hard they press, together.
float pressure(Slide slide, vec3 a)
{
    vec2 push = vec2(-dot(a, slide.normals[0]), -dot(a, slide.normals[1]));
    if (slide.surfaces == 1u)
        return max(push.x, 0.0);
    float c = dot(slide.normals[0], slide.normals[1]);
    vec2 forces = (push - c * push.yx) / max(1.0 - c * c, 1e-6);
    return max(forces.x, 0.0) + max(forces.y, 0.0);
}

// A vector without what goes into, or out of, the surfaces that a particle slides on.
vec3 along_surfaces(Slide slide, vec3 v)
{
    if (slide.surfaces == 1u)
        return v - dot(v, slide.normals[0]) * slide.normals[0];
    vec3 line = cross(slide.normals[0], slide.normals[1]);
    return slide.surfaces == 2u ? line * (dot(v, line) / dot(line, line)) : vec3(0.0);
}

// The acceleration of a particle that slides, friction included, and when that brings it to a halt.
vec3 sliding(inout Particle one, Slide slide, vec3 a, out float halt)
{
    float loss = friction * pressure(slide, a), speed = length(one.v);
    vec3 now = along_surfaces(slide, a);
    if (slide.surfaces == 1u && dot(a, slide.normals[0]) > 0.0)
        now = a; // it is pulled away
    halt = NEVER;
    float size = length(now);
    if (speed <= loss * GRZ_REST_SECONDS && size <= loss) {
        one.v = vec3(0.0);
        return vec3(0.0);
    }
    if (loss == 0.0)
        return now;
    if (speed <= loss * GRZ_REST_SECONDS)
        return now * (1.0 - loss / size);
    now -= loss / speed * one.v;
    float slowing = -dot(now, one.v) / speed;
    if (slowing > 0.0)
        halt = speed / slowing;
    return now;
}

void fly_on(inout Slide slide)
{
    slide.surfaces = 0u;
    slide.normals = mat2x3(0.0);
}

// Fly until something happens. True: `hit` is it.
bool fly(inout Particle one, vec3 a, inout Start start, inout Slide slide, inout Hit hit)
{
    float halt = NEVER;
    vec3 now = slide.surfaces > 0u ? sliding(one, slide, a, halt) : a;
    hit.time = min(one.left, halt);
    hit.kind = 0xffffffffu;
    slide.end = NEVER;
    for (uint view = 0u; view < view_count; view++)
        follow(view, one.p, one.v, now, start, slide, hit);
    bool ends = slide.end < hit.time, hits = !ends && hit.kind != 0xffffffffu;
    float time = ends ? slide.end : hit.time;
    vec3 before = one.v;
    advance(one, time * (one.v + 0.5 * time * now));
    one.v += time * now;
    one.time += time;
    one.left = ends || hits || halt < one.left ? one.left - time : 0.0;
    start.known = false;
    if (ends) {
        start = slide.next;
        slide.last = slide.surfaces == 1u || (slide.surfaces == 2u && time == 0.0) ? slide.normals : mat2x3(0.0);
        slide.last_time = one.time;
        fly_on(slide);
    } else if (!hits && halt <= time) {
        one.v -= dot(one.v, before) / dot(before, before) * before;
        slide.contacts++;
    }
    return hits;
}

// A particle that has just come to a surface and does not leave it: what it slides on now.
void slide_on(inout Particle one, vec3 a, Hit hit, inout Slide slide)
{
    // Two surfaces may meet at the side of a pixel: then it comes from one to the other, and back, in no time.
    bool knows = slide.surfaces == 0u && slide.last[0] != vec3(0.0) &&
                 one.time - slide.last_time <= GRZ_REST_SECONDS;
    bool same = max(dot(hit.normal, slide.last[0]), dot(hit.normal, slide.last[1])) > GRZ_SAME_SURFACE;
    bool two = slide.last[1] != vec3(0.0);
    if (knows && two == same) {
        slide.surfaces = 1u;
        slide.normals = mat2x3(same && dot(hit.normal, slide.last[0]) > GRZ_SAME_SURFACE ? slide.last[1] : slide.last[0],
                               vec3(0.0));
    }
    Slide both = slide;
    both.surfaces++;
    both.view = hit.view;
    both.normals[1] = hit.normal;
    float rest = max(length(a) * GRZ_REST_SECONDS, GRZ_REST_SPEED * length(one.v));
    vec3 pull = a - dot(a, hit.normal) * hit.normal;
    bool holds = slide.surfaces == 2u || dot(one.v, slide.normals[0]) <= rest && dot(pull, slide.normals[0]) < 0.0;
    if (slide.surfaces == 0u || !holds) { // it leaves what it was on
        both.surfaces = 1u;
        both.normals = mat2x3(hit.normal, vec3(0.0));
    } else {
        if (dot(hit.normal, slide.normals[0]) < -GRZ_SAME_SURFACE || slide.surfaces == 2u)
            both.surfaces = 3u; // between two that face each other, or where three meet
        if (slide.surfaces == 2u)
            both.normals = slide.normals;
        one.v = along_surfaces(both, one.v);
    }
    slide = both;
}

void respond(inout Particle one, vec3 a, Hit hit, inout Start start, inout Slide slide, inout uint bounces)
{
    bool is_bounce;
    start = Start(true, false, hit.view, hit.cell, 0, 0);
    if (hit.kind == GRZ_HIT_EDGE) {
        vec3 across = hit.axis == 0 ? views[hit.view].right.xyz : views[hit.view].up.xyz;
        list(one, hit);
        advance(one, -float(hit.step) * GRZ_NUDGE * pixel[hit.view][hit.axis] * across);
        bounce(one, hit.normal, vec3(0.0), is_bounce);
        fly_on(slide);
        bounces++;
    } else {
        bool leaves = bounce(one, hit.normal, a, is_bounce);
        if (is_bounce) {
            list(one, hit);
            bounces++;
        } else {
            slide.contacts++; // too slow for a bounce
        }
        if (leaves)
            fly_on(slide);
        else
            slide_on(one, a, hit, slide);
    }
}

// Returns how often it bounced; whether it was pushed before.
uint move(inout Particle one, out bool pushed)
{
    vec3 a = acceleration_of(one.p);
    Start start = Start(false, false, 0u, ivec2(0), 0, 0);
    Slide slide;
    Hit hit;
    uint bounces = 0u;
    fly_on(slide);
    slide.last = mat2x3(0.0);
    slide.contacts = 0u;
    pushed = push_out(one);
    // In a corner it may touch one surface after the other without getting anywhere.
    while (one.left > 0.0 && bounces < max_bounces && slide.contacts < GRZ_MOST_CONTACTS + 4u * passed &&
           work < most_work)
        if (fly(one, a, start, slide, hit))
            respond(one, a, hit, start, slide, bounces);
    return bounces;
}

void step_particle(uint number)
{
    uint word = offset + number * stride;
    vec3 p = vec3(particles[word], particles[word + 1u], particles[word + 2u]);
    vec3 v = vec3(particles[word + 4u], particles[word + 5u], particles[word + 6u]);
    Particle one = Particle(p - origin.xyz, v, vec3(0.0), 0.0, acceleration.w, number, 0u);
    if (!is_number(p) || !is_number(v) || !is_number(one.p)) {
        atomicAdd(sums[GRZ_COUNT_SKIPPED], 1u);
        return;
    }
    bool pushed;
    uint bounces = move(one, pushed);
    p += one.way;
    if (!is_number(p) || !is_number(one.v)) {
        atomicAdd(sums[GRZ_COUNT_SKIPPED], 1u); // it stays where it was
        return;
    }
    atomicAdd(sums[GRZ_COUNT_MOVED], 1u);
    atomicAdd(sums[GRZ_COUNT_BOUNCES], bounces);
    atomicAdd(sums[GRZ_COUNT_HIT], bounces > 0u ? 1u : 0u);
    atomicAdd(sums[GRZ_COUNT_PUSHED], pushed ? 1u : 0u);
    atomicAdd(sums[GRZ_COUNT_STOPPED], one.left > 0.0 ? 1u : 0u);
    for (uint i = 0u; i < 3u; i++) {
        particles[word + i] = p[i];
        particles[word + 4u + i] = one.v[i];
    }
}

void main()
{
    uint local = gl_LocalInvocationIndex, number = invocation_number();
    if (local < uint(GRZ_COUNT_WORDS))
        sums[local] = 0u;
    barrier();
    if (number < count)
        step_particle(number);
    barrier();
    if (local < uint(GRZ_COUNT_WORDS) && sums[local] != 0u)
        atomicAdd(counts[local], sums[local]);
}
