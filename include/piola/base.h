/* base.h - what every chapter of the interface needs: fixed-width types and PIOLA_API. Included by
 * piola.h: include that. */
#ifndef PIOLA_PIOLA_BASE_H
#define PIOLA_PIOLA_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On Windows a program that links the static library must define PIOLA_STATIC; PIOLA_BUILD is
 * defined only while the shared library itself is compiled. Elsewhere neither is needed. */
#if defined(_WIN32) || defined(__CYGWIN__)
#if defined(PIOLA_STATIC)
#define PIOLA_API
#elif defined(PIOLA_BUILD)
#define PIOLA_API __declspec(dllexport)
#else
#define PIOLA_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define PIOLA_API __attribute__((visibility("default")))
#else
#define PIOLA_API
#endif

#endif
