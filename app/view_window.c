/* view_window.c - see view_window.h. */
#include "view_window.h"

#include "render_gl.h"
#include "render_shaders.h"
#include "view_state.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_SECONDS 0.012 /* that the lights of one picture may take while something moves */
#define PASSES_MOST   256u  /* of a picture at rest */

struct window {
    GLFWwindow *handle;
    struct viewer viewer;
    struct render *render;
    GLuint overlay_program, overlay_texture, overlay_array;
    uint8_t *canvas;        /* 4 bytes a pixel */
    uint32_t width, height; /* of the canvas and the overlay's texture */
    int units[2];           /* of the window, in which the mouse counts */
    bool ready;             /* the first picture is shown */
    double pass_seconds;    /* that one light takes, lately */
};

static struct viewer *viewer_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

static void on_key(GLFWwindow *handle, int key, int code, int action, int mods)
{
    static const int special[][2] = {
        {GLFW_KEY_F1, '\t'},          {GLFW_KEY_HOME, '\b'},         {GLFW_KEY_ESCAPE, 27},
        {GLFW_KEY_LEFT_BRACKET, '['}, {GLFW_KEY_RIGHT_BRACKET, ']'},
    };
    (void)code;
    (void)mods;
    if (action == GLFW_RELEASE || (action == GLFW_REPEAT && key != GLFW_KEY_PERIOD)) {
        return;
    }
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        key = key == special[i][0] ? special[i][1] : key;
    }
    /* GLFW's other keys are the letters they bear. */
    if (key < 128) {
        viewer_key(viewer_of(handle), key);
    }
}

static void on_button(GLFWwindow *handle, int button, int action, int mods)
{
    struct viewer *viewer = viewer_of(handle);
    double x;
    double y;
    (void)mods;
    glfwGetCursorPos(handle, &x, &y);
    viewer_point(viewer, x, y);
    viewer_press(viewer, button, action == GLFW_PRESS);
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    viewer_move(viewer_of(handle), x, y);
}

static void on_wheel(GLFWwindow *handle, double x, double y)
{
    (void)x;
    viewer_wheel(viewer_of(handle), y);
}

static void on_refresh(GLFWwindow *handle)
{
    viewer_of(handle)->dirty = true;
}

static bool glfw_problem(struct problem *problem, const char *what)
{
    const char *text = NULL;
    glfwGetError(&text);
    return problem_set(problem, EXIT_RUNTIME,
                       "%s: %s (without a display, `piola render` draws to a file)", what,
                       text != NULL ? text : "GLFW gives no reason");
}

static bool open_handle(struct window *window, const char *path, struct problem *problem)
{
    char title[300];
    const struct viewer *viewer = &window->viewer;
    if (!glfwInit()) {
        return glfw_problem(problem, "no window can be opened");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    snprintf(title, sizeof title, "Piola - %.200s", path);
    window->handle = glfwCreateWindow((int)viewer->width, (int)viewer->height, title, NULL, NULL);
    if (window->handle == NULL) {
        return glfw_problem(problem, "no window with OpenGL 3.3 can be opened");
    }
    glfwMakeContextCurrent(window->handle);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window->handle, &window->viewer);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetCursorPosCallback(window->handle, on_move);
    glfwSetScrollCallback(window->handle, on_wheel);
    glfwSetWindowRefreshCallback(window->handle, on_refresh);
    return true;
}

static bool open_drawing(struct window *window, struct problem *problem)
{
    window->pass_seconds = 0.01;
    window->render = render_create(problem);
    if (window->render == NULL) {
        return false;
    }
    window->overlay_program =
        render_program("overlay", render_whole_vertex, render_overlay_fragment, problem);
    glGenVertexArrays(1, &window->overlay_array);
    return window->overlay_program != 0;
}

/* Follows the window's size: canvas, texture, renderer. OpenGL draws pixels of the framebuffer,
 * which on screens of high density are more than the units that the window and its mouse have. */
static bool follow_size(struct window *window)
{
    struct viewer *viewer = &window->viewer;
    int pixels[2] = {0, 0};
    int units[2] = {0, 0};
    glfwGetFramebufferSize(window->handle, &pixels[0], &pixels[1]);
    glfwGetWindowSize(window->handle, &units[0], &units[1]);
    const int least = (int)RENDER_SIDE_LEAST;
    uint32_t width = (uint32_t)(pixels[0] < least ? least : pixels[0]);
    uint32_t height = (uint32_t)(pixels[1] < least ? least : pixels[1]);
    bool same_units = units[0] == window->units[0] && units[1] == window->units[1];
    if (!same_units || width != window->width || height != window->height) {
        const uint32_t size[2] = {width, height};
        viewer_resize(viewer, size, units);
        memcpy(window->units, units, sizeof units);
    }
    if (width == window->width && height == window->height) {
        return true;
    }
    free(window->canvas);
    window->canvas = calloc((size_t)width * height, 4);
    if (window->canvas == NULL) {
        return problem_memory(viewer->problem, "the window", (size_t)width * height * 4);
    }
    glDeleteTextures(1, &window->overlay_texture);
    window->overlay_texture =
        render_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, (int)width, (int)height, GL_NEAREST);
    window->width = width;
    window->height = height;
    return render_resize(window->render, width, height, viewer->problem);
}

