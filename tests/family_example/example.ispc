// example.ispc - adds one velocity to all free particles of a run.
#include "families/example/kernels_example.h"
#include "base/pk.isph"

PK_EXPORT void PK(pk_example_pull)(const uniform struct pk_example_job *uniform job)
{
    for (uniform pk_u32 i = 0; i < job->count; ++i) {
        const uniform bool free = job->x[i].w > 0;
        uniform struct pk_quad &v = job->v[i];
        v.x = free ? v.x + job->change[0] : v.x;
        v.y = free ? v.y + job->change[1] : v.y;
        v.z = free ? v.z + job->change[2] : v.z;
    }
}
