// SPDX-License-Identifier: MIT
// Signs of determinants of vectors that are wrong by less than is known.

float sum_of(vec3 v)
{
    vec3 size = abs(v);
    return size.x + size.y + size.z;
}

vec3 across(vec3 u, vec3 v)
{
    precise vec3 w = u.yzx * v.zxy - u.zxy * v.yzx;
    return w;
}

// The sign of det(u, v, w), 0 where it is not known: u and v are wrong by less than `most` along each axis, w by less than `last`.
int sign_of(vec3 u, vec3 v, vec3 w, float most, float last)
{
    vec3 uv = across(u, v), vw = across(v, w), wu = across(w, u);
    precise float value = (uv.x * w.x + uv.y * w.y) + uv.z * w.z, a = sum_of(u), b = sum_of(v), c = sum_of(w);
    precise float once = most * (sum_of(vw) + sum_of(wu)) + last * sum_of(uv);
    precise float twice = 2.0 * most * (most * c + last * (a + b));
    precise float thrice = 6.0 * most * most * last;
    precise float rounded = (a + most) * (b + most) * (c + last) * 9.5367431640625e-7; // 2^-20
    precise float wrong = (once + twice + thrice + rounded) * 1.0001;
    return value > wrong ? 1 : (value < -wrong ? -1 : 0);
}
