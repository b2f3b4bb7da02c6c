// SPDX-License-Identifier: MIT
// Records of faces, and the viewing volume of a face: what lies between two planes beside it and inside its sides.

struct face_record {
    uint triangle, count; // its first triangle; how many corners it has, 0: it is none
    vec3 corners[4];      // in cells, which have the same size along all axes
};

layout(std430, binding = GRZ_BIND_VOXEL_RECORDS) buffer records_buffer
{
    uvec4 records[]; // GRZ_FACE_VECTORS each
};

void store_face(uint number, face_record face)
{
    uint at = GRZ_FACE_VECTORS * number;
    records[at] = uvec4(face.triangle, face.count, floatBitsToUint(face.corners[0].xy));
    records[at + 1u] = uvec4(floatBitsToUint(face.corners[0].z), floatBitsToUint(face.corners[1]));
    records[at + 2u] = uvec4(floatBitsToUint(face.corners[2]), floatBitsToUint(face.corners[3].x));
    records[at + 3u] = uvec4(floatBitsToUint(face.corners[3].yz), 0u, 0u);
}

face_record load_face(uint number)
{
    uint at = GRZ_FACE_VECTORS * number;
    uvec4 a = records[at], b = records[at + 1u], c = records[at + 2u], d = records[at + 3u];
    return face_record(a.x, a.y,
                       vec3[4](uintBitsToFloat(uvec3(a.zw, b.x)), uintBitsToFloat(b.yzw), uintBitsToFloat(c.xyz),
                               uintBitsToFloat(uvec3(c.w, d.xy))));
}

void bound_face(face_record face, out vec3 least, out vec3 most)
{
    least = min(face.corners[0], min(face.corners[1], face.corners[2]));
    most = max(face.corners[0], max(face.corners[1], face.corners[2]));
    if (face.count == 4u) {
        least = min(least, face.corners[3]);
        most = max(most, face.corners[3]);
    }
}

const uint MOST_CORNERS = 12u; // of a triangle that was cut by up to six planes, and more than it can have

vec3 polygon[MOST_CORNERS];
uint polygon_count;

// Keep the part of the polygon where normal · x <= limit.
void cut_polygon(vec3 normal, float limit)
{
    vec3 kept[MOST_CORNERS];
    uint count = 0u;
    for (uint i = 0u; i < polygon_count; i++) {
        vec3 p = polygon[i], q = polygon[i + 1u < polygon_count ? i + 1u : 0u];
        float at_p = dot(normal, p) - limit, at_q = dot(normal, q) - limit;
        if (at_p <= 0.0 && count < MOST_CORNERS)
            kept[count++] = p;
        if (at_p * at_q < 0.0 && count < MOST_CORNERS)
            kept[count++] = p + (q - p) * (at_p / (at_p - at_q));
    }
    polygon_count = count;
    for (uint i = 0u; i < count; i++)
        polygon[i] = kept[i];
}

// The corner of a quad that points inwards; 4: there is none.
uint inward_corner(vec3 corners[4])
{
    vec3 normal = cross(corners[2] - corners[0], corners[3] - corners[1]);
    for (uint i = 0u; i < 4u; i++)
        if (dot(cross(corners[i] - corners[(i + 3u) % 4u], corners[(i + 1u) % 4u] - corners[i]), normal) < 0.0)
            return i;
    return 4u;
}

// True if something of the polygon lies in the viewing volume of a convex face of `count` corners. A face without area
// has no volume. The polygon is relative to the face's first corner. Two planes lie beside the face, the others go
// through its sides; the rectangle around the face, which the paper starts from, cuts nothing more away.
bool polygon_reaches_into(vec3 corners[4], uint count, float half_thickness)
{
    vec3 normal = count == 4u ? cross(corners[2] - corners[0], corners[3] - corners[1])
                              : cross(corners[1] - corners[0], corners[2] - corners[0]);
    float size = length(normal);
    if (!(size > 0.0))
        return false;
    normal /= size;
    // A quad's plane goes through the mean of its corners, which need not lie in it.
    vec3 mean = count == 4u ? 0.25 * ((corners[1] - corners[0]) + (corners[2] - corners[0]) + (corners[3] - corners[0]))
                            : vec3(0.0);
    float offset = dot(normal, mean);
    for (uint i = 0u; i < count + 2u && polygon_count > 0u; i++) {
        uint from = i - 2u;
        vec3 outwards = i == 0u ? normal : -normal;
        float limit = i == 0u ? half_thickness + offset : half_thickness - offset;
        if (i >= 2u) {
            outwards = cross(corners[from + 1u < count ? from + 1u : 0u] - corners[from], normal);
            limit = dot(outwards, corners[from] - corners[0]);
        }
        cut_polygon(outwards, limit);
    }
    return polygon_count > 0u;
}

// True if something of a face lies in the viewing volume of another. A quad that is not convex has two volumes, one on
// each side of the diagonal from its inward corner. A quad is two triangles where it is looked at, on both sides of
// such a diagonal, or of the one from its first corner.
bool selects(face_record reference, face_record other, float half_thickness)
{
    uint inward = reference.count == 4u ? inward_corner(reference.corners) : 4u;
    uint start = inward == 4u ? 0u : inward, volumes = inward == 4u ? 1u : 2u;
    uint other_inward = other.count == 4u ? inward_corner(other.corners) : 4u, from = other_inward % 4u;
    for (uint i = 0u; i < volumes * (other.count - 2u); i++) {
        uint volume = i % volumes, second = i / volumes;
        vec3 corners[4];
        for (uint k = 0u; k < 4u; k++)
            corners[k] = reference.corners[(start + (k > 0u ? k + volume : 0u)) % 4u];
        polygon[0] = other.corners[from] - corners[0];
        polygon[1] = other.corners[(from + 1u + second) % 4u] - corners[0];
        polygon[2] = other.corners[(from + 2u + second) % 4u] - corners[0];
        polygon_count = 3u;
        if (polygon_reaches_into(corners, volumes == 2u ? 3u : reference.count, half_thickness))
            return true;
    }
    return false;
}
