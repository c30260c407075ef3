#include "render_shaders.h"

#define VERSION "#version 330 core\n"

/* The studio's backdrop: light, a little darker away from a soft pool of light in the middle. */
#define BACKDROP                                                                                   \
    "vec3 backdrop(vec2 at)\n"                                                                     \
    "{\n"                                                                                          \
    "    vec2 d = (at - vec2(0.5, 0.42)) * vec2(0.95, 0.9);\n"                                     \
    "    float pool = exp(-2.2 * dot(d, d));\n"                                                    \
    "    return mix(backdrop_edge, backdrop_middle, pool);\n"                                      \
    "}\n"

const char *const render_shadow_vertex = VERSION "layout(location = 0) in vec3 position;\n"
                                                 "uniform mat4 light;\n"
                                                 "void main()\n"
                                                 "{\n"
                                                 "    gl_Position = light * vec4(position, 1.0);\n"
                                                 "}\n";

const char *const render_shadow_fragment = VERSION "void main() {}\n";

const char *const render_body_vertex =
    VERSION "layout(location = 0) in vec3 position;\n"
            "layout(location = 1) in vec3 normal;\n"
            "layout(location = 2) in float value;\n"
            "layout(location = 3) in vec4 colour;\n"
            "uniform mat4 view;\n"
            "uniform mat4 key_light;\n"
            "uniform mat4 sky_light;\n"
            "uniform vec3 key_direction;\n"
            "uniform vec3 sky_direction;\n"
            "uniform vec2 lift;\n" /* m towards each light, against a surface shadowing itself */
            "out vec3 at;\n"
            "out vec3 facing;\n"
            "out vec3 key_at;\n"
            "out vec3 sky_at;\n"
            "out vec3 edge;\n"
            "out float level;\n"
            "out vec4 paint;\n"
            "void main()\n"
            "{\n"
            "    int corner = gl_VertexID % 3;\n"
            "    vec3 key_lift = normal * (lift.x * sign(dot(normal, key_direction)));\n"
            "    vec3 sky_lift = normal * (lift.y * sign(dot(normal, sky_direction)));\n"
            "    edge = vec3(corner == 0, corner == 1, corner == 2);\n"
            "    at = position;\n"
            "    facing = normal;\n"
            "    level = value;\n"
            "    paint = colour;\n"
            "    key_at = (key_light * vec4(position + key_lift, 1.0)).xyz * 0.5 + 0.5;\n"
            "    sky_at = (sky_light * vec4(position + sky_lift, 1.0)).xyz * 0.5 + 0.5;\n"
            "    gl_Position = view * vec4(position, 1.0);\n"
            "}\n";

#define BODY_INPUTS                                                                                \
    "in vec3 at;\n"                                                                                \
    "in vec3 facing;\n"                                                                            \
    "in vec3 key_at;\n"                                                                            \
    "in vec3 sky_at;\n"                                                                            \
    "in vec3 edge;\n"                                                                              \
    "in float level;\n"                                                                            \
    "in vec4 paint;\n"                                                                             \
    "out vec4 result;\n"                                                                           \
    "uniform sampler2DShadow key_shadow;\n"                                                        \
    "uniform sampler2DShadow sky_shadow;\n"                                                        \
    "uniform sampler2D palette;\n"                                                                 \
    "uniform vec3 eye;\n"                                                                          \
    "uniform vec3 key_direction;\n"                                                                \
    "uniform vec3 key_colour;\n"                                                                   \
    "uniform vec3 sky_direction;\n"                                                                \
    "uniform vec3 sky_colour;\n"                                                                   \
    "uniform vec3 open_ground;\n"   /* light on the ground where nothing shadows it */             \
    "uniform vec3 ground_middle;\n" /* x, z and reach of the grid's fading, m */                   \
    "uniform vec3 backdrop_edge;\n"                                                                \
    "uniform vec3 backdrop_middle;\n"                                                              \
    "uniform vec2 picture;\n" /* pixels */                                                         \
    "uniform float ground;\n" /* height, m */                                                      \
    "uniform float reach;\n"  /* radius of the scene, m */                                         \
    "uniform float grid;\n"   /* distance of the lines, m; 0: none */                              \
    "uniform float wire;\n"                                                                        \
    "uniform float bounce;\n"                                                                      \
    "uniform bool flat_shading;\n"

/* A soft dielectric: Lambert below, GGX above. */
#define BODY_LIGHT                                                                                 \
    "float gloss(vec3 n, vec3 v, vec3 l, float roughness)\n"                                       \
    "{\n"                                                                                          \
    "    vec3 h = normalize(v + l);\n"                                                             \
    "    float a = roughness * roughness;\n"                                                       \
    "    float nh = max(dot(n, h), 0.0);\n"                                                        \
    "    float d = nh * nh * (a * a - 1.0) + 1.0;\n"                                               \
    "    float nv = max(dot(n, v), 0.05);\n"                                                       \
    "    float nl = max(dot(n, l), 0.0);\n"                                                        \
    "    float k = 0.5 * a;\n"                                                                     \
    "    float shade = 0.25 / ((nv * (1.0 - k) + k) * (nl * (1.0 - k) + k));\n"                    \
    "    float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(v, h), 0.0), 5.0);\n"                     \
    "    return fresnel * shade * a * a / (d * d) * nl;\n"                                         \
    "}\n"

