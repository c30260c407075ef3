/* stop.h - being asked to end: Ctrl-C and SIGTERM, noticed between steps.
 *
 * Lives here: the signals. What must not live here: what is done about it.
 */
#ifndef APP_STOP_H
#define APP_STOP_H

#include <stdbool.h>

/* From now on the first signal is remembered; a second one ends the program at once. */
void stop_listen(void);
/* True once the signal has come. */
bool stop_wanted(void);

#endif
