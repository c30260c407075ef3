/* render_play.h - a scene stepped for pictures: to a moment, or step by step. */
#ifndef APP_RENDER_PLAY_H
#define APP_RENDER_PLAY_H

#include "io/scene/stage.h"

struct play {
    struct stage *stage;
    const piola_tasks *tasks;
    uint64_t steps;
    double time;    /* s, simulated */
    double seconds; /* that the last step took */
    piola_report report;
};

void play_open(struct play *play, struct stage *stage);
bool play_step(struct play *play, struct problem *problem);
/* Steps until the moment nearest to `time` s, or until somebody wants to stop (stop.h). */
bool play_to(struct play *play, double time, struct problem *problem);

#endif