const char *const render_body_fragment = VERSION BODY_INPUTS BODY_LIGHT
    "void main()\n"
    "{\n"
    "    vec3 n = flat_shading ? cross(dFdx(at), dFdy(at)) : facing;\n"
    "    vec3 v = normalize(eye - at);\n"
    "    n = dot(n, n) > 0.0 ? normalize(n) : v;\n"
    "    n = flat_shading ? (dot(n, v) < 0.0 ? -n : n) : (gl_FrontFacing ? n : -n);\n"
    "    vec3 base = level < 0.0 ? paint.rgb : texture(palette, vec2(level, 0.5)).rgb;\n"
    "    base = pow(base, vec3(2.2));\n"
    "    if (wire > 0.0) {\n"
    "        vec3 w = fwidth(edge);\n"
    "        vec3 near = clamp(1.1 - edge / max(w, vec3(1e-6)), 0.0, 1.0);\n"
    "        base *= 1.0 - wire * max(near.x, max(near.y, near.z));\n"
    "    }\n"
    "    float key_seen = dot(n, key_direction) > 0.0 ? texture(key_shadow, key_at) : 0.0;\n"
    "    float sky_seen = dot(n, sky_direction) > 0.0 ? texture(sky_shadow, sky_at) : 0.0;\n"
    "    vec3 key = key_colour * key_seen;\n"
    "    vec3 sky = sky_colour * sky_seen;\n"
    "    vec3 light = key * max(dot(n, key_direction), 0.0) + sky * max(dot(n, sky_direction), "
    "0.0);\n"
    "    float high = max(at.y - ground, 0.0);\n"
    "    float below = 0.5 - 0.5 * n.y;\n"
    "    light += bounce * backdrop_middle * open_ground * below * (0.15 + 0.85 * high / (high + "
    "0.2 * reach));\n"
    "    vec3 shine = key * gloss(n, v, key_direction, 0.42) + sky * gloss(n, v, sky_direction, "
    "0.5);\n"
    "    result = vec4(base * light + shine, 1.0);\n"
    "}\n";

/* A shadow catcher: the backdrop, darkened by what is missing of the light on open ground. */
const char *const render_ground_fragment = VERSION BODY_INPUTS BACKDROP
    "void main()\n"
    "{\n"
    "    vec3 e = key_colour * max(key_direction.y, 0.0) * texture(key_shadow, key_at) +\n"
    "             sky_colour * sky_direction.y * texture(sky_shadow, sky_at);\n"
    "    vec3 base = backdrop(gl_FragCoord.xy / picture);\n"
    "    if (grid > 0.0) {\n"
    "        vec2 g = at.xz / grid;\n"
    "        vec2 w = fwidth(g);\n"
    "        vec2 line = clamp(1.2 - abs(fract(g - 0.5) - 0.5) / max(w, vec2(1e-6)), 0.0, 1.0);\n"
    "        float d = length(at.xz - ground_middle.xy) / ground_middle.z;\n"
    "        float fade = exp(-d * d) * clamp(1.0 - 2.5 * max(w.x, w.y), 0.0, 1.0);\n"
    "        base *= 1.0 - 0.10 * fade * max(line.x, line.y);\n"
    "    }\n"
    "    result = vec4(base * e / open_ground, 1.0);\n"
    "}\n";

const char *const render_whole_vertex =
    VERSION "void main()\n"
            "{\n"
            "    vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
            "    gl_Position = vec4(p, 1.0, 1.0);\n"
            "}\n";

const char *const render_backdrop_fragment =
    VERSION "out vec4 result;\n"
            "uniform vec3 backdrop_edge;\n"
            "uniform vec3 backdrop_middle;\n"
            "uniform vec2 picture;\n" BACKDROP "void main()\n"
            "{\n"
            "    result = vec4(backdrop(gl_FragCoord.xy / picture), 1.0);\n"
            "}\n";

const char *const render_sum_fragment =
    VERSION "out vec4 result;\n"
            "uniform sampler2D source;\n"
            "void main()\n"
            "{\n"
            "    vec4 c = texelFetch(source, ivec2(gl_FragCoord.xy), 0);\n"
            /* One bad number would stay in the sum for ever. */
            "    result = any(isnan(c)) || any(isinf(c)) ? vec4(0.0) : c;\n"
            "}\n";

/* Colours below the shoulder are kept as they are, so that a palette reads true; what is brighter
 * is bent and bleached towards white. */
const char *const render_tone_fragment = VERSION
    "out vec4 result;\n"
    "uniform sampler2D source;\n"
    "uniform float scale;\n"
    "uniform ivec2 corner;\n"
    "void main()\n"
    "{\n"
    "    vec3 c = max(texelFetch(source, ivec2(gl_FragCoord.xy) - corner, 0).rgb * scale, 0.0);\n"
    "    float peak = max(c.r, max(c.g, c.b));\n"
    "    const float shoulder = 0.72;\n"
    "    if (peak > shoulder) {\n"
    "        float room = 1.0 - shoulder;\n"
    "        float bent = 1.0 - room * room / (peak + room - shoulder);\n"
    "        float bleach = 1.0 - 1.0 / (0.2 * (peak - bent) + 1.0);\n"
    "        c = mix(c * (bent / peak), vec3(bent), bleach);\n"
    "    }\n"
    "    vec3 low = c * 12.92;\n"
    "    vec3 high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;\n"
    "    result = vec4(mix(high, low, lessThan(c, vec3(0.0031308))), 1.0);\n"
    "}\n";

const char *const render_overlay_fragment =
    VERSION "out vec4 result;\n"
            "uniform sampler2D source;\n"
            "void main()\n"
            "{\n"
            "    int top = textureSize(source, 0).y - 1;\n"
            "    ivec2 p = ivec2(gl_FragCoord.xy);\n"
            "    result = texelFetch(source, ivec2(p.x, top - p.y), 0);\n"
            "}\n";
