// limits.ispc - the simplest kernels that reach a limit of the machine: streams over memory in the
// mixes of the integration kernels, multiplications and additions in registers. Quads found by index
// are limits_quads.isph. No physics; the harness divides what the engine reaches by what these reach.
//
// A stream kernel takes four streams of `count` floats, a multiple of 128. The comment before it says
// which it reads, writes, or updates (reads and writes in place); limits_bandwidth.c counts bytes so.
#include "base/pk.isph"

#define STREAMS                                                                                    \
    uniform float *uniform a, uniform float *uniform b, uniform float *uniform c,                  \
        uniform float *uniform d, uniform uint64 count

// reads a
PK_EXPORT void PK(pk_limit_read)(STREAMS)
{
    float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0, sum5 = 0, sum6 = 0, sum7 = 0;
    for (uniform uint64 i = 0; i < count; i += 8 * programCount) {
        const uniform float *uniform at = a + i;
        sum0 += at[programIndex];
        sum1 += at[programIndex + programCount];
        sum2 += at[programIndex + 2 * programCount];
        sum3 += at[programIndex + 3 * programCount];
        sum4 += at[programIndex + 4 * programCount];
        sum5 += at[programIndex + 5 * programCount];
        sum6 += at[programIndex + 6 * programCount];
        sum7 += at[programIndex + 7 * programCount];
    }
    // A result that may be stored, so that the loop is not removed; it never is, for zeros are read.
    float sum = (sum0 + sum1) + (sum2 + sum3) + ((sum4 + sum5) + (sum6 + sum7));
    if (any(sum > 1))
        a[programIndex] = sum;
}

// writes a
PK_EXPORT void PK(pk_limit_write)(STREAMS)
{
    const float value = extract((float)programIndex, 0);
    for (uniform uint64 i = 0; i < count; i += programCount) {
        uniform float *uniform at = a + i;
        at[programIndex] = value;
    }
}

// reads a, writes b
PK_EXPORT void PK(pk_limit_copy)(STREAMS)
{
    for (uniform uint64 i = 0; i < count; i += programCount) {
        const float value = (a + i)[programIndex];
        (b + i)[programIndex] = value;
    }
}

// updates a in place
PK_EXPORT void PK(pk_limit_update)(STREAMS)
{
    for (uniform uint64 i = 0; i < count; i += programCount) {
        const float value = (a + i)[programIndex];
        (a + i)[programIndex] = value * 0.5f;
    }
}

// The mix of pk_predict_euler: updates a (positions), reads b (velocities), writes c (starts) and d
// (inertial targets).
PK_EXPORT void PK(pk_limit_predict)(STREAMS)
{
    for (uniform uint64 i = 0; i < count; i += programCount) {
        const float position = (a + i)[programIndex];
        const float moved = position + (b + i)[programIndex];
        (c + i)[programIndex] = position;
        (a + i)[programIndex] = moved;
        (d + i)[programIndex] = moved;
    }
}

// The mix of pk_finish_euler: reads a (positions) and c (inertial targets), updates b (velocities).
PK_EXPORT void PK(pk_limit_finish)(STREAMS)
{
    for (uniform uint64 i = 0; i < count; i += programCount) {
        const float correction = (a + i)[programIndex] - (c + i)[programIndex];
        (b + i)[programIndex] = (b + i)[programIndex] + correction;
    }
}

// 6 multiplications and 6 additions a lane and round, in 12 chains that do not depend on each other: as
// many as hide the latency of both kinds, as few as leave 16 registers enough. Starts and factors come
// from memory so that nothing is known when this is compiled. Returns the operations done.
PK_EXPORT uniform uint64 PK(pk_limit_arithmetic)(uniform float data[], uniform uint64 rounds)
{
    const float factor = data[0], term = data[1];
    float m0 = data[2], m1 = data[3], m2 = data[4], m3 = data[5], m4 = data[6], m5 = data[7];
    float a0 = m5, a1 = m4, a2 = m3, a3 = m2, a4 = m1, a5 = m0;
    for (uniform uint64 i = 0; i < rounds; i++) {
        m0 *= factor;
        a0 += term;
        m1 *= factor;
        a1 += term;
        m2 *= factor;
        a2 += term;
        m3 *= factor;
        a3 += term;
        m4 *= factor;
        a4 += term;
        m5 *= factor;
        a5 += term;
    }
    const float sum = ((m0 + m1) + (m2 + m3) + (m4 + m5)) + ((a0 + a1) + (a2 + a3) + (a4 + a5));
    data[8] = extract(sum, 0);
    return rounds * 12 * programCount;
}
