/* President in C, as a yardstick of speed: default options, every seat with one yardstick strategy.
 *
 * Run as `twin STRATEGY SEED GAMES`; prints one JSON line: the seconds, and how many games ended
 * with which seats ahead. It has what the engine has: a copied view, strategies behind pointers, a
 * check of every action, random streams by purpose. Written from the rules (seeds/rules/president.md)
 * and sim/rng.py; it must count the very same outcomes.
 */
#include "twin.h"

enum { SEATS = 4, ROUNDS = 10, FIRST_WILD = 11, JOKER = 13, PLACES = 14 };
static const int POINTS[5] = {0, 3, 2, 1, 0};
static const u64 ONE_OF_EACH = 0x11111111111111, HIGH_BITS = 0x88888888888888;

/* --- counted cards: four bits a rank ---------------------------------------------------------- */

static inline int count_of(u64 cards, int place) { return (int)(cards >> 4 * place) & 15; }
static inline u64 cards_of(int place, int count) { return (u64)count << 4 * place; }
static inline u64 from_place(u64 cards, int place) { return cards & (~0ULL << 4 * place); }
static inline u64 below_place(u64 cards, int place) { return cards & ~(~0ULL << 4 * place); }
static inline int lowest_place(u64 cards) { return __builtin_ctzll(cards) >> 2; }
static inline int highest_place(u64 cards) { return (63 - __builtin_clzll(cards)) >> 2; }
static inline u64 with_at_least(u64 cards, int n) {
    return (cards + (u64)(8 - n) * ONE_OF_EACH) & HIGH_BITS;
}
static inline int count_cards(u64 cards) {
    const u64 halves = 0x0F0F0F0F0F0F0F0F;
    return (int)((((cards & halves) + (cards >> 4 & halves)) * 0x0101010101010101ULL) >> 56);
}
static inline int count_highest(u64 cards, int place) {
    u64 high = cards >> 4 * place;
    return (int)((high & 15) + (high >> 4 & 15) + (high >> 8 & 15));
}
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

/* --- state ------------------------------------------------------------------------------------ */

typedef struct {
    u64 hand, played[SEATS], given, received, sizes;
    int64_t seat, trick_rank, trick_size, trick_player, trick_leader, passed;
    uint32_t finishes, ranks;
    int16_t round, lacks;
    int8_t leader, gift_size, options[24];
} View;

typedef struct {
    View table;
    u64 hands[SEATS], given[SEATS], received[SEATS], key, stream;
    int points[SEATS], step, plays, over;
    uint8_t deck[56];
} State;

typedef struct {
    u64 state;
    int64_t words[24];
} Context;

typedef int64_t (*Strategy)(const View *, Context *);
enum { GIFT, PLAY };

static inline int of_seat(u64 word, int seat) { return (int)(word >> 8 * seat) & 255; }
static inline int seat_with(u64 word, int number) {
    int seat = 0;
    while (seat < SEATS && of_seat(word, seat) != number) seat++;
    return seat;
}
static inline int64_t action(int place, int naturals, int fillers) {
    return place << 8 | naturals << 4 | fillers;
}

static u64 lowest_cards(u64 hand, int size) {
    u64 taken = 0;
    while (size > 0) {
        int place = lowest_place(hand), count = min(count_of(hand, place), size);
        taken |= cards_of(place, count);
        hand &= ~cards_of(place, 15);
        size -= count;
    }
    return taken;
}

static u64 highest_cards(u64 hand, int size) {
    u64 taken = 0;
    while (size > 0) {
        int place = highest_place(hand), count = min(count_of(hand, place), size);
        taken |= cards_of(place, count);
        hand &= ~cards_of(place, 15);
        size -= count;
    }
    return taken;
}

/* --- what may be played ----------------------------------------------------------------------- */

static inline int count_fillers(const View *v, int place) {
    return count_highest(v->hand, place < FIRST_WILD ? FIRST_WILD : place + 1);
}

