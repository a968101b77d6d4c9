/* Short Zoot Suit in C, as a yardstick of speed: default options but for the number of players.
 *
 * Run as `twin STRATEGY SEED GAMES [PLAYERS]`; prints one JSON line: the seconds, and how many games
 * ended with which seats ahead. It has what the engine has: a copied view with all that is known of
 * the other hands, strategies behind pointers, a check of every action, random streams by purpose.
 * Written from the rules (seeds/rules/short-zoot-suit.md) and sim/rng.py; it must count the very
 * same outcomes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef __uint128_t u128;

enum { SEATS = 4, DECK = 5, DRAFT = 0, DRAW = 1, PLAY = 2 };
static const u64 SUIT = 0x1111111111111;

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

static inline int bounded(u64 *state, u64 n) {
    u128 product = (u128)next_word(state) * n;
    if ((u64)product < n) {
        u64 threshold = (0 - n) % n;
        while ((u64)product < threshold) product = (u128)next_word(state) * n;
    }
    return (int)(product >> 64);
}

/* --- sets of cards: bit 4 * number + suit ----------------------------------------------------- */

static inline int lowest(u64 cards) { return __builtin_ctzll(cards); }
static inline int count(u64 cards) { return __builtin_popcountll(cards); }
static inline int nth(u64 cards, int n) {
    while (n--) cards &= cards - 1;
    return lowest(cards);
}
static inline int min(int a, int b) { return a < b ? a : b; }

/* --- state ------------------------------------------------------------------------------------ */

typedef struct {
    u64 hand, deck, stack[2], played[SEATS], shorts, outside[SEATS], led, trick;
    u64 sizes, decks, tricks, drew, laid, suits[4], pack;
    int64_t seat, kind, leader, best, winner, number;
    int32_t points[SEATS];
    int16_t bonus[5];
    int8_t round, start, players, options[5];
} View;

typedef struct {
    View table;
    u64 hands[SEATS], decks[SEATS], stacks[SEATS], key;
    int draws[SEATS], asked, turn, over;
    uint8_t shuffled[52];
} State;

typedef struct {
    u64 state;
    int64_t words[24];
} Context;

typedef int64_t (*Strategy)(const View *, Context *);

static inline int of_seat(u64 word, int seat) { return (int)(word >> 8 * seat) & 255; }

static inline void give_turn(State *s, int seat, int kind) {
    View *t = &s->table;
    t->seat = seat;
    t->kind = kind;
    t->hand = s->hands[seat];
    t->deck = s->decks[seat];
}

static inline u64 playable(const View *v) {
    u64 following = v->hand & v->led;
    return following ? following : v->hand;
}

static inline int legal(const View *v, int64_t a) {
    if (v->kind == PLAY) return a >= 0 && a < 52 && playable(v) >> a & 1;
    if (v->kind == DRAW) return a == 0 || (a == 1 && v->deck);
    return ((u64)a & ~v->hand) == 0 && count((u64)a) == DECK;
}

/* --- what hands have shown: for each set of suits, at least so many cards outside of it -------- */

static const u64 LACKING[4] = {0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF,
                               0x00000000FFFFFFFF};

static inline u64 after_play(u64 outside, int suit) {
    u64 differing = (outside ^ outside >> (4 << suit)) & LACKING[suit];
    differing |= differing >> 2;
    differing |= differing >> 1;
    return outside - (differing & 0x1111111111111110);
}

static inline u64 after_short(u64 outside, int suit, int size) {
    u64 known = ((outside & ~15ULL) | (u64)size) & LACKING[suit];
    return (known | known << (4 << suit)) & ~15ULL;
}

/* --- rounds ----------------------------------------------------------------------------------- */

static void begin_round(State *s) {
    View *t = &s->table;
    int size = 0, players = t->players;
    t->round++;
    for (u64 pack = t->pack; pack; pack &= pack - 1) s->shuffled[size++] = (uint8_t)lowest(pack);
    int each = players == 2 ? 15 : size / players;
    u64 stream = output_of(s->key, (u64)t->round);
    t->sizes = 0;
    for (int seat = 0; seat < players; seat++) {
        u64 hand = 0;
        for (int i = 0; i < each; i++) {
            int drawn = bounded(&stream, (u64)size--);
            hand |= 1ULL << s->shuffled[drawn];
            s->shuffled[drawn] = s->shuffled[size];
        }
        s->hands[seat] = hand;
        t->sizes |= (u64)each << 8 * seat;
    }
    t->start = (int8_t)((t->round - 1) % players);
    t->leader = t->start;
    for (int seat = 0; seat < SEATS; seat++)
        t->played[seat] = t->outside[seat] = s->decks[seat] = s->stacks[seat] = 0;
    t->shorts = t->decks = t->tricks = t->drew = t->laid = t->led = t->trick = 0;
    t->best = t->winner = -1;
    t->number = 1;
    give_turn(s, 0, DRAFT);
}