static void save_picture(struct window *window)
{
    struct viewer *viewer = &window->viewer;
    struct problem problem = {0};
    struct picture picture;
    char name[40];
    viewer->save = false;
    snprintf(name, sizeof name, "piola-%03u.png", ++viewer->pictures);
    if (picture_make(&picture, window->width, window->height, &problem)) {
        render_read(window->render, picture.rgb);
        png_file_write(&picture, name, &problem);
    }
    picture_free(&picture);
    printf("%s\n", problem.text[0] != 0 ? problem.text : name);
    fflush(stdout);
}

static void draw_overlay(struct window *window)
{
    struct viewer *viewer = &window->viewer;
    size_t bytes = (size_t)window->width * window->height * 4;
    const struct canvas canvas = {window->canvas, window->width, window->height, 4};
    memset(window->canvas, 0, bytes);
    viewer_describe(viewer);
    overlay_draw(&viewer->overlay, &viewer->figure, &canvas);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, window->overlay_texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)window->width, (GLsizei)window->height,
                    GL_RGBA, GL_UNSIGNED_BYTE, window->canvas);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(window->overlay_program);
    glBindVertexArray(window->overlay_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
}

/* As many lights as the time allows: few while something moves, more and more at rest. */
static bool draw(struct window *window)
{
    struct viewer *viewer = &window->viewer;
    if (viewer->dirty) {
        if (!figure_build(&viewer->figure, viewer->problem)) {
            return false;
        }
        render_load(window->render, &viewer->figure.scene);
        render_begin(window->render, &viewer->camera, &viewer->look);
        viewer->dirty = false;
    }
    double begin = piola_platform_seconds();
    double affordable = fmax(2.0, fmin(32.0, FRAME_SECONDS / window->pass_seconds));
    uint32_t passes = (uint32_t)affordable;
    if (render_passes(window->render) < PASSES_MOST) {
        render_add(window->render, passes);
        glFinish();
        double each = (piola_platform_seconds() - begin) / (double)passes;
        window->pass_seconds += 0.2 * (each - window->pass_seconds);
    }
    if (viewer->save) {
        save_picture(window);
    }
    render_show(window->render, 0, 0, 0);
    draw_overlay(window);
    glfwSwapBuffers(window->handle);
    if (viewer->options->log && !window->ready) {
        window->ready = true;
        printf("ready\n");
        fflush(stdout);
    }
    return true;
}

static bool loop(struct window *window)
{
    struct viewer *viewer = &window->viewer;
    double begin = piola_platform_seconds();
    double last = begin;
    while (!glfwWindowShouldClose(window->handle) && !viewer->over) {
        /* At rest with a finished picture there is nothing to do until an event comes. */
        if (viewer->paused && !viewer->dirty && render_passes(window->render) >= PASSES_MOST) {
            glfwWaitEventsTimeout(0.05);
        } else {
            glfwPollEvents();
        }
        double now = piola_platform_seconds();
        if (!follow_size(window) || viewer->failed ||
            !viewer_advance(viewer, fmin(now - last, 0.1)) || !draw(window)) {
            return false;
        }
        last = now;
        if (viewer->options->seconds > 0.0 && now - begin > viewer->options->seconds) {
            return true;
        }
    }
    return true;
}

bool view_run(struct stage *stage, const struct view_options *options, struct problem *problem)
{
    struct window window = {0};
    bool good = viewer_open(&window.viewer, stage, options, problem) &&
                open_handle(&window, stage->path, problem) && open_drawing(&window, problem) &&
                loop(&window);
    if (good) {
        told_end(window.viewer.told);
        told_print(window.viewer.told, stderr);
    }
    if (window.handle != NULL) {
        glDeleteProgram(window.overlay_program);
        glDeleteTextures(1, &window.overlay_texture);
        glDeleteVertexArrays(1, &window.overlay_array);
        render_destroy(window.render);
        glfwDestroyWindow(window.handle);
    }
    glfwTerminate();
    free(window.canvas);
    viewer_close(&window.viewer);
    return good;
}
