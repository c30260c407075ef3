#include "render_draw.h"

#include "render_gl.h"
#include "render_palette.h"
#include "render_shaders.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define KEY_SIDE   1024
#define SKY_SIDE   512
#define KEY_SPREAD 0.10f /* tangent of the key light's half angle */

/* Light on a level surface from the key and from a sky without shadows; together about 1. */
static const float key_colour[3] = {1.06f, 0.98f, 0.88f};
static const float sky_zenith[3] = {0.40f, 0.46f, 0.54f};
static const float sky_horizon[3] = {0.66f, 0.64f, 0.62f};
static const float backdrop_edge[3] = {0.62f, 0.64f, 0.67f};
static const float backdrop_middle[3] = {0.86f, 0.87f, 0.88f};

struct render {
    GLuint shadow_program, body_program, ground_program, backdrop_program, sum_program,
        tone_program;
    GLuint corners_array, corners_buffer, ground_array, ground_buffer, empty_array;
    GLuint key_map, sky_map, shadow_frame, palette;
    GLuint pass_colour, pass_depth, pass_frame, sum_colour, sum_frame, out_colour, out_frame;
    uint32_t width, height, count, passes;
    struct box box;
    struct camera camera;
    struct render_look look;
    float centre[3], radius;
    float open_ground[3];
};

struct lights {
    float key[3], sky[3];
    float sky_colour[3];
    float shift[2]; /* of the camera, parts of the picture */
    float key_matrix[16], sky_matrix[16];
};

/* The n-th of a sequence that fills the square evenly however many are taken. */
static void even_point(uint32_t n, float *x, float *y)
{
    double a = 0.5 + 0.7548776662466927 * (double)n;
    double b = 0.5 + 0.5698402909980532 * (double)n;
    *x = (float)(a - floor(a));
    *y = (float)(b - floor(b));
}

static void key_light(const float middle[3], uint32_t n, float direction[3])
{
    float x;
    float y;
    float side[3] = {middle[2], 0.0f, -middle[0]};
    float up[3];
    even_point(n + 17, &x, &y);
    float r = KEY_SPREAD * sqrtf(x);
    vec_unit(side);
    vec_cross(middle, side, up);
    for (int i = 0; i < 3; i++) {
        direction[i] =
            middle[i] + r * (cosf(6.2831853f * y) * side[i] + sinf(6.2831853f * y) * up[i]);
    }
    vec_unit(direction);
}

/* Even over the upper half of the sphere: so the light of each piece is its brightness, doubled for
 * the mean cosine of one half. */
static void sky_light(uint32_t n, float direction[3], float colour[3])
{
    float x;
    float y;
    even_point(n, &x, &y);
    float height = 0.03f + 0.97f * x;
    float out = sqrtf(fmaxf(0.0f, 1.0f - height * height));
    direction[0] = out * cosf(6.2831853f * y);
    direction[1] = height;
    direction[2] = out * sinf(6.2831853f * y);
    for (int i = 0; i < 3; i++) {
        colour[i] = 2.0f * (sky_horizon[i] + (sky_zenith[i] - sky_horizon[i]) * sqrtf(height));
    }
}

static void lights_of_pass(const struct render *render, uint32_t n, struct lights *lights)
{
    float x;
    float y;
    key_light(render->look.key_direction, n, lights->key);
    sky_light(n, lights->sky, lights->sky_colour);
    even_point(n + 5, &x, &y);
    /* A little wider than the pixel: a tent would be better still, a box of 1 looks hard. */
    lights->shift[0] = 1.2f * (x - 0.5f) / (float)render->width;
    lights->shift[1] = 1.2f * (y - 0.5f) / (float)render->height;
}

struct render_look render_look_for(const struct camera *camera)
{
    struct render_look look = {.has_ground = true};
    float x = camera->from[0] - camera->at[0];
    float z = camera->from[2] - camera->at[2];
    float yaw = atan2f(x, z) - 0.85f;
    const float pitch = 0.95f;
    look.key_direction[0] = sinf(yaw) * cosf(pitch);
    look.key_direction[1] = sinf(pitch);
    look.key_direction[2] = cosf(yaw) * cosf(pitch);
    return look;
}

float render_grid_for(float radius)
{
    return powf(10.0f, floorf(log10f(fmaxf(radius, 1e-6f) * 1.2f)));
}

static GLuint shadow_map(int side)
{
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    GLuint map = render_texture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, side,
                                side, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, white);
    return map;
}

static GLuint palette_texture(void)
{
    uint8_t colours[256][3];
    GLuint texture = render_texture(GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 256, 1, GL_LINEAR);
    for (int i = 0; i < 256; i++) {
        render_palette_value((float)i / 255.0f, colours[i]);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 256, 1, GL_RGB, GL_UNSIGNED_BYTE, colours);
    return texture;
}

