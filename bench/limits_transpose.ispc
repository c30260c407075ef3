// limits_transpose.ispc - quads by 16-byte loads and in-register transposition, as the engine does it.
#define LIMIT_LOAD pk_limit_transpose_load
#define LIMIT_MOVE pk_limit_transpose_move
#include "limits_quads.isph"
