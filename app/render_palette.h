/* render_palette.h - colours: of bodies, of the map from values to colours. All sRGB. */
#ifndef APP_RENDER_PALETTE_H
#define APP_RENDER_PALETTE_H

#include <stdint.h>

/* A colour for the n-th thing; neighbours in n differ well. */
void render_palette_body(uint32_t index, uint8_t rgb[3]);
/* A colour for each of many things (clusters, groups): golden-angle hues. */
void render_palette_many(uint32_t index, uint8_t rgb[3]);
/* From 0 (calm) to 1 (strained): growing in lightness contrast, readable without colour vision. */
void render_palette_value(float value, uint8_t rgb[3]);

#endif
