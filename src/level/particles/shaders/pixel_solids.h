// SPDX-License-Identifier: MIT
// What is solid in a pixel of a view, and when a flight meets it. A solid is what lies between two planes within the
// pixel's sides; each is moved outwards by the particles' radius.
//
// Loops here and in the files that include this one are left by their conditions alone. With `return` or `continue` in
// a loop, Mesa 22.3's llvmpipe let some invocations of a group skip code after it.

layout(std430, binding = GRZ_BIND_PARTICLE_SURFACES) readonly buffer surfaces_buffer
{
    vec4 surfaces[]; // entries of pixels: depth at the centre, slopes, kind
};

const float NEVER = 3.0e38; // a time that is not reached: nearly the largest float

// What this invocation has done so far: turns of loops, and sides of pixels that it has gone through. llvmpipe leaves
// all loops of a shader after 65,536 turns, counted for the invocations of a vector together; `most_work` of the plan
// keeps it away from that.
uint work = 0u, passed = 0u;

// A solid. Plane 0 is its side towards the eye, plane 1 the other one. A plane that was not drawn, but lies behind a
// surface by its thickness, blocks nobody: what comes from there may leave.
struct Solid {
    vec4 planes[2];  // depth at the pixel's centre, slopes to the right and up; w: how far it is moved, along the view
    uint entries[2]; // numbers of the surfaces that they are of
    bvec2 blocks;
};

// A flight in a pixel: position from the pixel's centre in pixels and depth in units of length; velocity; acceleration.
struct Flight {
    vec3 at, velocity, acceleration;
};

// The first moment at which something is met.
struct Hit {
    float time;
    vec3 normal; // in the world
    uint kind, view, entry;
    ivec2 cell;     // of the particle then
    int axis, step; // of an edge: the side of the pixel through which the particle was about to go
};

float moved(uint view, vec2 slopes)
{
    vec2 slant = slopes / pixel[view]; // in units of length
    return radius * sqrt(1.0 + dot(slant, slant));
}

// The normal of a plane of a solid, away from the solid, in the world.
vec3 normal_of(uint view, vec2 slopes, int end)
{
    vec2 slant = slopes / pixel[view];
    vec3 n = normalize(vec3(slant, -1.0));
    if (end == 1)
        n = -n;
    return n.x * views[view].right.xyz + n.y * views[view].up.xyz + n.z * views[view].forwards.xyz;
}

// The solid that begins at an entry of a pixel; the entry after it. False: there are no more.
bool next_solid(uint view, uint first, inout uint i, out Solid solid)
{
    work++;
    if (i >= layers)
        return false;
    vec4 entry = surfaces[first + i];
    uint kind = uint(entry.w);
    if (kind == GRZ_ENTRY_NONE)
        return false;
    vec4 plane = vec4(entry.xyz, moved(view, entry.yz));
    solid.planes[0] = solid.planes[1] = plane;
    solid.entries[0] = solid.entries[1] = first + i;
    solid.blocks = bvec2(kind != GRZ_ENTRY_BACK || sheets != 0u, kind != GRZ_ENTRY_FRONT || sheets != 0u);
    i++;
    if (kind == GRZ_ENTRY_OPENS) {
        entry = surfaces[first + i];
        solid.planes[1] = vec4(entry.xyz, moved(view, entry.yz));
        solid.entries[1] = first + i;
        i++;
    } else if (kind == GRZ_ENTRY_FRONT) {
        solid.planes[1].x += thickness;
    } else {
        solid.planes[0].x -= thickness;
    }
    return true;
}

// How deep a point is behind a plane, along the view: below 0 outside.
float behind(vec4 plane, int end, vec3 at)
{
    float depth = at.z - (plane.x + plane.y * at.x + plane.z * at.y);
    return (end == 0 ? depth : -depth) + plane.w;
}

// How fast that grows.
float growth(vec4 plane, int end, vec3 velocity)
{
    float speed = velocity.z - (plane.y * velocity.x + plane.z * velocity.y);
    return end == 0 ? speed : -speed;
}

// The first time above 0 at which depth + speed · t + pull · t² / 2 becomes 0 from below. `depth` is not above 0.
float rise(float depth, float speed, float pull)
{
    float square = speed * speed - 2.0 * pull * depth;
    if (square < 0.0)
        return NEVER;
    float root = sqrt(square);
    if (speed > 0.0)
        return -2.0 * depth / (speed + root);
    return pull > 0.0 ? (root - speed) / pull : NEVER;
}