static void vertex_array(GLuint *array, GLuint *buffer)
{
    const GLsizei stride = sizeof(struct render_vertex);
    glGenVertexArrays(1, array);
    glGenBuffers(1, buffer);
    glBindVertexArray(*array);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(struct render_vertex, xyz));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(struct render_vertex, normal));
    glVertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(struct render_vertex, value));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(struct render_vertex, colour));
    for (GLuint i = 0; i < 4; i++) {
        glEnableVertexAttribArray(i);
    }
}

static bool make_programs(struct render *render, struct problem *problem)
{
    render->shadow_program =
        render_program("shadow", render_shadow_vertex, render_shadow_fragment, problem);
    render->body_program =
        render_program("body", render_body_vertex, render_body_fragment, problem);
    render->ground_program =
        render_program("ground", render_body_vertex, render_ground_fragment, problem);
    render->backdrop_program =
        render_program("backdrop", render_whole_vertex, render_backdrop_fragment, problem);
    render->sum_program = render_program("sum", render_whole_vertex, render_sum_fragment, problem);
    render->tone_program =
        render_program("tone", render_whole_vertex, render_tone_fragment, problem);
    return render->shadow_program && render->body_program && render->ground_program &&
           render->backdrop_program && render->sum_program && render->tone_program;
}

struct render *render_create(struct problem *problem)
{
    struct render *render = calloc(1, sizeof *render);
    if (render == NULL) {
        problem_memory(problem, "the renderer", sizeof *render);
        return NULL;
    }
    if (!render_gl_enough(problem) || !make_programs(render, problem)) {
        render_destroy(render);
        return NULL;
    }
    vertex_array(&render->corners_array, &render->corners_buffer);
    vertex_array(&render->ground_array, &render->ground_buffer);
    glGenVertexArrays(1, &render->empty_array);
    render->key_map = shadow_map(KEY_SIDE);
    render->sky_map = shadow_map(SKY_SIDE);
    render->palette = palette_texture();
    glGenFramebuffers(1, &render->shadow_frame);
    glGenFramebuffers(1, &render->pass_frame);
    glGenFramebuffers(1, &render->sum_frame);
    glGenFramebuffers(1, &render->out_frame);
    return render;
}

static void drop_pictures(struct render *render)
{
    const GLuint textures[] = {render->pass_colour, render->pass_depth, render->sum_colour,
                               render->out_colour};
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    render->pass_colour = render->pass_depth = render->sum_colour = render->out_colour = 0;
}

void render_destroy(struct render *render)
{
    if (render == NULL) {
        return;
    }
    const GLuint programs[] = {render->shadow_program, render->body_program,
                               render->ground_program, render->backdrop_program,
                               render->sum_program,    render->tone_program};
    const GLuint arrays[] = {render->corners_array, render->ground_array, render->empty_array};
    const GLuint buffers[] = {render->corners_buffer, render->ground_buffer};
    const GLuint maps[] = {render->key_map, render->sky_map, render->palette};
    const GLuint frames[] = {render->shadow_frame, render->pass_frame, render->sum_frame,
                             render->out_frame};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        glDeleteProgram(programs[i]);
    }
    glDeleteVertexArrays(3, arrays);
    glDeleteBuffers(2, buffers);
    glDeleteTextures(3, maps);
    glDeleteFramebuffers(4, frames);
    drop_pictures(render);
    free(render);
}

bool render_size_good(uint32_t width, uint32_t height, struct problem *problem)
{
    if (width < RENDER_SIDE_LEAST || height < RENDER_SIDE_LEAST || width > RENDER_SIDE_MOST ||
        height > RENDER_SIDE_MOST) {
        return problem_set(problem, EXIT_USAGE,
                           "a picture of %u x %u pixels cannot be drawn: each side may be %u to %u",
                           width, height, RENDER_SIDE_LEAST, RENDER_SIDE_MOST);
    }
    return true;
}

