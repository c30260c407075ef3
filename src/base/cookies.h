/* cookies.h - the marks that piola_..._default() leaves in a description and every call checks, in
 * release builds too, so that a description that was never initialised is refused. Nothing else. */
#ifndef PIOLA_COOKIES_H
#define PIOLA_COOKIES_H

#define COOKIE_MESH       0x504d0001u
#define COOKIE_MATERIAL   0x504d0002u
#define COOKIE_ROD        0x504d0003u
#define COOKIE_WORLD      0x50570007u
#define COOKIE_BODY       0x50420003u
#define COOKIE_DETAIL     0x50440001u
#define COOKIE_ATTACHMENT 0x50410001u
#define COOKIE_TRACTION   0x50410003u
#define COOKIE_COLLIDER   0x50430003u
#define COOKIE_RIGID      0x50430004u
#define COOKIE_TOOL       0x50540001u
#define COOKIE_JOINT      0x504a0001u
#define COOKIE_HAPTIC     0x50480001u
#define COOKIE_SIMULATED  0x50480002u
#define COOKIE_SHAPE      0x50530001u
#define COOKIE_RAY        0x50520001u
#define COOKIE_PROBE      0x50520002u
#define COOKIE_REGION     0x50520003u
#define COOKIE_WORKERS    0x50570001u
#define COOKIE_WIND_GRID  0x50410002u
#define COOKIE_OUTPUTS    0x504f0001u
#define COOKIE_RUNNER     0x50520004u

#endif
