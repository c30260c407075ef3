#include "camera.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct box box_empty(void)
{
    return (struct box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

void box_add(struct box *box, const float *xyz, uint32_t count)
{
    for (uint32_t v = 0; v < count; v++) {
        for (int i = 0; i < 3; i++) {
            float x = xyz[3 * (size_t)v + (size_t)i];
            box->least[i] = fminf(box->least[i], x);
            box->most[i] = fmaxf(box->most[i], x);
        }
    }
}

bool box_is_empty(const struct box *box)
{
    return box->least[0] > box->most[0];
}

void box_sphere(const struct box *box, float centre[3], float *radius)
{
    float half[3] = {0};
    for (int i = 0; i < 3; i++) {
        bool empty = box_is_empty(box);
        centre[i] = empty ? 0.0f : 0.5f * (box->least[i] + box->most[i]);
        half[i] = empty ? 0.5f : 0.5f * (box->most[i] - box->least[i]);
    }
    *radius = fmaxf(vec_length(half), 1e-4f);
}

/* The camera's own axes: right, up, back. */
static void axes(const struct camera *camera, float right[3], float up[3], float back[3])
{
    for (int i = 0; i < 3; i++) {
        back[i] = camera->from[i] - camera->at[i];
    }
    if (vec_length(back) < 1e-9f) {
        back[2] = 1.0f;
    }
    vec_unit(back);
    vec_cross(camera->up, back, right);
    if (vec_length(right) < 1e-4f) {
        const float other[3] = {0.0f, 0.0f, -1.0f};
        vec_cross(other, back, right);
        if (vec_length(right) < 1e-4f) {
            right[0] = 1.0f;
        }
    }
    vec_unit(right);
    vec_cross(back, right, up);
}

/* How far back along its view the camera must stand for all corners of the box to be inside. */
static float fitting_distance(const struct camera *camera, const struct box *box, float aspect)
{
    float right[3];
    float up[3];
    float back[3];
    float most = 0.0f;
    float rise = tanf(0.5f * camera->field) * 0.9f;
    axes(camera, right, up, back);
    for (int corner = 0; corner < 8; corner++) {
        float p[3];
        for (int i = 0; i < 3; i++) {
            p[i] = ((corner >> i) & 1 ? box->most[i] : box->least[i]) - camera->at[i];
        }
        float depth = vec_dot(p, back);
        most = fmaxf(most, depth + fabsf(vec_dot(p, up)) / rise);
        most = fmaxf(most, depth + fabsf(vec_dot(p, right)) / (rise * aspect));
    }
    return most;
}

/* Moves the camera sideways so that the box's corners leave equal margins. */
static void centre_picture(struct camera *camera, const struct box *box, float aspect)
{
    float least[2] = {FLT_MAX, FLT_MAX};
    float most[2] = {-FLT_MAX, -FLT_MAX};
    for (int corner = 0; corner < 8; corner++) {
        float p[3];
        float xy[2];
        for (int i = 0; i < 3; i++) {
            p[i] = (corner >> i) & 1 ? box->most[i] : box->least[i];
        }
        if (!camera_project(camera, aspect, p, xy)) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            least[i] = fminf(least[i], xy[i]);
            most[i] = fmaxf(most[i], xy[i]);
        }
    }
    camera_pan(camera, 0.25f * aspect * (least[0] + most[0]), 0.25f * (least[1] + most[1]));
}

struct camera camera_fit(const struct box *box, float yaw, float pitch, float field, float aspect)
{
    struct camera camera = {.up = {0.0f, 1.0f, 0.0f}, .field = field};
    struct box whole = *box;
    float radius;
    if (box_is_empty(box)) {
        whole = (struct box){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
    }
    box_sphere(&whole, camera.at, &radius);
    const float back[3] = {sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch)};
    for (int i = 0; i < 3; i++) {
        camera.from[i] = camera.at[i] + back[i];
    }
    /* Centring changes what is near, so both are done in turn; the last word has the distance. */
    for (int round = 0; round < 6; round++) {
        float distance = fmaxf(fitting_distance(&camera, &whole, aspect), radius * 0.2f);
        for (int i = 0; i < 3; i++) {
            camera.from[i] = camera.at[i] + back[i] * distance;
        }
        if (round < 5) {
            centre_picture(&camera, &whole, aspect);
        }
    }
    camera_planes(&camera, camera.at, radius);
    return camera;
}

void camera_planes(struct camera *camera, const float centre[3], float radius)
{
    float to[3];
    for (int i = 0; i < 3; i++) {
        to[i] = centre[i] - camera->from[i];
    }
    float distance = vec_length(to);
    camera->near_plane = fmaxf(fmaxf(distance - 1.5f * radius, 0.02f * distance), 0.01f * radius);
    camera->far_plane = distance + 60.0f * radius;
}

void camera_orbit(struct camera *camera, float yaw, float pitch)
{
    float back[3];
    for (int i = 0; i < 3; i++) {
        back[i] = camera->from[i] - camera->at[i];
    }
    float distance = vec_length(back);
    float around = atan2f(back[0], back[2]) + yaw;
    float above = asinf(fmaxf(-1.0f, fminf(1.0f, back[1] / fmaxf(distance, 1e-9f)))) + pitch;
    above = fmaxf(-1.5f, fminf(1.5f, above));
    camera->from[0] = camera->at[0] + distance * sinf(around) * cosf(above);
    camera->from[1] = camera->at[1] + distance * sinf(above);
    camera->from[2] = camera->at[2] + distance * cosf(around) * cosf(above);
}

void camera_zoom(struct camera *camera, float factor)
{
    for (int i = 0; i < 3; i++) {
        camera->from[i] = camera->at[i] + (camera->from[i] - camera->at[i]) * factor;
    }
}

void camera_pan(struct camera *camera, float right, float up)
{
    float x[3];
    float y[3];
    float z[3];
    float to[3];
    axes(camera, x, y, z);
    for (int i = 0; i < 3; i++) {
        to[i] = camera->from[i] - camera->at[i];
    }
    float height = 2.0f * tanf(0.5f * camera->field) * vec_length(to);
    for (int i = 0; i < 3; i++) {
        float move = height * (right * x[i] + up * y[i]);
        camera->from[i] += move;
        camera->at[i] += move;
    }
}

void camera_ray(const struct camera *camera, float aspect, float x, float y, float direction[3])
{
    float right[3];
    float up[3];
    float back[3];
    float rise = tanf(0.5f * camera->field);
    axes(camera, right, up, back);
    for (int i = 0; i < 3; i++) {
        direction[i] = x * rise * aspect * right[i] + y * rise * up[i] - back[i];
    }
    vec_unit(direction);
}

bool camera_project(const struct camera *camera, float aspect, const float point[3], float xy[2])
{
    float right[3];
    float up[3];
    float back[3];
    float p[3];
    float rise = tanf(0.5f * camera->field);
    axes(camera, right, up, back);
    for (int i = 0; i < 3; i++) {
        p[i] = point[i] - camera->from[i];
    }
    float depth = -vec_dot(p, back);
    if (!(depth > 1e-6f)) {
        return false;
    }
    xy[0] = vec_dot(p, right) / (depth * rise * aspect);
    xy[1] = vec_dot(p, up) / (depth * rise);
    return true;
}

/* world to eye: rows are the axes. */
static void eye_matrix(const float right[3], const float up[3], const float back[3],
                       const float from[3], float m[16])
{
    const float *rows[3] = {right, up, back};
    memset(m, 0, 16 * sizeof *m);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            m[4 * column + row] = rows[row][column];
        }
        m[12 + row] = -vec_dot(rows[row], from);
    }
    m[15] = 1.0f;
}

