/* render_shaders.h - the programs that run on the graphics card, as text. */
#ifndef APP_RENDER_SHADERS_H
#define APP_RENDER_SHADERS_H

extern const char *const render_shadow_vertex;
extern const char *const render_shadow_fragment;
/* Bodies and ground under one key light and one piece of sky. */
extern const char *const render_body_vertex;
extern const char *const render_body_fragment;
extern const char *const render_ground_fragment;
/* One triangle over the whole picture, without any input. */
extern const char *const render_whole_vertex;
extern const char *const render_backdrop_fragment;
extern const char *const render_sum_fragment;
extern const char *const render_tone_fragment;
/* A canvas with premultiplied alpha over a finished picture. */
extern const char *const render_overlay_fragment;

#endif
