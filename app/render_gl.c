#include "render_gl.h"

#include <epoxy/egl.h>
#include <string.h>

static const char *const missing_gl =
    "no OpenGL 3.3 is to be had here: %s (on Debian: apt-get install libegl1 libgl1-mesa-dri; no "
    "graphics card is needed)";

static EGLDisplay open_display(int attempt)
{
    EGLDeviceEXT device = NULL;
    EGLint count = 0;
    EGLDisplay display = EGL_NO_DISPLAY;
    if (attempt == 0 && epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    } else if (attempt == 1 && epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
               epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") &&
               eglQueryDevicesEXT(1, &device, &count) && count > 0) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    } else if (attempt == 2) {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        return EGL_NO_DISPLAY;
    }
    return display;
}

static bool open_context(EGLDisplay display, struct render_context *context)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                     EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
        count < 1) {
        return false;
    }
    EGLContext made = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (made == EGL_NO_CONTEXT) {
        return false;
    }
    EGLSurface surface = EGL_NO_SURFACE;
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made)) {
        surface = eglCreatePbufferSurface(display, config, size);
        if (surface == EGL_NO_SURFACE || !eglMakeCurrent(display, surface, surface, made)) {
            eglDestroyContext(display, made);
            return false;
        }
    }
    *context = (struct render_context){display, made, surface};
    return true;
}

bool render_context_open(struct render_context *context, struct problem *problem)
{
    *context = (struct render_context){0};
    if (!epoxy_has_egl()) {
        return problem_set(problem, EXIT_RUNTIME, missing_gl, "libEGL.so.1 is not installed");
    }
    for (int attempt = 0; attempt < 3; attempt++) {
        EGLDisplay display = open_display(attempt);
        if (display == EGL_NO_DISPLAY) {
            continue;
        }
        if (open_context(display, context)) {
            if (render_gl_enough(problem)) {
                return true;
            }
            render_context_close(context);
            return false;
        }
        eglTerminate(display);
    }
    return problem_set(problem, EXIT_RUNTIME, missing_gl, "EGL found no driver");
}

void render_context_close(struct render_context *context)
{
    if (context->display == NULL) {
        return;
    }
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->surface != EGL_NO_SURFACE) {
        eglDestroySurface(context->display, context->surface);
    }
    eglDestroyContext(context->display, context->context);
    eglTerminate(context->display);
    *context = (struct render_context){0};
}

bool render_gl_enough(struct problem *problem)
{
    if (epoxy_gl_version() < 33) {
        const char *text = (const char *)glGetString(GL_VERSION);
        return problem_set(problem, EXIT_RUNTIME, missing_gl, text != NULL ? text : "no version");
    }
    return true;
}

static GLuint compile(const char *name, GLenum kind, const char *text, struct problem *problem)
{
    GLint good = 0;
    char log[600] = "";
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        problem_set(problem, EXIT_RUNTIME, "OpenGL refused the shader %s: %s", name, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

GLuint render_program(const char *name, const char *vertex, const char *fragment,
                      struct problem *problem)
{
    GLint good = 0;
    char log[600] = "";
    GLuint first = compile(name, GL_VERTEX_SHADER, vertex, problem);
    GLuint second = first ? compile(name, GL_FRAGMENT_SHADER, fragment, problem) : 0;
    GLuint program = 0;
    if (first && second) {
        program = glCreateProgram();
        glAttachShader(program, first);
        glAttachShader(program, second);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &good);
        if (!good) {
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            problem_set(problem, EXIT_RUNTIME, "OpenGL cannot link %s: %s", name, log);
            glDeleteProgram(program);
            program = 0;
        }
    }
    glDeleteShader(first);
    glDeleteShader(second);
    return program;
}

GLuint render_texture(GLenum inner, GLenum outer, GLenum type, int width, int height, GLenum filter)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)inner, width, height, 0, outer, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}
