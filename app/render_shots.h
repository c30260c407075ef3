/* render_shots.h - a sheet of moments and a film, drawn while a scene runs.
 *
 * Lives here: which pictures a run takes on its way. What must not live here: the run.
 */
#ifndef APP_RENDER_SHOTS_H
#define APP_RENDER_SHOTS_H

#include "io/scene/stage.h"

struct shots_plan {
    const char *sheet, *film; /* files; null: none */
    double fps;               /* of the film */
};

struct shots;

/* Null with a problem, also when there is nothing to draw with. */
struct shots *shots_open(const struct shots_plan *plan, const struct stage *stage,
                         struct problem *problem);
/* Draws what is due at this time, s. At the last one the cells of moments that lie behind it are
 * marked as not reached. */
bool shots_take(struct shots *shots, double time, bool last, struct problem *problem);
/* Writes the files. */
bool shots_commit(struct shots *shots, struct problem *problem);
/* An unfinished film is removed. Nothing when null. */
void shots_close(struct shots *shots);

#endif