static void end_round(State *s) {
    View *t = &s->table;
    for (int seat = 0; seat < t->players; seat++) {
        u64 pile = t->played[seat] & t->shorts;
        int tricks = of_seat(t->tricks, seat), shorts = count(pile), suits = 0;
        for (int suit = 0; suit < 4; suit++) suits += (pile & SUIT << suit) != 0;
        int pairs = min(tricks, shorts);
        t->points[seat] += tricks + (tricks == shorts ? 5 : 3) * pairs + t->bonus[suits];
    }
    if (t->round < t->players)
        begin_round(s);
    else
        s->over = 1;
}

static void ask(State *s) {
    View *t = &s->table;
    int players = t->players;
    if (t->decks) {
        while (s->asked < players) {
            int seat = (int)t->leader + s->asked;
            if (seat >= players) seat -= players;
            if (s->decks[seat]) {
                give_turn(s, seat, DRAW);
                return;
            }
            s->draws[seat] = 0;
            s->asked++;
        }
        for (int seat = 0; seat < players; seat++)
            if (s->draws[seat]) {
                u64 card = 1ULL << (s->stacks[seat] & 63);
                s->stacks[seat] >>= 6;
                s->hands[seat] |= card;
                s->decks[seat] &= ~card;
                t->sizes += 1ULL << 8 * seat;
                t->decks -= 1ULL << 8 * seat;
                t->drew |= 1ULL << (16 * seat + t->number - 1);
            }
    }
    for (int seat = 0; seat < players; seat++)
        if (!s->hands[seat]) {
            end_round(s);
            return;
        }
    s->turn = 0;
    give_turn(s, (int)t->leader, PLAY);
}

static void choose_deck(State *s, u64 cards) {
    View *t = &s->table;
    int seat = (int)t->seat;
    u64 stream = output_of(s->key, (u64)(128 * (1 + seat) + t->round)), stack = 0;
    s->hands[seat] = t->hand & ~cards;
    s->decks[seat] = cards;
    for (int left = DECK; left > 1; left--) {
        int card = nth(cards, bounded(&stream, (u64)left));
        cards &= ~(1ULL << card);
        stack = stack << 6 | (u64)card;
    }
    s->stacks[seat] = stack << 6 | (u64)lowest(cards);
    if (seat + 1 < t->players) {
        give_turn(s, seat + 1, DRAFT);
        return;
    }
    for (int each = 0; each < t->players; each++) t->decks |= (u64)DECK << 8 * each;
    t->sizes -= t->decks;
    s->asked = 0;
    ask(s);
}

static void play_card(State *s, int card) {
    View *t = &s->table;
    int seat = (int)t->seat;
    u64 bit = 1ULL << card;
    s->hands[seat] = t->hand & ~bit;
    t->played[seat] |= bit;
    t->sizes -= 1ULL << 8 * seat;
    t->trick |= (u64)(card + 1) << 8 * seat;
    if (t->outside[seat]) t->outside[seat] = after_play(t->outside[seat], card & 3);
    if (s->turn == 0) {
        t->led = SUIT << (card & 3);
        t->best = card;
        t->winner = seat;
    } else if (!(t->led & bit)) {
        t->shorts |= bit;
        t->outside[seat] =
            after_short(t->outside[seat], lowest(t->led), of_seat(t->sizes, seat));
    } else if (card >= t->best) {
        t->best = card;
        t->winner = seat;
    }
    if (++s->turn < t->players) {
        give_turn(s, seat + 1 < t->players ? seat + 1 : 0, PLAY);
        return;
    }
    t->tricks += 1ULL << 8 * t->winner;
    t->leader = t->winner;
    t->led = t->trick = 0;
    t->best = t->winner = -1;
    t->number++;
    s->asked = 0;
    ask(s);
}