// When a flight that is inside goes deeper behind a plane: now, where it turns, or where it comes back. `depth` is
// above 0.
float sink(float depth, float speed, float pull)
{
    if (speed > 0.0)
        return 0.0;
    if (pull <= 0.0)
        return NEVER;
    float turn = -speed / pull;
    if (depth + 0.5 * speed * turn >= 0.0) // still inside there
        return turn;
    return (sqrt(speed * speed - 2.0 * pull * depth) - speed) / pull;
}

// The plane of a solid that is nearest to a point inside, of those that block, and how deep the point is behind it,
// across the plane.
int nearest_plane(Solid solid, uint view, vec3 at, out float depth)
{
    vec2 deep;
    for (int end = 0; end < 2; end++) {
        vec2 slant = solid.planes[end].yz / pixel[view];
        deep[end] = behind(solid.planes[end], end, at) * inversesqrt(1.0 + dot(slant, slant));
    }
    int end = solid.blocks[0] && (deep[0] <= deep[1] || !solid.blocks[1]) ? 0 : 1;
    depth = deep[end];
    return end;
}

bool is_inside(Solid solid, vec3 at)
{
    return behind(solid.planes[0], 0, at) > 0.0 && behind(solid.planes[1], 1, at) > 0.0;
}

// Up to this depth a point belongs in front of a surface: the radius, and as much again for what pixels do not show.
float shallow()
{
    return 2.0 * radius;
}

uint first_entry(uint view, ivec2 cell)
{
    return ((view * resolution + uint(cell.y)) * resolution + uint(cell.x)) * layers;
}

bool is_in_map(ivec2 cell)
{
    return all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, ivec2(int(resolution))));
}

// True if a point is deeper than this inside a solid of a pixel; `solid` is it then.
bool is_deeper(float most, uint view, ivec2 cell, vec3 at, out Solid solid)
{
    uint first = first_entry(view, cell), i = 0u;
    bool deep = false;
    while (!deep && next_solid(view, first, i, solid))
        if (is_inside(solid, at)) {
            float depth;
            nearest_plane(solid, view, at, depth);
            deep = depth > most;
        }
    return deep;
}

void offer(inout Hit hit, float time, uint view, Solid solid, int end, ivec2 cell, float start, mat2x3 sliding_on)
{
    if (start + time >= hit.time)
        return;
    vec3 normal = normal_of(view, solid.planes[end].yz, end);
    if (max(dot(normal, sliding_on[0]), dot(normal, sliding_on[1])) > GRZ_SAME_SURFACE)
        return;
    hit.time = start + time;
    hit.normal = normal;
    hit.kind = GRZ_HIT_SURFACE;
    hit.view = view;
    hit.entry = solid.entries[end];
    hit.cell = cell;
}

// Look for the first hit of a flight with a solid of a pixel, before `span`. `start` is the time at which the flight
// begins there. True: it has just come into the solid through a side of the pixel, far from the solid's planes.
bool meet(uint view, ivec2 cell, Flight flight, float start, float span, mat2x3 sliding_on, inout Hit hit)
{
    uint first = first_entry(view, cell), i = 0u;
    bool is_in_wall = false;
    Solid solid;
    while (next_solid(view, first, i, solid)) {
        vec2 deep, speed, pull;
        for (int end = 0; end < 2; end++) {
            deep[end] = behind(solid.planes[end], end, flight.at);
            speed[end] = growth(solid.planes[end], end, flight.velocity);
            pull[end] = growth(solid.planes[end], end, flight.acceleration);
        }
        if (deep[0] > 0.0 && deep[1] > 0.0) {
            float depth;
            int end = nearest_plane(solid, view, flight.at, depth);
            float time = depth <= shallow() ? sink(deep[end], speed[end], pull[end]) : NEVER;
            is_in_wall = is_in_wall || depth > shallow();
            if (time <= span)
                offer(hit, time, view, solid, end, cell, start, sliding_on);
        } else {
            for (int end = 0; end < 2; end++) {
                float time = deep[end] <= 0.0 && solid.blocks[end] ? rise(deep[end], speed[end], pull[end]) : NEVER;
                int other = 1 - end;
                if (time <= span && deep[other] + time * (speed[other] + 0.5 * time * pull[other]) >= 0.0)
                    offer(hit, time, view, solid, end, cell, start, sliding_on);
            }
        }
    }
    return is_in_wall;
}
