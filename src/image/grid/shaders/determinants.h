// SPDX-License-Identifier: MIT
// Signs of determinants of vectors with a known bound on their error; a sign is returned only if it is certain.

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

// The sign of det(u, v, w), or 0 if it is not certain. Each coordinate of u and v is wrong by less than `error_uv`, of
// w by less than `error_w`. `once`, `twice` and `thrice` bound the terms with one, two and three errors, `rounded` the
// rounding of the arithmetic here.
int sign_of(vec3 u, vec3 v, vec3 w, float error_uv, float error_w)
{
    vec3 uv = across(u, v), vw = across(v, w), wu = across(w, u);
    precise float value = (uv.x * w.x + uv.y * w.y) + uv.z * w.z, a = sum_of(u), b = sum_of(v), c = sum_of(w);
    precise float once = error_uv * (sum_of(vw) + sum_of(wu)) + error_w * sum_of(uv);
    precise float twice = 2.0 * error_uv * (error_uv * c + error_w * (a + b));
    precise float thrice = 6.0 * error_uv * error_uv * error_w;
    precise float rounded = (a + error_uv) * (b + error_uv) * (c + error_w) * 9.5367431640625e-7; // 2^-20
    precise float wrong = (once + twice + thrice + rounded) * 1.0001;
    return value > wrong ? 1 : (value < -wrong ? -1 : 0);
}