static void apply(State *s, int64_t a) {
    View *t = &s->table;
    if (t->kind == PLAY)
        play_card(s, (int)a);
    else if (t->kind == DRAW) {
        s->draws[t->seat] = (int)a;
        s->asked++;
        ask(s);
    } else
        choose_deck(s, (u64)a);
}

/* --- strategies ------------------------------------------------------------------------------- */

static int64_t plain_draft(const View *v, Context *c) {
    (void)c;
    u64 rest = v->hand;
    for (int i = 0; i < DECK; i++) rest &= rest - 1;
    return (int64_t)(v->hand & ~rest);
}

static int64_t plain_draw(const View *v, Context *c) {
    (void)v, (void)c;
    return 1;
}

static int64_t plain_play(const View *v, Context *c) {
    (void)c;
    return lowest(playable(v));
}

static int64_t random_draft(const View *v, Context *c) {
    u64 left = v->hand;
    for (int i = 0, size = count(left); i < DECK; i++)
        left &= ~(1ULL << nth(left, bounded(&c->state, (u64)(size - i))));
    return (int64_t)(v->hand & ~left);
}

static int64_t random_draw(const View *v, Context *c) {
    (void)v;
    return bounded(&c->state, 2);
}

static int64_t random_play(const View *v, Context *c) {
    u64 cards = playable(v);
    return nth(cards, bounded(&c->state, (u64)count(cards)));
}

/* --- games ------------------------------------------------------------------------------------ */

static void play_game(State *s, View *view, Context *contexts, Strategy *strategies, u64 key) {
    View *t = &s->table;
    for (int slot = 0; slot < 12; slot++)
        contexts[slot].state = output_of(key, (u64)(slot % 4 + 16 * (slot / 4)));
    t->round = 0;
    s->over = 0;
    memset(t->points, 0, sizeof t->points);
    begin_round(s);
    while (!s->over) {
        *view = *t;
        int slot = (int)(4 * t->kind + t->seat);
        int64_t a;
        switch (slot) { /* a call site for each: the processor predicts one target a site */
#define SITE(n) case n: a = strategies[n](view, &contexts[n]); break;
            SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6) SITE(7) SITE(8) SITE(9)
            SITE(10)
            default: a = strategies[11](view, &contexts[11]);
        }
        if (!legal(t, a)) {
            fprintf(stderr, "illegal action %lld\n", (long long)a);
            exit(1);
        }
        apply(s, a);
    }
}

/* SHA-256 of one short message, for the two roots of a seed. */
static void sha256(const char *text, u64 out[2]);

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5) return 2;
    int is_random = !strcmp(argv[1], "random"), players = argc > 4 ? atoi(argv[4]) : 4;
    if (players < 2 || players > 4) return 2;
    Strategy strategies[12];
    for (int seat = 0; seat < 4; seat++) {
        strategies[seat] = is_random ? random_draft : plain_draft;
        strategies[4 + seat] = is_random ? random_draw : plain_draw;
        strategies[8 + seat] = is_random ? random_play : plain_play;
    }
    long games = atol(argv[3]), counts[16] = {0};
    char text[64];
    u64 roots[2];
    snprintf(text, sizeof text, "playout:%s", argv[2]);
    sha256(text, roots);
    static State s;
    static View view;
    static Context contexts[12];
    static const int NUMBERS[5][2] = {{0}, {0}, {1, 9}, {1, 13}, {0, 13}}; /* from, up to */
    s.table.players = (int8_t)players;
    for (int number = NUMBERS[players][0]; number < NUMBERS[players][1]; number++)
        s.table.pack |= 15ULL << 4 * number;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long game = 0; game < games; game++) {
        s.key = output_of(roots[0], (u64)game);
        play_game(&s, &view, contexts, strategies, output_of(roots[1], (u64)game));
        const int32_t *points = s.table.points;
        int most = 0, leaders = 0;
        for (int seat = 0; seat < players; seat++) most = points[seat] > most ? points[seat] : most;
        for (int seat = 0; seat < players; seat++) leaders |= (points[seat] == most) << seat;
        counts[leaders]++;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("{\"seconds\": %.9f, \"cells\": [", seconds);
    for (int leaders = 1; leaders < 16; leaders++)
        printf("%s[%d, %ld]", leaders > 1 ? ", " : "", leaders, counts[leaders]);
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
