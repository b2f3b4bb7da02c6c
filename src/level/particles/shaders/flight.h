// SPDX-License-Identifier: MIT
// Follows the parabola of a particle through the pixels of a view. Around the map lies a frame of cells without end in
// which there is nothing.

// The time until a flight has gone through a side of its cell along one axis. `ahead` and `back` are the distances to
// the upper and the lower side, not below 0. `step` receives 1 or -1.
float leave_time(float ahead, float back, float speed, float pull, out int step)
{
    bool upwards = speed > 0.0 || (speed == 0.0 && pull > 0.0);
    step = upwards ? 1 : -1;
    float way = upwards ? ahead : back, other = upwards ? back : ahead;
    if (!upwards) {
        speed = -speed;
        pull = -pull;
    }
    if (way < NEVER) {
        float square = speed * speed + 2.0 * pull * way, sum = speed + sqrt(max(square, 0.0));
        if (square >= 0.0)
            return sum > 0.0 ? 2.0 * way / sum : (way > 0.0 || pull <= 0.0 ? NEVER : 0.0);
    }
    step = -step; // it turns before it gets there, if at all
    return pull < 0.0 && other < NEVER ? (speed + sqrt(speed * speed - 2.0 * pull * other)) / -pull : NEVER;
}

// The normal of an edge at a cell that is solid at some depth: away from what is solid around it, if velocity `v` goes
// that way. In the world.
vec3 edge_normal(uint view, ivec2 cell, float depth, vec3 v, int axis, int step)
{
    vec2 sum = vec2(0.0);
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            ivec2 at = cell + ivec2(dx, dy);
            Solid solid;
            if (is_in_map(at) && is_deeper(shallow(), view, at, vec3(0.0, 0.0, depth), solid))
                sum -= vec2(dx, dy);
        }
    sum *= pixel[view].yx; // perpendicular to the side, in units of length
    vec3 normal = sum.x * views[view].right.xyz + sum.y * views[view].up.xyz;
    vec3 straight = -float(step) * (axis == 0 ? views[view].right.xyz : views[view].up.xyz);
    return dot(normal, v) < 0.0 ? normalize(normal) : straight; // the particle comes from there
}

vec3 to_view(uint view, vec3 p)
{
    return vec3(dot(views[view].column.xyz, p), dot(views[view].row.xyz, p), dot(views[view].depth.xyz, p));
}

vec3 place_in_view(uint view, vec3 p)
{
    return to_view(view, p) + vec3(views[view].column.w, views[view].row.w, views[view].depth.w);
}

ivec2 cell_of(vec3 place)
{
    return ivec2(clamp(floor(place.xy), vec2(-1.0), vec2(float(resolution))));
}

// Where a flight begins in one view: in which cell, and through which side it has just come there. The other views know
// no more than its position.
struct Start {
    bool known, came;
    uint view;
    ivec2 cell;
    int axis, step;
};

// A particle that slides: on one surface, along the line where two meet, or held where three do. It slides up to the
// next cell of the view that shows the last of them.
struct Slide {
    uint surfaces; // 0: it flies
    uint view;
    mat2x3 normals; // of the first two, else 0
    mat2x3 last;    // of the surface that it was on until `last_time`, in the cell before; of two, if that took no time
    float last_time;
    float end;     // receives the time at which the cell ends
    uint contacts; // too slow for bounces, so far
    Start next;
};

void hit_edge(uint view, ivec2 cell, int axis, int step, vec3 at, vec3 v, float time, inout Hit hit)
{
    Solid solid;
    float depth;
    is_deeper(shallow(), view, cell, at, solid);
    hit.entry = solid.entries[nearest_plane(solid, view, at, depth)];
    hit.time = time;
    hit.kind = GRZ_HIT_EDGE;
    hit.normal = edge_normal(view, cell, at.z, v, axis, step);
    hit.view = view;
    hit.axis = axis;
    hit.step = step;
    cell[axis] -= step; // it stays before the edge
    hit.cell = cell;
}

// Find the first hit of a flight in one view before hit.time. `p` is relative to `origin`.
void follow(uint view, vec3 p, vec3 v, vec3 a, Start start, inout Slide slide, inout Hit hit)
{
    vec3 place = place_in_view(view, p), velocity = to_view(view, v), acceleration = to_view(view, a);
    bool mine = start.known && start.view == view, came = mine && start.came;
    ivec2 cell = mine ? start.cell : cell_of(place);
    int axis = start.axis, step = start.step;
    float time = 0.0;
    bool goes_on = true;
    while (goes_on && time <= min(hit.time, slide.end) && work < most_work) {
        work++;
        Flight flight =
            Flight(place + time * (velocity + 0.5 * time * acceleration), velocity + time * acceleration, acceleration);
        vec2 times;
        ivec2 steps;
        for (int i = 0; i < 2; i++) {
            float high = cell[i] >= int(resolution) ? NEVER : float(cell[i] + 1) - flight.at[i];
            float low = cell[i] < 0 ? NEVER : flight.at[i] - float(cell[i]);
            times[i] = leave_time(max(high, 0.0), max(low, 0.0), flight.velocity[i], flight.acceleration[i], steps[i]);
        }
        int leaving = times[0] <= times[1] ? 0 : 1;
        float left = min(hit.time, slide.end) - time;
        if (is_in_map(cell)) {
            flight.at.xy -= vec2(cell) + 0.5;
            if (meet(view, cell, flight, time, min(times[leaving], left), slide.normals, hit) && came &&
                view_count == 1u)
                hit_edge(view, cell, axis, step, flight.at, v + time * a, time, hit);
            left = min(left, hit.time - time);
        }
        goes_on = times[leaving] < left;
        if (goes_on) {
            time += times[leaving];
            axis = leaving;
            step = steps[leaving];
            cell[axis] += step;
            passed++;
            came = true;
            if (slide.surfaces > 0u && slide.view == view) {
                slide.end = time;
                slide.next = Start(true, true, view, cell, axis, step);
                goes_on = false;
            }
        }
    }
}
