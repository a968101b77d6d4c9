/* The memory duel in C, as a yardstick of speed: default options, both seats with one yardstick
 * strategy and the default recall model.
 *
 * Run as `twin STRATEGY SEED GAMES`; prints one JSON line: the seconds, and how many games ended
 * with how many cards claimed by each seat. It has what the engine has: a view of its own for the
 * player to move, strategies behind pointers, a check of every action, random streams by purpose.
 * Written from the rules (seeds/rules/memory-duel.md) and sim/rng.py; it must count the very same
 * outcomes.
 */
#include "twin.h"

typedef int64_t i64;

enum { CARDS = 52, RAISE = 0, CALL = 1, DECLINE = 2, FIRST_RECITAL = 1024, A_SEAT = 1024 };

static inline double uniform(u64 *state) {
    return (double)(next_word(state) >> 11) * (1.0 / 9007199254740992.0);
}

/* The default recall model: the compiler works out the numbers. */
#define P(n) ((1.0 - 0.027) / (1.0 + __builtin_exp(((n) - 4.65) / 0.535)))
#define P6(n) P(n), P((n) + 1), P((n) + 2), P((n) + 3), P((n) + 4), P((n) + 5)
static const double LOGISTIC[CARDS + 2] = {P6(0),  P6(6),  P6(12), P6(18), P6(24),
                                           P6(30), P6(36), P6(42), P6(48)};

/* --- the game --------------------------------------------------------------------------------- */

typedef struct {
    i64 pack, stack, claimed, opponent_claimed, declined, calls, last_call, last_caller;
    i64 last_recited, sure;
    double own_recall, own_recall_next, opponent_recall;
    i64 cards, any_order, known_opponent, seat;
} View;

typedef struct {
    i64 pack, stack, mover, claimed[2], declined, over, calls, last_call, last_caller;
    i64 last_recited;
    double recall[2][CARDS + 2];
    u64 key;
} State;

typedef struct {
    u64 state;
    i64 k;
} Context;

typedef i64 (*Strategy)(const View *, Context *);

static inline i64 pass_on(const View *v) { return v->pack > 0 ? RAISE : DECLINE; }

static i64 play_random(const View *v, Context *c) {
    if (v->stack == 0) return pass_on(v);
    return bounded(&c->state, 2) == 1 ? CALL : pass_on(v);
}

static i64 play_threshold(const View *v, Context *c) {
    return v->stack >= c->k ? CALL : pass_on(v);
}

static inline void observe(const State *s, i64 seat, View *v) {
    v->pack = s->pack;
    v->stack = s->stack;
    v->claimed = s->claimed[seat];
    v->opponent_claimed = s->claimed[1 - seat];
    v->declined = s->declined;
    v->calls = s->calls;
    v->last_call = s->last_call;
    v->last_caller = s->last_caller;
    v->last_recited = s->last_recited;
    v->sure = -1;
    v->own_recall = s->recall[seat][s->stack];
    v->own_recall_next = s->pack > 0 ? s->recall[seat][s->stack + 1] : 0.0;
    v->opponent_recall = s->recall[1 - seat][s->stack];
    v->cards = CARDS;
    v->any_order = 0;
    v->known_opponent = 1;
    v->seat = seat;
}

static inline int legal(const State *s, i64 action) {
    if (action == RAISE) return s->pack > 0;
    if (action == CALL) return s->stack > 0;
    return action == DECLINE && s->pack == 0;
}

static inline void apply(State *s, i64 action) {
    i64 seat = s->mover;
    s->mover = 1 - seat;
    if (action == RAISE) {
        s->pack--;
        s->stack++;
        return;
    }
    if (action == CALL) {
        u64 stream = output_of(s->key, (u64)(FIRST_RECITAL + A_SEAT * (1 - seat) + CARDS - s->pack));
        int recited = uniform(&stream) < s->recall[1 - seat][s->stack];
        /* sums: with `claimed[recited ? …] +=` all later loads wait for the luck (half as long again) */
        i64 to_one = s->stack * (seat ^ recited);
        s->claimed[0] += s->stack - to_one;
        s->claimed[1] += to_one;
        s->last_call = s->stack;
        s->last_caller = seat;
        s->last_recited = recited;
        s->calls++;
        s->stack = 0;
    } else {
        s->declined++;
    }
    if (s->pack == 0 && (s->stack == 0 || s->declined == 2)) s->over = 1;
}

static void play_game(State *s, View *view, Context *contexts, const Strategy *strategies) {
    s->pack = CARDS;
    s->stack = s->mover = s->claimed[0] = s->claimed[1] = s->declined = s->over = s->calls = 0;
    s->last_call = s->last_recited = 0;
    s->last_caller = -1;
    while (!s->over) {
        i64 seat = s->mover;
        observe(s, seat, view);
        i64 action = strategies[seat](view, &contexts[seat]);
        if (!legal(s, action)) exit(1);
        apply(s, action);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    Strategy one = strcmp(argv[1], "random") ? play_threshold : play_random;
    Strategy strategies[2] = {one, one};
    long games = atol(argv[3]);
    static long counts[CARDS + 1][CARDS + 1];
    u64 roots[2];
    find_roots(argv[2], roots);
    static State s;
    static View view;
    static Context contexts[2];
    for (int seat = 0; seat < 2; seat++) memcpy(s.recall[seat], LOGISTIC, sizeof LOGISTIC);
    double began = now();
    for (long game = 0; game < games; game++) {
        s.key = output_of(roots[0], (u64)game);
        u64 key = output_of(roots[1], (u64)game);
        for (int seat = 0; seat < 2; seat++) contexts[seat] = (Context){output_of(key, seat), 5};
        play_game(&s, &view, contexts, strategies);
        counts[s.claimed[0]][s.claimed[1]]++;
    }
    double seconds = now() - began;
    printf("{\"seconds\": %.9f, \"cells\": [", seconds);
    const char *comma = "";
    for (int a = 0; a <= CARDS; a++)
        for (int b = 0; a + b <= CARDS; b++)
            if (counts[a][b]) {
                printf("%s[%d, %d, %ld]", comma, a, b, counts[a][b]);
                comma = ", ";
            }
    printf("]}\n");
    return 0;
}
