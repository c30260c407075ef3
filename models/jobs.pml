/* jobs.pml - the stage runner (src/jobs/jobs.c) and its helpers (platform/helpers.c) as a model for spin.
 *
 * Three threads: the caller and two helpers; STEPS steps of STAGES stages of BLOCKS blocks; in the
 * end the helpers are stopped. The first stage of a step has a block less than the others, for a
 * helper may still be about it when a longer one is under way. Each access to a shared word is one indivisible statement, and
 * statements of different threads interleave in every possible order. Lives here: the protocol
 * alone. What a thread may see out of order is argued in docs/method/jobs.md: spin knows no weak memory.
 *
 * Checked: each block of each stage runs exactly once, and only while its stage is open; a helper
 * enters a step once at most; nobody touches the step after finish() has returned; nobody is left
 * asleep (spin reports a process that cannot end as an invalid end state); no thread can go round
 * for ever (no non-progress cycle: the model has no progress label, so every cycle counts). A
 * helper may, whenever it is parked, choose never to answer again: the step must finish all the
 * same.
 *
 * Variants (models/check runs them all): SPIN - waiting is polling, not sleeping. BUG_... - one rule
 * of the protocol is broken; spin must then find an error, or this model proves nothing.
 */

#ifndef STEPS
#define STEPS 2
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

#define THREADS 3

/* Kinds of a stage word. */
#define BEGIN 0
#define WORK  1
#define END   2

/* Words a thread can sleep on; 0 is awake. */
#define CALL  1
#define GATE  2
#define EPOCH 3
#define DONE  4

/* struct jobs */
byte serial;       /* the stage word is {serial, kind}: always written in one step */
byte kind = END;
byte count;        /* the word `blocks` is {count, count_serial}: likewise */
byte count_serial;
byte epoch;
byte target;
byte finished;
byte sleepers;
bit caller_waits;
byte done_word; /* `done` */
byte ticket[BLOCKS];

/* struct piola_workers; the gate word is {generation, open, inside}: read and written in one step */
byte call;
bit quit;
byte generation;
bit open;
byte inside;
byte asleep;

/* The kernel: on which word each thread sleeps. */
byte sleeps_on[THREADS];

/* What is checked, not part of the program. */
bit alive;         /* between jobs_begin and the return of finish */
byte open_serial;  /* of the stage that runs now, 0 when none does */
byte runs[BLOCKS]; /* of the stage that runs now */

/* ---- the kernel's futex, and waiting as in platform/helpers.c ---------------------------------- */

inline os_wait(me, name, word, seen)
{
    d_step {
        if
        :: word == seen -> sleeps_on[me] = name
        :: else -> skip
        fi
    };
    sleeps_on[me] == 0
}

inline os_wake_all(name)
{
    d_step {
        if
        :: sleeps_on[0] == name -> sleeps_on[0] = 0
        :: else -> skip
        fi;
        if
        :: sleeps_on[1] == name -> sleeps_on[1] = 0
        :: else -> skip
        fi;
        if
        :: sleeps_on[2] == name -> sleeps_on[2] = 0
        :: else -> skip
        fi
    }
}

inline wait_on(me, name, word, seen)
{
#ifdef SPIN
    word != seen
#else
    asleep++;
    if
    :: word == seen -> os_wait(me, name, word, seen)
    :: else -> skip
    fi;
    asleep--
#endif
}

inline wake_all(name)
{
    if
    :: asleep != 0 -> os_wake_all(name)
    :: else -> skip
    fi
}

/* ---- src/jobs/jobs.c --------------------------------------------------------------------------------- */

inline wake_sleepers()
{
    if
    :: sleepers != 0 -> wake_all(EPOCH)
    :: else -> skip
    fi
}

inline publish(new_kind, how_many)
{
    d_step {
        count = how_many;
        count_serial = serial + 1
    };
#ifdef BUG_WAKE_FIRST
    wake_sleepers();
#endif
#ifdef BUG_EPOCH_FIRST
    epoch = serial + 1;
#endif
    d_step {
        serial++;
        kind = new_kind;
        open_serial = (new_kind == WORK -> serial : 0)
    };
#ifndef BUG_EPOCH_FIRST
    epoch = serial;
#endif
#ifndef BUG_WAKE_FIRST
    wake_sleepers()
#endif
}

/* The result of the claim is in `got`. */
inline claim(block, mine)
{
    ticket_seen = ticket[block];
    if
    :: ticket_seen >= mine -> got = false
    :: else ->
#ifdef BUG_CLAIM
        got = (ticket[block] == ticket_seen);
        ticket[block] = mine
#else
        d_step {
            got = (ticket[block] == ticket_seen);
            if
            :: got -> ticket[block] = mine
            :: else -> skip
            fi
        }
#endif
    fi;
    ticket_seen = 0
}

inline execute(block, mine)
{
    d_step {
        assert(alive);
        assert(open_serial == mine);
        assert(runs[block] == 0);
        runs[block]++
    }
}

/* `mine_target` is read while blocks are held. */
inline finish_blocks(me)
{
    mine_target = target;
    d_step {
        finished = finished + held;
        last_one = (finished == mine_target);
        held = 0;
        mine_target = 0
    };
    if
    :: last_one && me != 0 ->
#ifndef SPIN
#ifdef BUG_DONE_UNCHANGED
        skip;
#else
        done_word++;
#endif
        if
        :: caller_waits -> wake_all(DONE)
        :: else -> skip
        fi
#else
        skip
#endif
    :: else -> skip
    fi;
    last_one = 0
}

