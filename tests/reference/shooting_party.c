/* The Shooting Party in C, as a yardstick of speed: default options, one yardstick strategy.
 *
 * Run as `twin STRATEGY SEED GAMES`; prints one JSON line: the seconds, and how many games ended
 * with how many queens and jewels. It is lean: the strategy reads the game itself instead of a copy
 * of what a player sees, and no action is checked. Written from the rules
 * (seeds/rules/shooting-party.md) and sim/rng.py; it must count the very same outcomes.
 */
#include "twin.h"

#include <stddef.h>

/* Cards: rank * 4 + suit, ranks 2 3 4 5 J Q K A; the joker is 32. Sets: one bit a card. */
enum { JACK = 16, QUEEN = 20, KING = 24, ACE = 28, JOKER = 32 };
enum { HAND = 4, DRAW_LIMIT = 5, RESHUFFLES = 2 }; /* the default options */
static const u64 JACKS = 0xFULL << JACK, QUEENS = 0xFULL << QUEEN, ACES = 0xFULL << ACE;
static const u64 BUTLER = 1ULL << JOKER, FULL_PACK = (1ULL << 33) - 1;
static const u32 ONE_SUIT = 0x11111111;

/* --- the game --------------------------------------------------------------------------------- */

typedef struct {
    u64 hand, discards, display, scored, pile;
    u64 deals, chance; /* streams: shuffles are keyed by number, the player's draws go on */
    int pile_size, reshuffles_left, reshuffles, fetched_aces, husband, over;
    u32 clock, arrival[5]; /* of the queens by suit; the last place takes all other cards */
    uint8_t cards[40];     /* the draw pile, its top last */
} Game;

ALWAYS int count(u64 set) { return __builtin_popcountll(set); }
ALWAYS int lowest(u64 set) { return __builtin_ctzll(set); }
ALWAYS u64 without_lowest(u64 set) { return set & (set - 1); }

ALWAYS void shuffle(Game *g, u64 number) {
    int n = 0;
    for (u64 left = g->pile; left; left = without_lowest(left)) g->cards[n++] = (uint8_t)lowest(left);
    g->pile_size = n;
    u64 stream = output_of(g->deals, number);
    for (int i = n - 1; i > 0; i--) {
        u32 j = bounded(&stream, (u64)i + 1);
        uint8_t card = g->cards[i];
        g->cards[i] = g->cards[j];
        g->cards[j] = card;
    }
}

SELDOM int renew_pile(Game *g) {
    u64 back = g->discards | g->display;
    if (!g->reshuffles_left || !back) {
        g->over = 1;
        return 0;
    }
    g->reshuffles_left--;
    g->pile = back;
    g->discards = g->display = 0;
    shuffle(g, (u64)++g->reshuffles);
    return 1;
}

ALWAYS void draw(Game *g, int wanted) {
    while (wanted) {
        if (!g->pile_size && !renew_pile(g)) return;
        u64 drawn = 0;
        do {
            int card = g->cards[--g->pile_size];
            u64 bit = 1ULL << card;
            drawn |= bit;
            g->arrival[bit & QUEENS ? card & 3 : 4] = ++g->clock;
            wanted -= !(bit & ACES); /* an ace goes to the table, and the next card is drawn */
        } while (wanted && g->pile_size);
        g->pile ^= drawn;
        g->display |= drawn & ACES;
        g->hand |= drawn & ~ACES;
    }
}

ALWAYS void discard(Game *g, u64 cards) {
    g->hand &= ~cards;
    g->discards |= cards;
}

SELDOM void keep_etiquette(Game *g) {
    while (!g->over) {
        u64 couples = g->hand >> QUEEN & g->hand >> KING & 15;
        for (; couples; couples = without_lowest(couples)) {
            int suit = lowest(couples);
            if (g->hand >> (JACK + suit) & 1) {
                g->husband = suit; /* the player chooses */
                return;
            }
            discard(g, (1ULL << QUEEN | 1ULL << KING) << suit);
        }
        for (u64 queens; queens = g->hand & QUEENS, without_lowest(queens);) {
            int first = lowest(queens) & 3;
            while ((queens = without_lowest(queens)))
                if (g->arrival[lowest(queens) & 3] < g->arrival[first]) first = lowest(queens) & 3;
            discard(g, 1ULL << (QUEEN + first));
        }
        if (!without_lowest(g->hand & JACKS)) return;
        discard(g, g->hand);
        draw(g, HAND);
    }
}

