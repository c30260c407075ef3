/* bench_models.h - the case `models` of the bench `scenes`. */
#ifndef PIOLA_BENCH_MODELS_H
#define PIOLA_BENCH_MODELS_H

#include "bench_scene.h"

/* Rows of what a visit of vertex descent costs, by what the body is made of. */
void bench_models(struct bench *bench);

#endif
