/* Short Zoot Suit in C, as a yardstick of speed: default options but for the number of players.
 *
 * Run as `twin STRATEGY SEED GAMES [PLAYERS]`; prints one JSON line: the seconds, and how many games
 * ended with which seats ahead. It has what the engine has: a copied view with all that is known of
 * the other hands, strategies behind pointers, a check of every action, random streams by purpose.
 * Written from the rules (seeds/rules/short-zoot-suit.md) and sim/rng.py; it must count the very
 * same outcomes.
 */
#include "twin.h"

enum { SEATS = 4, DECK = 5, DRAFT = 0, DRAW = 1, PLAY = 2 };
static const u64 SUIT = 0x1111111111111;

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
    u64 roots[2];
    find_roots(argv[2], roots);
    static State s;
    static View view;
    static Context contexts[12];
    static const int NUMBERS[5][2] = {{0}, {0}, {1, 9}, {1, 13}, {0, 13}}; /* from, up to */
    s.table.players = (int8_t)players;
    for (int number = NUMBERS[players][0]; number < NUMBERS[players][1]; number++)
        s.table.pack |= 15ULL << 4 * number;
    double began = now();
    for (long game = 0; game < games; game++) {
        s.key = output_of(roots[0], (u64)game);
        play_game(&s, &view, contexts, strategies, output_of(roots[1], (u64)game));
        const int32_t *points = s.table.points;
        int most = 0, leaders = 0;
        for (int seat = 0; seat < players; seat++) most = points[seat] > most ? points[seat] : most;
        for (int seat = 0; seat < players; seat++) leaders |= (points[seat] == most) << seat;
        counts[leaders]++;
    }
    printf("{\"seconds\": %.9f, \"cells\": [", now() - began);
    for (int leaders = 1; leaders < 16; leaders++)
        printf("%s[%d, %ld]", leaders > 1 ? ", " : "", leaders, counts[leaders]);
    printf("]}\n");
    return 0;
}