inline work_stage(me, mine)
{
    d_step {
#ifdef BUG_COUNT
        mine_count = count;
#else
        mine_count = (count_serial == mine -> count : 0);
#endif
        block = me * mine_count / THREADS;
        walked = 0
    };
    do
    :: walked < mine_count ->
        claim(block, mine);
        if
        :: got ->
            execute(block, mine);
            held++
        :: else ->
            if
            :: held > 0 -> finish_blocks(me)
            :: else -> skip
            fi
        fi;
        d_step {
            got = false;
            walked++;
            block = (block + 1 == mine_count -> 0 : block + 1)
        }
    :: else -> break
    od;
    if
    :: held > 0 -> finish_blocks(me)
    :: else -> skip
    fi;
    d_step {
        block = 0;
        walked = 0;
        mine_count = 0
    }
}

/* Leaves the new stage word in {my_serial, my_kind}. */
inline next_stage(me)
{
#ifdef SPIN
    d_step {
        serial != my_serial -> my_serial = serial;
        my_kind = kind
    }
#else
    if
    :: d_step {
        serial != my_serial -> my_serial = serial;
        my_kind = kind
    }
    :: sleepers++;
        do
        :: true ->
#ifdef BUG_LATE_SEEN
            skip;
#else
            seen = epoch;
#endif
            if
            :: d_step {
                serial != my_serial -> my_serial = serial;
                my_kind = kind
            };
            break
            :: else -> skip
            fi;
#ifdef BUG_LATE_SEEN
            seen = epoch;
#endif
            wait_on(me, EPOCH, epoch, seen)
        od;
        sleepers--;
        seen = 0
    fi
#endif
}

inline help(me)
{
    d_step {
        assert(alive);
        my_serial = serial;
        my_kind = kind
    };
    do
    :: my_kind == END -> break
    :: else ->
        if
        :: my_kind == WORK -> work_stage(me, my_serial)
        :: else -> skip
        fi;
        next_stage(me)
    od;
    assert(alive);
    my_serial = 0;
    my_kind = 0
}

inline await_finished()
{
#ifdef SPIN
    finished == target
#else
    if
    :: finished == target -> skip
    :: caller_waits = 1;
        do
        :: true ->
            seen = done_word;
            if
            :: finished == target -> break
            :: else -> skip
            fi;
            wait_on(0, DONE, done_word, seen)
        od;
        caller_waits = 0;
        seen = 0
    fi
#endif
}

inline stage()
{
    d_step {
        blocks = BLOCKS;
        if
        :: stages == 0 && STAGES > 1 && BLOCKS > 1 -> blocks = BLOCKS - 1
        :: else -> skip
        fi
    };
    target = target + blocks;
    publish(WORK, blocks);
    work_stage(0, serial);
    await_finished();
    d_step {
        walked = 0;
        do
        :: walked < BLOCKS ->
            assert((walked < blocks && runs[walked] == 1) || (walked >= blocks && runs[walked] == 0));
            runs[walked] = 0;
            walked++
        :: else -> break
        od;
        walked = 0;
        open_serial = 0
    }
}

/* ---- platform/helpers.c ------------------------------------------------------------------------- */

inline call_helpers()
{
    call++;
    wake_all(CALL)
}

inline start()
{
    d_step {
        generation++;
        open = 1;
        inside = 0
    };
    call_helpers()
}

inline finish()
{
    open = 0;
    do
    :: inside == 0 -> break
    :: else ->
        seen = inside;
        if
        :: seen == 0 -> skip
        :: else -> wait_on(0, GATE, inside, seen)
        fi
    od;
    seen = 0;
    alive = 0
}

/* The result is in `entered`. */
inline enter()
{
#ifdef BUG_GATE
    if
    :: open && generation != last ->
        inside++;
        d_step {
            last = generation;
            entered = true
        }
    :: else -> skip
    fi
#else
    d_step {
        if
#ifdef BUG_TWICE
        :: open ->
#else
        :: open && generation != last ->
#endif
            assert(generation != last);
            inside++;
            last = generation;
            entered = true
        :: else -> skip
        fi
    }
#endif
}

inline leave()
{
    d_step {
        inside--;
        was_last = (!open && inside == 0);
        entered = false
    };
    if
    :: was_last -> wake_all(GATE)
    :: else -> skip
    fi;
    was_last = false
}

proctype helper(byte me)
{
    byte answered, heard, last; /* calls, generation */
    byte my_serial, my_kind, block, walked, held, seen, ticket_seen, mine_target, mine_count;
    bool got, entered, was_last, last_one;

    do
    :: true ->
        if
        :: skip
        :: goto end_never /* the operating system has better things to do */
        fi;
        heard = call;
        if
        :: quit -> break
        :: else -> skip
        fi;
        if
        :: heard == answered -> wait_on(me, CALL, call, heard)
        :: else ->
            answered = heard;
            enter();
            if
            :: entered ->
                help(me);
                leave()
            :: else -> skip
            fi
        fi
    od;
    goto stopped;
end_never:
    false;
stopped:
    skip
}

proctype caller()
{
    byte step, stages, blocks;
    byte block, walked, held, seen, ticket_seen, mine_target, mine_count;
    bool got, last_one;

    do
    :: step < STEPS ->
        alive = 1;
        publish(BEGIN, 0);
        start();
        stages = 0;
        do
        :: stages < STAGES ->
            stage();
            stages++
        :: else -> break
        od;
        publish(END, 0);
        finish();
        step++
    :: else -> break
    od;
    quit = 1;
    call_helpers()
}

init
{
    atomic {
        run caller();
        run helper(1);
        run helper(2)
    }
}
