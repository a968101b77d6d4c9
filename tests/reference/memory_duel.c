/* The memory duel in C, as a yardstick of speed: default options, both seats with one yardstick
 * strategy and the default recall model.
 *
 * Run as `twin STRATEGY SEED GAMES`; prints one JSON line: the seconds, and how many games ended
 * with how many cards claimed by each seat. It has what the engine has: a view of its own for the
 * player to move, strategies behind pointers, a check of every action, random streams by purpose.
 * Written from the rules (seeds/rules/memory-duel.md) and sim/rng.py; it must count the very same
 * outcomes.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef __uint128_t u128;

enum { CARDS = 52, RAISE = 0, CALL = 1, DECLINE = 2, FIRST_RECITAL = 1024, A_SEAT = 1024 };

/* --- random streams --------------------------------------------------------------------------- */

#define GAMMA 0x9E3779B97F4A7C15ULL

static inline u64 scramble(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline u64 output_of(u64 key, u64 n) { return scramble(key + (n + 1) * GAMMA); }

static inline u64 next_word(u64 *state) {
    *state += GAMMA;
    return scramble(*state);
}

static inline i64 bounded(u64 *state, u64 n) {
    u128 product = (u128)next_word(state) * n;
    if ((u64)product < n) {
        u64 threshold = (0 - n) % n;
        while ((u64)product < threshold) product = (u128)next_word(state) * n;
    }
    return (i64)(product >> 64);
}

static inline double uniform(u64 *state) {
    return (double)(next_word(state) >> 11) * (1.0 / 9007199254740992.0);
}

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
        s->claimed[recited ? 1 - seat : seat] += s->stack;
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

static void sha256(const char *text, u64 out[2]);

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    Strategy one = strcmp(argv[1], "random") ? play_threshold : play_random;
    Strategy strategies[2] = {one, one};
    long games = atol(argv[3]);
    static long counts[CARDS + 1][CARDS + 1];
    char text[64];
    u64 roots[2];
    snprintf(text, sizeof text, "playout:%s", argv[2]);
    sha256(text, roots);
    static State s;
    static View view;
    static Context contexts[2];
    for (int seat = 0; seat < 2; seat++)
        for (int n = 0; n < CARDS + 2; n++)
            s.recall[seat][n] = (1.0 - 0.027) / (1.0 + exp((n - 4.65) / 0.535));
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long game = 0; game < games; game++) {
        s.key = output_of(roots[0], (u64)game);
        u64 key = output_of(roots[1], (u64)game);
        for (int seat = 0; seat < 2; seat++) contexts[seat] = (Context){output_of(key, seat), 5};
        play_game(&s, &view, contexts, strategies);
        counts[s.claimed[0]][s.claimed[1]]++;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
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

static inline uint32_t rotated(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void sha256(const char *text, u64 out[2]) {
    static const uint32_t K[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t block[64] = {0};
    size_t length = strlen(text); /* under 56: one block */
    memcpy(block, text, length);
    block[length] = 0x80;
    block[62] = (uint8_t)(length * 8 >> 8);
    block[63] = (uint8_t)(length * 8);
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t a = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
        uint32_t b = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += a;
        v[0] = a + b;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
    uint8_t bytes[16];
    for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
    memcpy(out, bytes, sizeof bytes); /* little-endian, as in sim/rng.py */
}
