/* render_gl.h - an OpenGL 3.3 context without a window, and shader programs.
 *
 * Lives here: everything that can be missing on a machine without graphics, said in one sentence.
 * What must not live here: what is drawn.
 */
#ifndef APP_RENDER_GL_H
#define APP_RENDER_GL_H

#include "io/base/problem.h"

#include <epoxy/gl.h>

struct render_context {
    void *display, *context, *surface; /* EGL's */
};

/* Makes a context current that draws into its own memory: EGL without a surface, else on a device,
 * else with a 1 x 1 pbuffer. Software OpenGL will do. */
bool render_context_open(struct render_context *context, struct problem *problem);
void render_context_close(struct render_context *context);

/* True when the current context is at least OpenGL 3.3. */
bool render_gl_enough(struct problem *problem);

/* 0 with the compiler's words in the problem. */
GLuint render_program(const char *name, const char *vertex, const char *fragment,
                      struct problem *problem);

/* A texture of one level, no repeat; `filter` is GL_NEAREST or GL_LINEAR. */
GLuint render_texture(GLenum inner, GLenum outer, GLenum type, int width, int height,
                      GLenum filter);

#endif