/* --- actions ---------------------------------------------------------------------------------- */

enum { PAIR, LEAVE, DISCARD, FETCH, FETCH_ACE, DISMISS, SEDUCE, QUEEN_AND_KING, KING_AND_JACK };
typedef struct { int kind; u64 cards; } Action;

#ifdef __BMI2__
#include <immintrin.h>
ALWAYS u64 nth(u64 set, int n) { return _pdep_u64(1ULL << n, set); }
#else
ALWAYS u64 nth(u64 set, int n) {
    while (n--) set = without_lowest(set);
    return set & -set;
}
#endif

/* How many of each rank, in four bits each. */
ALWAYS u32 rank_counts(u32 cards) {
    u32 twos = cards - (cards >> 1 & 0x55555555);
    return (twos & 0x33333333) + (twos >> 2 & 0x33333333);
}

static const uint8_t SETS[16] = {0, 0, 0, 1, 0, 1, 1, 4, 0, 1, 1, 4, 1, 4, 4, 11};

ALWAYS u64 nth_of_suit(u32 hand, int n) {
    for (int suit = 0;; suit++)
        for (u32 cards = hand & ONE_SUIT << suit; cards;) {
            u32 first = cards & -cards;
            cards ^= first;
            if (n < count(cards)) return first | nth(cards, n);
            n -= count(cards);
        }
}

ALWAYS u64 nth_of_rank(u32 hand, int n) {
    for (;;) {
        int place = __builtin_ctz(hand) & ~3;
        u32 suits = hand >> place & 15, set = 0;
        if (n < SETS[suits])
            for (;;) {
                set = (set - suits) & suits; /* the next subset of the suits */
                if ((set & (set - 1)) && n-- == 0) return (u64)set << place;
            }
        n -= SETS[suits];
        hand &= ~(15U << place);
    }
}

/* Uniform over the legal actions. */
ALWAYS Action random_action(Game *g) {
    if (g->husband >= 0) return (Action){bounded(&g->chance, 2) ? KING_AND_JACK : QUEEN_AND_KING, 0};
    u32 cards = (u32)g->hand, ranks = rank_counts(cards);
    int size = count(g->hand), butler = (int)(g->hand >> JOKER), of_suit = 0;
    for (int suit = 0; suit < 4; suit++) {
        int held = count(cards & ONE_SUIT << suit);
        of_suit += held * held;
    }
    of_suit = (of_suit - count(cards)) >> 1;
    int of_rank = count((ranks | ranks >> 1) & 0x22222222) + 3 * count(ranks & ranks >> 1 & ONE_SUIT) +
                  10 * count(ranks & 0x44444444);
    int pair = size <= DRAW_LIMIT, lone = size == 1 && (g->hand & QUEENS);
    int discards = butler ? count(g->discards) : 0, aces = butler ? count(g->pile & ACES) : 0;
    int n = (int)bounded(&g->chance, (u64)(pair + 1 + of_suit + of_rank + discards + aces + butler + lone));
    if ((n -= pair) < 0) return (Action){PAIR, 0};
    if (n-- == 0) return (Action){LEAVE, 0};
    if (n < of_suit) return (Action){DISCARD, nth_of_suit(cards, n)};
    if ((n -= of_suit) < of_rank) return (Action){DISCARD, nth_of_rank(cards, n)};
    if ((n -= of_rank) < discards) return (Action){FETCH, nth(g->discards, n)};
    if ((n -= discards) < aces) return (Action){FETCH_ACE, nth(g->pile & ACES, n)};
    return (Action){butler && n == aces ? DISMISS : SEDUCE, 0};
}

