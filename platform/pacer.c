/* pacer.c - frames of any length in steps of one, and when a display shows one. Arithmetic alone.
 */
#include "piola/piola.h"

/* A refresh that is reported so far from where it was expected (of a period) is a pause. */
#define FAR 0.25
/* Shares of an error that phase and period take from one report. */
#define PHASE_GAIN  0.1
#define PERIOD_GAIN 0.01

/* The next whole number below; beyond 2^62 all numbers are whole. */
static double below(double x)
{
    if (!(x < 4.6e18 && x > -4.6e18))
        return x;
    const double cut = (double)(int64_t)x;
    return cut > x ? cut - 1 : cut;
}

piola_pacer piola_pacer_default(float dt, uint32_t most)
{
    return (piola_pacer){.dt = (double)dt, .most = most};
}

uint32_t piola_pacer_frame(piola_pacer *pacer, double elapsed)
{
    if (pacer == NULL || !(pacer->dt > 0))
        return 0;
    if (elapsed > 0 && elapsed - elapsed == 0)
        pacer->ahead += elapsed;
    const double due = below(pacer->ahead / pacer->dt);
    const uint32_t steps = due < (double)pacer->most ? (uint32_t)due : pacer->most;
    if (due > (double)steps)
        pacer->dropped += (due - (double)steps) * pacer->dt;
    const double left = pacer->ahead - due * pacer->dt;
    pacer->ahead = left > 0 ? left : 0;
    pacer->steps += steps;
    return steps;
}

piola_display piola_display_default(double rate, double latency)
{
    return (piola_display){.period = 1 / rate, .refresh = -1, .latency = latency};
}

void piola_display_refreshed(piola_display *display, double time)
{
    if (display == NULL || !(display->period > 0) || time - time != 0)
        return;
    const double since = (time - display->refresh) / display->period;
    const double whole = below(since + 0.5);
    const double error = since - whole;
    if (display->refresh < 0 || whole < 1 || whole > 16 || error > FAR || error < -FAR) {
        display->refresh = time;
        return;
    }
    display->refresh += (whole + PHASE_GAIN * error) * display->period;
    display->period *= 1 + PERIOD_GAIN * error / whole;
}

double piola_display_photons(const piola_display *display, double done)
{
    if (display == NULL || !(display->period > 0))
        return done;
    if (display->refresh < 0)
        return done + display->period + display->latency;
    const double refreshes = -below((display->refresh - done) / display->period);
    return display->refresh + refreshes * display->period + display->latency;
}