static int legal(const View *v, int64_t a) {
    if (v->gift_size) {
        u64 cards = (u64)a;
        return a >= 0 && !(cards & HIGH_BITS) && !from_place(cards, PLACES) &&
               (((v->hand | HIGH_BITS) - cards) & HIGH_BITS) == HIGH_BITS &&
               count_cards(cards) == v->gift_size;
    }
    if (a == 0) return v->trick_size > 0;
    int64_t place = a >> 8;
    int naturals = a >> 4 & 15, fillers = a & 15;
    if (place < 0 || place >= PLACES || !naturals || naturals > count_of(v->hand, place)) return 0;
    if (fillers > count_fillers(v, place)) return 0;
    return v->trick_size == 0 || (naturals + fillers == v->trick_size && place > v->trick_rank);
}

static inline int can_follow(const View *t, u64 hand) {
    int size = (int)t->trick_size, above = (int)t->trick_rank + 1;
    int naturals = size - count_highest(hand, FIRST_WILD);
    if (naturals <= 4 &&
        from_place(below_place(with_at_least(hand, max(naturals, 1)), FIRST_WILD), above))
        return 1;
    return count_highest(hand, max(above, FIRST_WILD)) >= size;
}

static int count_sets(const View *v, int place) {
    int count = count_of(v->hand, place), fillers = count_fillers(v, place);
    int size = (int)v->trick_size;
    if (size == 0) return count * (fillers + 1);
    return max(min(count, size) - max(size - fillers, 1) + 1, 0);
}

static int count_legal(const View *v) {
    int size = (int)v->trick_size, fillers = count_highest(v->hand, FIRST_WILD), total = 1;
    u64 naturals = from_place(below_place(v->hand, FIRST_WILD), (int)v->trick_rank + 1);
    if (size == 0)
        total = count_cards(naturals) * (fillers + 1);
    else
        for (int n = max(size - fillers, 1); n <= min(size, 4); n++)
            total += __builtin_popcountll(with_at_least(naturals, n));
    u64 wilds = from_place(v->hand, max((int)v->trick_rank + 1, FIRST_WILD));
    while (wilds) {
        int place = lowest_place(wilds);
        total += count_sets(v, place);
        wilds = from_place(wilds, place + 1);
    }
    return total;
}

static int64_t nth_legal(const View *v, int n) {
    int size = (int)v->trick_size;
    if (size > 0 && n-- == 0) return 0;
    u64 cards = from_place(v->hand, (int)v->trick_rank + 1);
    for (;;) {
        int place = lowest_place(cards), here = count_sets(v, place);
        if (n < here) {
            int fillers = count_fillers(v, place);
            if (size == 0) return action(place, n / (fillers + 1) + 1, n % (fillers + 1));
            int naturals = max(size - fillers, 1) + n;
            return action(place, naturals, size - naturals);
        }
        n -= here;
        cards = from_place(cards, place + 1);
    }
}

/* --- the rules -------------------------------------------------------------------------------- */

static inline u64 draw_card(uint8_t *deck, int last, u64 *stream) {
    int drawn = bounded(stream, (u64)last + 1);
    int place = deck[drawn];
    deck[drawn] = deck[last];
    return 1ULL << 4 * place;
}

static u64 in_order(u64 cards) {
    return (cards & 0xFFFFFFFFFFF00) >> 8 | (cards & 15) << 44 | (cards >> 4 & 15) << 48;
}

static void deal_cards(State *s) {
    u64 stream = output_of(s->key, (u64)s->table.round), hands[SEATS] = {0};
    for (int card = 0; card < 52; card++) s->deck[card] = (uint8_t)(card >> 2);
    for (int last = 51; last > 2; last -= 4) {
        hands[0] += draw_card(s->deck, last, &stream);
        hands[1] += draw_card(s->deck, last - 1, &stream);
        hands[2] += draw_card(s->deck, last - 2, &stream);
        hands[3] += draw_card(s->deck, last - 3, &stream);
    }
    for (int i = 0; i < SEATS; i++) s->hands[(s->table.round - 1 + i) & 3] = in_order(hands[i]);
    s->table.sizes = 0x0D0D0D0D;
}

static inline void give_turn(State *s, int seat) {
    s->table.seat = seat;
    s->table.hand = s->hands[seat];
    s->table.given = s->given[seat];
    s->table.received = s->received[seat];
}