ALWAYS Action tidy_action(Game *g) {
    if (g->husband >= 0) return (Action){KING_AND_JACK, 0};
    u64 queen = g->hand & QUEENS, rest = without_lowest(g->hand);
    if (queen && !rest) return (Action){SEDUCE, 0};
    if (queen && rest == BUTLER) {
        u64 ace = queen << (ACE - QUEEN);
        return g->pile & ace ? (Action){FETCH_ACE, ace} : (Action){DISMISS, 0};
    }
    u32 cards = (u32)(g->hand ^ queen), ranks = rank_counts(cards);
    u32 fours = ranks & 0x44444444, many = (ranks + 0x55555555) & 0x88888888;
    if (many) return (Action){DISCARD, cards & 15U << (__builtin_ctz(fours ? fours : many) & ~3)};
    u32 partners = cards >> 4; /* of each card: is there a higher one of its suit or rank? */
    partners |= partners >> 4;
    partners |= partners >> 8;
    partners |= partners >> 16;
    partners |= (cards >> 1 & 0x77777777) | (cards >> 2 & 0x33333333) | (cards >> 3 & 0x11111111);
    u32 paired = cards & partners;
    if (paired) {
        int first = __builtin_ctz(paired);
        u32 others = cards & -(2U << first) & (ONE_SUIT << (first & 3) | 15U << (first & ~3));
        return (Action){DISCARD, 1U << first | (others & -others)};
    }
    if (count(g->hand) <= DRAW_LIMIT) return (Action){PAIR, 0};
    return (Action){g->hand & BUTLER ? DISMISS : LEAVE, 0};
}

/* --- games ------------------------------------------------------------------------------------ */

ALWAYS void act(Game *g, Action action) {
    switch (action.kind) {
    case PAIR:
        draw(g, 2);
        keep_etiquette(g);
        break;
    case LEAVE:
        discard(g, g->hand);
        draw(g, HAND);
        keep_etiquette(g);
        break;
    case DISCARD:
        discard(g, action.cards);
        break;
    case FETCH:
        discard(g, BUTLER);
        g->discards ^= action.cards;
        g->hand |= action.cards;
        if (action.cards & QUEENS) g->arrival[lowest(action.cards) & 3] = ++g->clock;
        keep_etiquette(g);
        break;
    case FETCH_ACE:
        discard(g, BUTLER);
        g->pile ^= action.cards;
        g->display |= action.cards;
        shuffle(g, 16 + (u64)g->fetched_aces++);
        break;
    case DISMISS:
        discard(g, BUTLER);
        break;
    case SEDUCE: {
        u64 ace = g->display & g->hand << (ACE - QUEEN);
        g->scored |= g->hand | ace;
        g->display ^= ace;
        g->hand = 0;
        if ((g->scored & QUEENS) == QUEENS) {
            g->over = 1;
            break;
        }
        draw(g, HAND);
        keep_etiquette(g);
        break;
    }
    default: {
        u64 couple = action.kind == QUEEN_AND_KING ? 1ULL << QUEEN | 1ULL << KING : 1ULL << JACK | 1ULL << KING;
        discard(g, couple << g->husband);
        g->husband = -1;
        keep_etiquette(g);
    }
    }
}

ALWAYS void play_games(u64 deals, u64 players, u64 games, int tidy, u64 counts[5][5]) {
    Game g;
    for (u64 index = 0; index < games; index++) {
        memset(&g, 0, offsetof(Game, arrival));
        g.deals = output_of(deals, index);
        g.chance = output_of(output_of(players, index), 0);
        g.pile = FULL_PACK;
        g.reshuffles_left = RESHUFFLES;
        g.husband = -1;
        shuffle(&g, 0);
        draw(&g, HAND);
        keep_etiquette(&g);
        while (!g.over) act(&g, tidy ? tidy_action(&g) : random_action(&g));
        counts[count(g.scored & QUEENS)][count(g.scored & ACES)]++;
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int tidy = !strcmp(argv[1], "tidy");
    u64 games = strtoull(argv[3], NULL, 10), roots[2], counts[5][5] = {{0}};
    find_roots(argv[2], roots);
    double began = now();
    if (tidy)
        play_games(roots[0], roots[1], games, 1, counts);
    else
        play_games(roots[0], roots[1], games, 0, counts);
    printf("{\"seconds\": %.9f, \"cells\": [", now() - began);
    for (int cell = 0; cell < 25; cell++)
        printf("%s[%d, %d, %llu]", cell ? ", " : "", cell / 5, cell % 5,
               (unsigned long long)counts[cell / 5][cell % 5]);
    printf("]}\n");
    return 0;
}
