/* outputs.pml - handing the newest value to readers (src/base/triple_buffer.c) as a model for spin.
 *
 * One writer that publishes WRITES values, READERS readers that look LOOKS times each. A value is two
 * words, written and read one after the other, so that a torn one shows. Each access to a shared word is one
 * indivisible statement, and statements of different threads interleave in every possible order. A
 * reader may stop for ever wherever it is: the writer must go on all the same.
 *
 * Checked: there always is a slot to write; no value that is read is torn, nor is the one before it
 * (HISTORY 1), which is exactly the one before; a reader gets what was published before it began, or
 * newer, and never goes back; nobody goes round for ever (no cycle).
 *
 * Variants (models/check runs them all): BUG_... - one rule of the protocol is broken; spin must then
 * find an error, or this model proves nothing.
 */

#ifndef WRITES
#define WRITES 4
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef LOOKS
#define LOOKS 2
#endif
#ifndef HISTORY
#define HISTORY 1
#endif

#ifdef BUG_FEW_SLOTS
#define SLOTS ((1 + HISTORY) * (1 + READERS))
#else
#define SLOTS (1 + (1 + HISTORY) * (1 + READERS))
#endif

#define NOTHING 254
#define TAKING  255

/* struct triple_buffer */
byte latest = NOTHING;
byte holds[READERS] = NOTHING;
byte sequence[SLOTS]; /* of struct triple_slot */
byte previous[SLOTS] = NOTHING;

/* what is handed over */
byte first[SLOTS];
byte second[SLOTS];

inline keep(slot)
{
    if
    :: slot < SLOTS ->
        kept = kept | (1 << slot);
#ifndef BUG_FORGET_HISTORY
        if
        :: previous[slot] != NOTHING -> kept = kept | (1 << previous[slot])
        :: else -> skip
        fi
#endif
    :: else -> skip
    fi
}

proctype writer()
{
    byte written, seen, i, slot;
    short kept;

    do
    :: written < WRITES ->
        /* triple_write */
        d_step {
            kept = 0;
            keep(latest);
            i = 0
        };
        do
        :: i < READERS ->
            d_step {
                seen = holds[i];
                keep(seen);
                i++
            }
        :: else -> break
        od;
        skip;
        d_step {
            slot = 0;
            do
            :: slot < SLOTS && (kept & (1 << slot)) != 0 -> slot++
            :: else -> break
            od;
            assert(slot < SLOTS);
            kept = 0;
            seen = 0;
            written++
        };
        /* fill */
        first[slot] = written;
        second[slot] = written;
        /* triple_publish */
#ifdef BUG_LATEST_FIRST
        d_step {
            seen = latest;
            latest = slot
        };
        d_step {
            sequence[slot] = written;
            previous[slot] = (HISTORY == 1 -> seen : NOTHING);
            i = 0
        };
#else
        d_step {
            sequence[slot] = written;
            previous[slot] = (HISTORY == 1 -> latest : NOTHING);
            i = 0
        };
        latest = slot;
#endif
        do
        :: i < READERS ->
            d_step {
                if
#ifndef BUG_NO_HELP
                :: holds[i] == TAKING -> holds[i] = slot
#endif
                :: else -> skip
                fi;
                i++
            }
        :: else -> break
        od;
        slot = 0
    :: else -> break
    od
}

proctype reader(byte me)
{
    byte looks, newest, held, last, before, one, two;

    do
    :: looks < LOOKS ->
        if
        :: skip
        :: goto end_never /* stopped for ever */
        fi;
        d_step { /* what is published when the call begins: not part of the program */
            newest = (latest == NOTHING -> 0 : sequence[latest]);
            looks++
        };
        /* triple_acquire */
#ifndef BUG_NO_ANNOUNCEMENT
        holds[me] = TAKING;
#endif
        held = latest;
#if defined(BUG_TAKE) || defined(BUG_NO_ANNOUNCEMENT)
        holds[me] = held;
#else
        d_step {
            if
            :: holds[me] == TAKING -> holds[me] = held
            :: else -> held = holds[me]
            fi
        };
#endif
        /* look */
        if
        :: held == NOTHING -> assert(newest == 0)
        :: else ->
            one = first[held];
            two = second[held];
            d_step {
                assert(one == two && one == sequence[held]);
                assert(one >= newest && one >= last);
                last = one;
                before = previous[held];
                assert(HISTORY == 0 || (before == NOTHING) == (one == 1))
            };
            if
            :: before != NOTHING ->
                one = first[before];
                two = second[before];
                assert(one == two && one + 1 == last)
            :: else -> skip
            fi
        fi;
        d_step {
            one = 0;
            two = 0;
            before = 0;
            held = 0
        };
        if
        :: skip
        :: goto end_never
        :: holds[me] = NOTHING /* triple_release */
        fi
    :: else -> break
    od;
    goto done;
end_never:
    false;
done:
    skip
}

init
{
    byte made;
    atomic {
        run writer();
        do
        :: made < READERS ->
            run reader(made);
            made++
        :: else -> break
        od
    }
}