static bool frame_good(GLuint frame, GLuint colour, GLuint depth)
{
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool render_resize(struct render *render, uint32_t width, uint32_t height, struct problem *problem)
{
    int w = (int)width;
    int h = (int)height;
    if (!render_size_good(width, height, problem)) {
        return false;
    }
    if (render->width == width && render->height == height) {
        return true;
    }
    drop_pictures(render);
    while (glGetError() != GL_NO_ERROR) {
    }
    render->width = width;
    render->height = height;
    render->passes = 0;
    render->pass_colour = render_texture(GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, w, h, GL_NEAREST);
    render->pass_depth =
        render_texture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, w, h, GL_NEAREST);
    render->sum_colour = render_texture(GL_RGBA32F, GL_RGBA, GL_FLOAT, w, h, GL_NEAREST);
    render->out_colour = render_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, w, h, GL_NEAREST);
    bool good = frame_good(render->pass_frame, render->pass_colour, render->pass_depth) &&
                frame_good(render->sum_frame, render->sum_colour, 0) &&
                frame_good(render->out_frame, render->out_colour, 0) && glGetError() == GL_NO_ERROR;
    if (!good) {
        render->width = render->height = 0;
        return problem_set(problem, EXIT_RUNTIME,
                           "OpenGL has no memory for a picture of %u x %u pixels", width, height);
    }
    return true;
}

void render_load(struct render *render, const struct render_scene *scene)
{
    glBindBuffer(GL_ARRAY_BUFFER, render->corners_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)scene->count * sizeof *scene->corners),
                 scene->corners, GL_STREAM_DRAW);
    render->count = scene->count;
    render->box = box_empty();
    for (uint32_t c = 0; c < scene->count; c++) {
        box_add(&render->box, scene->corners[c].xyz, 1);
    }
    box_sphere(&render->box, render->centre, &render->radius);
}

/* Two triangles, so far out that the backdrop has long taken over. */
static void load_ground(const struct render *render)
{
    static const float sides[6][2] = {{-1, -1}, {-1, 1}, {1, 1}, {-1, -1}, {1, 1}, {1, -1}};
    struct render_vertex corners[6];
    memset(corners, 0, sizeof corners);
    for (int c = 0; c < 6; c++) {
        corners[c].xyz[0] = render->centre[0] + 40.0f * render->radius * sides[c][0];
        corners[c].xyz[1] = render->look.ground;
        corners[c].xyz[2] = render->centre[2] + 40.0f * render->radius * sides[c][1];
        corners[c].normal[1] = 1.0f;
    }
    glBindBuffer(GL_ARRAY_BUFFER, render->ground_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STREAM_DRAW);
}

void render_begin(struct render *render, const struct camera *camera,
                  const struct render_look *look)
{
    enum { MANY = 512 };
    float direction[3];
    float colour[3];
    render->camera = *camera;
    render->look = *look;
    render->passes = 0;
    vec_unit(render->look.key_direction);
    camera_planes(&render->camera, render->centre, render->radius);
    for (int i = 0; i < 3; i++) {
        render->open_ground[i] = key_colour[i] * fmaxf(render->look.key_direction[1], 0.0f);
    }
    for (uint32_t n = 0; n < MANY; n++) {
        sky_light(n, direction, colour);
        for (int i = 0; i < 3; i++) {
            render->open_ground[i] += colour[i] * direction[1] / (float)MANY;
        }
    }
    load_ground(render);
    glBindFramebuffer(GL_FRAMEBUFFER, render->sum_frame);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void draw_shadow(struct render *render, GLuint map, int side, const float matrix[16])
{
    glBindFramebuffer(GL_FRAMEBUFFER, render->shadow_frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map, 0);
    glDrawBuffer(GL_NONE);
    glViewport(0, 0, side, side);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 4.0f);
    glUseProgram(render->shadow_program);
    glUniformMatrix4fv(glGetUniformLocation(render->shadow_program, "light"), 1, GL_FALSE, matrix);
    glBindVertexArray(render->corners_array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)render->count);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void set3(GLuint program, const char *name, const float value[3])
{
    glUniform3fv(glGetUniformLocation(program, name), 1, value);
}

static void set1(GLuint program, const char *name, float value)
{
    glUniform1f(glGetUniformLocation(program, name), value);
}

static void set_backdrop(const struct render *render, GLuint program)
{
    glUniform2f(glGetUniformLocation(program, "picture"), (float)render->width,
                (float)render->height);
    set3(program, "backdrop_edge", backdrop_edge);
    set3(program, "backdrop_middle", backdrop_middle);
}

static void set_lights(const struct render *render, GLuint program, const struct lights *lights)
{
    glUniformMatrix4fv(glGetUniformLocation(program, "key_light"), 1, GL_FALSE, lights->key_matrix);
    glUniformMatrix4fv(glGetUniformLocation(program, "sky_light"), 1, GL_FALSE, lights->sky_matrix);
    set3(program, "key_direction", lights->key);
    set3(program, "key_colour", key_colour);
    set3(program, "sky_direction", lights->sky);
    set3(program, "sky_colour", lights->sky_colour);
    set3(program, "open_ground", render->open_ground);
    glUniform2f(glGetUniformLocation(program, "lift"), 3.0f * render->radius / (float)KEY_SIDE,
                3.0f * render->radius / (float)SKY_SIDE);
    glUniform1i(glGetUniformLocation(program, "key_shadow"), 0);
    glUniform1i(glGetUniformLocation(program, "sky_shadow"), 1);
    glUniform1i(glGetUniformLocation(program, "palette"), 2);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, render->sky_map);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, render->palette);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, render->key_map);
}