static void lead_trick(State *s, int seat) {
    View *t = &s->table;
    t->trick_rank = -1;
    t->trick_size = 0;
    t->trick_player = -1;
    t->passed = 0;
    t->trick_leader = seat;
    give_turn(s, seat);
}

static const int GIVERS[4] = {4, 3, 1, 2}, RECEIVERS[4] = {1, 2, 4, 3};

static void hand_over(State *s, u64 cards) {
    int giver = seat_with(s->table.ranks, GIVERS[s->step]);
    s->hands[giver] -= cards;
    s->given[giver] = cards;
    s->step++;
}

static void exchange(State *s) {
    View *t = &s->table;
    while (s->step < 4) {
        int size = s->step & 1 ? 1 : 2, giver = seat_with(t->ranks, GIVERS[s->step]);
        if (s->step >= 2) {
            t->gift_size = (int8_t)size;
            give_turn(s, giver);
            return;
        }
        hand_over(s, highest_cards(s->hands[giver], size));
    }
    t->gift_size = 0;
    if (t->round > 1)
        for (int i = 0; i < SEATS; i++) {
            int receiver = seat_with(t->ranks, RECEIVERS[i]);
            s->received[receiver] = s->given[seat_with(t->ranks, GIVERS[i])];
            s->hands[receiver] += s->received[receiver];
        }
    lead_trick(s, t->leader);
}

static void begin_round(State *s) {
    View *t = &s->table;
    t->round++;
    deal_cards(s);
    memset(t->played, 0, sizeof t->played);
    memset(s->given, 0, sizeof s->given);
    memset(s->received, 0, sizeof s->received);
    t->finishes = 0;
    t->lacks = 0;
    s->plays = 0;
    t->leader = (int8_t)(t->round == 1 ? 0 : (t->leader + 1) & 3);
    t->trick_size = t->passed = 0;
    t->trick_rank = t->trick_player = t->trick_leader = -1;
    s->step = t->round == 1 ? 4 : 0;
    exchange(s);
}

static void end_round(State *s) {
    View *t = &s->table;
    t->ranks = t->finishes;
    for (int seat = 0; seat < SEATS; seat++) s->points[seat] += POINTS[of_seat(t->ranks, seat)];
    if (t->round < ROUNDS)
        begin_round(s);
    else
        s->over = 1;
}

static void next_turn(State *s) {
    View *t = &s->table;
    int seat = (int)t->seat;
    for (;;) {
        seat = (seat + 1) & 3;
        if (seat == t->trick_player) {
            while (!s->hands[seat]) seat = (seat + 1) & 3;
            lead_trick(s, seat);
            return;
        }
        if (!s->hands[seat]) continue;
        if (can_follow(t, s->hands[seat])) {
            give_turn(s, seat);
            return;
        }
        t->passed |= 1 << seat;
    }
}

static u64 weakest_fillers(View *t, int place, int count) {
    u64 fillers = 0;
    for (int at = max(place + 1, FIRST_WILD);; at++) {
        int taken = min(count_of(t->hand, at), count);
        fillers |= cards_of(at, taken);
        count -= taken;
        if (!count) return fillers;
        t->lacks |= (int16_t)(1 << (4 * t->seat + at - 11));
    }
}

static void play_set(State *s, int64_t a) {
    View *t = &s->table;
    int seat = (int)t->seat, place = (int)(a >> 8), naturals = a >> 4 & 15, fillers = a & 15;
    u64 cards = cards_of(place, naturals);
    if (fillers) cards |= weakest_fillers(t, place, fillers);
    u64 hand = t->hand - cards;
    s->hands[seat] = hand;
    t->played[seat] += cards;
    s->plays++;
    t->sizes -= (u64)(naturals + fillers) << 8 * seat;
    t->trick_rank = place;
    t->trick_size = naturals + fillers;
    t->trick_player = seat;
    t->passed &= ~(1 << seat);
    if (!hand) {
        int rank = 1;
        while (seat_with(t->finishes, rank) < SEATS) rank++;
        t->finishes |= (uint32_t)rank << 8 * seat;
        if (rank == 3) {
            t->finishes |= (uint32_t)4 << 8 * seat_with(t->finishes, 0);
            end_round(s);
            return;
        }
    }
    next_turn(s);
}