static void multiply(const float a[16], const float b[16], float out[16])
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++) {
                sum += a[4 * k + row] * b[4 * column + k];
            }
            out[4 * column + row] = sum;
        }
    }
}

void camera_matrix(const struct camera *camera, float aspect, const float shift[2], float m[16])
{
    float right[3];
    float up[3];
    float back[3];
    float eye[16];
    float lens[16] = {0};
    float rise = tanf(0.5f * camera->field);
    float n = camera->near_plane;
    float f = camera->far_plane;
    axes(camera, right, up, back);
    eye_matrix(right, up, back, camera->from, eye);
    lens[0] = 1.0f / (rise * aspect);
    lens[5] = 1.0f / rise;
    lens[8] = 2.0f * shift[0];
    lens[9] = 2.0f * shift[1];
    lens[10] = -(f + n) / (f - n);
    lens[11] = -1.0f;
    lens[14] = -2.0f * f * n / (f - n);
    multiply(lens, eye, m);
}

void camera_light_matrix(const float direction[3], const float centre[3], float radius, float m[16])
{
    float right[3];
    float up[3];
    float back[3];
    float eye[16];
    float lens[16] = {0};
    struct camera light = {.up = {0.0f, 1.0f, 0.0f}};
    for (int i = 0; i < 3; i++) {
        light.at[i] = centre[i];
        light.from[i] = centre[i] + direction[i];
    }
    axes(&light, right, up, back);
    eye_matrix(right, up, back, centre, eye);
    lens[0] = 1.0f / radius;
    lens[5] = 1.0f / radius;
    lens[10] = -1.0f / radius;
    lens[15] = 1.0f;
    multiply(lens, eye, m);
}
