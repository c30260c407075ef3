// limits_gather.ispc - quads by the gathers and scatters of ISPC, what the engine decided against.
#define PK_PLAIN_GATHER
#define LIMIT_LOAD pk_limit_gather_load
#define LIMIT_MOVE pk_limit_gather_move
#include "limits_quads.isph"