static void apply(State *s, int64_t a) {
    View *t = &s->table;
    if (t->gift_size) {
        hand_over(s, (u64)a);
        exchange(s);
    } else if (a == 0) {
        t->passed |= 1 << t->seat;
        next_turn(s);
    } else
        play_set(s, a);
}

/* --- strategies ------------------------------------------------------------------------------- */

static int64_t lowest_gift(const View *v, Context *c) {
    (void)c;
    return (int64_t)lowest_cards(v->hand, v->gift_size);
}

static int64_t lowest_play(const View *v, Context *c) {
    (void)c;
    if (v->trick_size == 0) {
        int place = lowest_place(v->hand);
        return action(place, count_of(v->hand, place), 0);
    }
    u64 enough = with_at_least(v->hand, min((int)v->trick_size, 5));
    enough = from_place(enough, (int)v->trick_rank + 1);
    return enough ? action(lowest_place(enough), (int)v->trick_size, 0) : 0;
}

static int64_t random_gift(const View *v, Context *c) {
    u64 hand = v->hand, taken = 0;
    for (int left = count_cards(hand), size = v->gift_size; size > 0; size--, left--) {
        int n = bounded(&c->state, (u64)left), place = 0;
        while (n >= count_of(hand, place)) n -= count_of(hand, place++);
        hand -= cards_of(place, 1);
        taken += cards_of(place, 1);
    }
    return (int64_t)taken;
}

static int64_t random_play(const View *v, Context *c) {
    return nth_legal(v, bounded(&c->state, (u64)count_legal(v)));
}

/* --- games ------------------------------------------------------------------------------------ */

static void play_game(State *s, View *view, Context *contexts, Strategy *strategies, u64 key) {
    View *t = &s->table;
    for (int slot = 0; slot < 8; slot++)
        contexts[slot].state = output_of(key, (u64)(slot % 4 + 16 * (slot / 4)));
    t->round = 0;
    t->ranks = 0;
    t->gift_size = 0;
    s->over = 0;
    memset(s->points, 0, sizeof s->points);
    begin_round(s);
    while (!s->over) {
        int seat = (int)t->seat, kind = t->gift_size ? GIFT : PLAY, slot = 4 * kind + seat;
        *view = *t;
        int64_t a;
        switch (slot) { /* a call site for each: the processor predicts one target a site */
#define SITE(n) case n: a = strategies[n](view, &contexts[n]); break;
            SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6)
            default: a = strategies[7](view, &contexts[7]);
        }
        if (!legal(t, a)) {
            fprintf(stderr, "illegal action %lld\n", (long long)a);
            exit(1);
        }
        apply(s, a);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int is_random = !strcmp(argv[1], "random");
    Strategy gift = is_random ? random_gift : lowest_gift;
    Strategy play = is_random ? random_play : lowest_play;
    Strategy strategies[8] = {gift, gift, gift, gift, play, play, play, play};
    long games = atol(argv[3]), counts[16] = {0};
    u64 roots[2];
    find_roots(argv[2], roots);
    static State s;
    static View view;
    static Context contexts[8];
    double began = now();
    for (long game = 0; game < games; game++) {
        s.key = output_of(roots[0], (u64)game);
        play_game(&s, &view, contexts, strategies, output_of(roots[1], (u64)game));
        int most = 0, leaders = 0;
        for (int seat = 0; seat < SEATS; seat++) most = max(most, s.points[seat]);
        for (int seat = 0; seat < SEATS; seat++) leaders |= (s.points[seat] == most) << seat;
        counts[leaders]++;
    }
    printf("{\"seconds\": %.9f, \"cells\": [", now() - began);
    for (int leaders = 1; leaders < 16; leaders++)
        printf("%s[%d, %ld]", leaders > 1 ? ", " : "", leaders, counts[leaders]);
    printf("]}\n");
    return 0;
}