/* Bodies, or the ground, in one program each: software OpenGL runs both sides of a branch. */
static void draw_program(struct render *render, GLuint program, GLuint array, uint32_t count,
                         const struct lights *lights)
{
    float view[16];
    const struct render_look *look = &render->look;
    const float middle[3] = {render->centre[0], render->centre[2], 3.5f * render->radius};
    glUseProgram(program);
    set_backdrop(render, program);
    set_lights(render, program, lights);
    camera_matrix(&render->camera, (float)render->width / (float)render->height, lights->shift,
                  view);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view);
    set3(program, "eye", render->camera.from);
    set3(program, "ground_middle", middle);
    set1(program, "ground", look->has_ground ? look->ground : -1e9f);
    set1(program, "reach", render->radius);
    set1(program, "grid", look->grid);
    set1(program, "wire", look->wire);
    set1(program, "bounce", look->has_ground ? 0.55f : 0.3f);
    glUniform1i(glGetUniformLocation(program, "flat_shading"), look->flat);
    glBindVertexArray(array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)count);
}

static void draw_bodies(struct render *render, const struct lights *lights)
{
    draw_program(render, render->body_program, render->corners_array, render->count, lights);
    if (render->look.has_ground) {
        glEnable(GL_CULL_FACE);
        draw_program(render, render->ground_program, render->ground_array, 6, lights);
        glDisable(GL_CULL_FACE);
    }
}

static void whole(const struct render *render, GLuint program)
{
    glUseProgram(program);
    glBindVertexArray(render->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void add_pass(struct render *render, uint32_t n)
{
    struct lights lights;
    float reach = render->radius * 1.02f;
    lights_of_pass(render, n, &lights);
    camera_light_matrix(lights.key, render->centre, reach, lights.key_matrix);
    camera_light_matrix(lights.sky, render->centre, reach, lights.sky_matrix);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    draw_shadow(render, render->key_map, KEY_SIDE, lights.key_matrix);
    draw_shadow(render, render->sky_map, SKY_SIDE, lights.sky_matrix);

    glBindFramebuffer(GL_FRAMEBUFFER, render->pass_frame);
    glViewport(0, 0, (GLsizei)render->width, (GLsizei)render->height);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_bodies(render, &lights);
    glUseProgram(render->backdrop_program);
    set_backdrop(render, render->backdrop_program);
    whole(render, render->backdrop_program);

    glBindFramebuffer(GL_FRAMEBUFFER, render->sum_frame);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glBindTexture(GL_TEXTURE_2D, render->pass_colour);
    whole(render, render->sum_program);
    glDisable(GL_BLEND);
}

void render_add(struct render *render, uint32_t passes)
{
    for (uint32_t n = 0; n < passes; n++) {
        add_pass(render, render->passes++);
    }
}

uint32_t render_passes(const struct render *render)
{
    return render->passes;
}

void render_show(struct render *render, uint32_t target, int x, int y)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(x, y, (GLsizei)render->width, (GLsizei)render->height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, render->sum_colour);
    glUseProgram(render->tone_program);
    set1(render->tone_program, "scale", render->passes > 0 ? 1.0f / (float)render->passes : 0.0f);
    glUniform2i(glGetUniformLocation(render->tone_program, "corner"), x, y);
    whole(render, render->tone_program);
}

static void turn_over(uint8_t *rgb, size_t row, uint32_t height)
{
    for (uint32_t y = 0; y < height / 2; y++) {
        uint8_t *a = rgb + row * y;
        uint8_t *b = rgb + row * (height - 1 - y);
        for (size_t i = 0; i < row; i++) {
            uint8_t keep = a[i];
            a[i] = b[i];
            b[i] = keep;
        }
    }
}

void render_read(struct render *render, uint8_t *rgb)
{
    render_show(render, render->out_frame, 0, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, (GLsizei)render->width, (GLsizei)render->height, GL_RGB, GL_UNSIGNED_BYTE,
                 rgb);
    turn_over(rgb, 3 * (size_t)render->width, render->height);
}

void render_picture(struct render *render, const struct render_scene *scene,
                    const struct camera *camera, const struct render_look *look, uint32_t passes,
                    uint8_t *rgb)
{
    render_load(render, scene);
    render_begin(render, camera, look);
    render_add(render, passes);
    render_read(render, rgb);
}
