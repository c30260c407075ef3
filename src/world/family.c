/* family.c - what is asked of all families between steps: see family.h. */
#include "world/family.h"

#include "world/islands.h"

/* Calls of every family that has such an entry. */
#define EACH(entry, ...)                                                                           \
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)                                                    \
        if (families[f]->entry)                                                                    \
    families[f]->entry(__VA_ARGS__)

void families_begin(piola_world *world)
{
    EACH(begin, world);
}

void families_recount(piola_world *world)
{
    EACH(recount, world);
}

piola_status families_check(const piola_world *world, const piola_body_desc *desc,
                            const char **field)
{
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f) {
        const piola_status status =
            families[f]->check ? families[f]->check(world, desc, field) : PIOLA_OK;
        if (status != PIOLA_OK)
            return status;
    }
    return PIOLA_OK;
}

void families_set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    EACH(set, world, body, desc);
}

void families_moved(piola_world *world, const struct moves *moves)
{
    EACH(moved, world, moves);
}

bool families_move(const piola_world *world)
{
    bool moves = false;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        moves = moves || (families[f]->moves && families[f]->moves(world));
    return moves;
}

void families_before(piola_world *world)
{
    EACH(before, world);
}

void families_after_body(const struct step *step, uint32_t body)
{
    EACH(after_body, step, body);
}

void families_tell(const struct step *step)
{
    EACH(tell, step);
}

void families_after(const struct step *step)
{
    EACH(after, step);
}

void families_report(const piola_world *world, piola_report *report)
{
    EACH(report, world, report);
}

bool families_valid(const struct stored *stored)
{
    bool valid = true;
    for (uint32_t f = 0; valid && f < FAMILY_COUNT; ++f)
        valid = !families[f]->valid || families[f]->valid(stored);
    return valid;
}

void families_disturb(const piola_world *world, struct body *body)
{
    EACH(disturb, world, body);
}

float families_hold(const struct step *step, uint32_t body, enum held_ask ask, struct held *held)
{
    float found = 0;
    for (uint32_t f = 0; f < FAMILY_COUNT && found == 0; ++f)
        found = families[f]->hold ? families[f]->hold(step, body, ask, held) : 0;
    return found;
}

void families_link(const piola_world *world)
{
    const struct islands all = islands_of(world);
    islands_begin(all);
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        if (families[f]->link && (!families[f]->acts || families[f]->acts(world)))
            families[f]->link(world, all);
}

void families_balance(struct step *step)
{
    EACH(balance, step);
}

void families_mend(const struct step *step, uint32_t body, const struct about_centre *sums)
{
    EACH(mend, step, body, sums);
}

void families_turns(const struct step *step, uint32_t body, struct sums *sum)
{
    EACH(turns, step, body, sum);
}

void families_turn_along(const struct step *step, uint32_t body, const float turn[3])
{
    EACH(turn_along, step, body, turn);
}

double families_measure(const struct step *step, uint32_t body, bool forces)
{
    double sum = 0;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        sum += families[f]->measure ? families[f]->measure(step, body, forces) : 0;
    return sum;
}

void families_inform(const piola_world *world, const struct body *body, piola_body_info *info)
{
    EACH(inform, world, body, info);
}
