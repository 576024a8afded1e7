/* Random playouts of buffet (Schlacht am Buffet, Martin Wallace) for 3 to 6 players in plain C: a speed reference.
 *
 * It plays exactly the games that the simulator of tafelrunde plays with random bots: the same streams, the same
 * chances, the same decisions in the same order. Rule ids (B1 ...) are those of src/tafelrunde/games/buffet/rules.py.
 *
 *     cc -O3 -march=native -std=c11 -Wall -Wextra -Werror -o buffet buffet.c
 *     ./buffet SEATS GAMES SEED
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MIN_SEATS = 3,
    MAX_SEATS = 6,
    CARD_KINDS = 11, /* B1: the values -1, 0 ... 9; a card is kept as value + 1 */
    COPIES = 10, /* B1 */
    CARDS = CARD_KINDS * COPIES,
    DISHES = 6, /* B2, B3: cheese 0 ... salad 5; a plate is dish * 6 + (value, or 0 for -1) */
    PLATES = 36,
    FULL_HAND = 9, /* B5, B15, B17 */
    MAX_LAYOUT = 5, /* B6 with six players, B24 with three */
    MAX_EXCHANGES = 1 << FULL_HAND, /* B12: every subset of nine different cards */
    COUNT_BITS = 4, /* an exchange is kept as how many of each card, four bits each */
    COUNT_MASK = 15,
    NOTHING = -1, /* no plate, nobody */
};

/* --- Random streams: xoshiro128++ (Blackman and Vigna) --------------------------------------------------------- */

struct stream {
    uint32_t a, b, c, d;
};

/* MurmurHash3's finaliser. */
static uint32_t stir(uint32_t word)
{
    word ^= word >> 16;
    word *= 0x85EBCA6Bu;
    word ^= word >> 13;
    word *= 0xC2B2AE35u;
    return word ^ word >> 16;
}

static uint32_t seed_word(uint64_t seed, uint64_t game, uint32_t lane, uint32_t start)
{
    uint32_t mixed = stir(start ^ (uint32_t)seed);
    mixed = stir(mixed + (uint32_t)(seed >> 32));
    mixed = stir(mixed ^ (uint32_t)game);
    mixed = stir(mixed + (uint32_t)(game >> 32));
    return stir(mixed ^ (lane + 1));
}

static void seed_stream(struct stream *stream, uint64_t seed, uint64_t game, uint32_t lane)
{
    stream->a = seed_word(seed, game, lane, 0x9E3779B9u);
    stream->b = seed_word(seed, game, lane, stream->a);
    stream->c = seed_word(seed, game, lane, stream->b);
    stream->d = seed_word(seed, game, lane, stream->c) | 1; /* never all zero: xoshiro would stay there */
}

static inline uint32_t turn(uint32_t word, int by)
{
    return word << by | word >> (32 - by);
}

static inline uint32_t next_word(struct stream *stream)
{
    uint32_t a = stream->a, b = stream->b, c = stream->c ^ a, d = stream->d ^ b;
    uint32_t result = turn(a + stream->d, 7) + a;
    stream->a = a ^ d;
    stream->b = b ^ c;
    stream->c = c ^ b << 9;
    stream->d = turn(d, 11);
    return result;
}

/* A number from 0 to n - 1, each exactly equally likely (Lemire's method). */
static inline uint32_t below(struct stream *stream, uint32_t n)
{
    uint64_t product = (uint64_t)next_word(stream) * n;
    if ((uint32_t)product < n) {
        uint32_t least = -n % n;
        while ((uint32_t)product < least)
            product = (uint64_t)next_word(stream) * n;
    }
    return (uint32_t)(product >> 32);
}

/* Fisher and Yates. Draws from a copy of the stream: stores to bytes could change the stream, for all C knows. */
static void shuffle(struct stream *stream, uint8_t *items, int n)
{
    struct stream local = *stream;
    for (int i = n - 1; i > 0; i--) {
        uint32_t j = below(&local, (uint32_t)i + 1);
        uint8_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
    *stream = local;
}

/* --- The table ------------------------------------------------------------------------------------------------- */

static struct {
    int seats;
    int start; /* who has the start token */
    int exchange; /* B12: who still has to decide, or NOTHING */
    int racers; /* how many mice are on the track */
    bool racing[MAX_SEATS];
    int at[MAX_SEATS]; /* B9: distance run */
    int left[MAX_SEATS]; /* B17: the order of leaving in this race */
    int left_size;
    uint8_t laid[MAX_SEATS]; /* B7: the card lying face down */
    uint8_t hand[MAX_SEATS][CARD_KINDS]; /* how many of each card */
    int held[MAX_SEATS]; /* how many cards in all */
    uint8_t discard[CARD_KINDS]; /* how many of each card */
    uint8_t pile[CARDS]; /* draw pile, top first ... */
    int pile_top; /* ... beginning here */
    int pile_size; /* ... and ending before this */
    uint8_t plates[PLATES]; /* plate pile, top first ... */
    int plates_top; /* ... beginning here */
    int layout[MAX_LAYOUT]; /* plates on the table, best first */
    int layout_size;
    int shown[MAX_SEATS][DISHES]; /* B16: the top of each stack, or NOTHING */
    struct stream chance;
    struct stream players[MAX_SEATS];
    int64_t decisions;
} t;

static int value_of(int plate)
{
    int value = plate % 6;
    return value ? value : -1;
}

/* B6, B23: plates in one order, higher is better: the value first, then the dish rank of B3. */
static int worth(int plate)
{
    return plate % 6 * DISHES + DISHES - 1 - plate / 6;
}

/* B6 and, with three players, B24. */
static int plates_per_round(void)
{
    return t.seats == 3 ? MAX_LAYOUT : t.seats - 1;
}

static int left_of(int seat)
{
    return seat + 1 < t.seats ? seat + 1 : 0;
}

/* --- Cards ----------------------------------------------------------------------------------------------------- */

/* B18: the discard pile becomes the draw pile. */
static void shuffle_mice(void)
{
    int n = 0;
    for (int card = 0; card < CARD_KINDS; card++)
        for (int i = 0; i < t.discard[card]; i++)
            t.pile[n++] = (uint8_t)card;
    memset(t.discard, 0, sizeof t.discard);
    shuffle(&t.chance, t.pile, n);
    t.pile_top = 0;
    t.pile_size = n;
}

static void draw(int seat, int count)
{
    t.held[seat] += count;
    for (; count > 0; count--) {
        if (t.pile_top == t.pile_size)
            shuffle_mice();
        t.hand[seat][t.pile[t.pile_top++]]++;
    }
}

/* --- Decisions ------------------------------------------------------------------------------------------------- */

/* B7: any card held may be laid. */
static int list_lays(int seat, uint8_t *out)
{
    int n = 0;
    for (int card = 0; card < CARD_KINDS; card++) {
        out[n] = (uint8_t)card; /* written always, counted if held: no branch to guess wrong */
        n += t.hand[seat][card] > 0;
    }
    return n;
}

/* B7. */
static void decide_lay(int seat)
{
    uint8_t cards[CARD_KINDS];
    int n = list_lays(seat, cards);
    uint8_t card = cards[below(&t.players[seat], (uint32_t)n)];
    t.hand[seat][card]--;
    t.held[seat]--;
    t.laid[seat] = card;
    t.decisions++;
}

/* B12: any of the cards in hand may be exchanged. */
static int list_exchanges(int seat, uint64_t *out)
{
    int n = 1;
    out[0] = 0; /* none at all is always possible */
    for (int card = 0; card < CARD_KINDS; card++) { /* every choice so far, with one, two ... of this card added */
        int before = n;
        n *= 1 + t.hand[seat][card];
        for (int i = before; i < n; i++)
            out[i] = out[i - before] + (UINT64_C(1) << COUNT_BITS * card);
    }
    return n;
}

/* B12: the cards go to the discard pile, as many are drawn. */
static void decide_exchange(int seat)
{
    static uint64_t choices[MAX_EXCHANGES];
    int n = list_exchanges(seat, choices);
    uint64_t counts = choices[below(&t.players[seat], (uint32_t)n)];
    int total = 0;
    for (int card = 0; card < CARD_KINDS; card++) {
        int count = counts >> COUNT_BITS * card & COUNT_MASK;
        t.hand[seat][card] -= (uint8_t)count;
        t.discard[card] += (uint8_t)count;
        total += count;
    }
    t.held[seat] -= total;
    t.exchange = NOTHING;
    t.decisions++;
    draw(seat, total);
}

/* --- One race -------------------------------------------------------------------------------------------------- */

/* B15: who has no card draws nine, clockwise from the start token. */
static void fill_empty_hands(void)
{
    int seat = t.start;
    for (int i = 0; i < t.seats; i++) {
        if (t.racing[seat] && t.held[seat] == 0)
            draw(seat, FULL_HAND);
        seat = left_of(seat);
    }
}

/* B7, B28: everybody racing lays a card; meanwhile the first one out decides about the exchange. */
static void decide_all(void)
{
    for (int seat = 0; seat < t.seats; seat++) {
        if (t.racing[seat])
            decide_lay(seat);
        else if (t.exchange == seat)
            decide_exchange(seat);
    }
}

/* B8, B9: each card moves its mouse and goes to the discard pile; the order only matters to those who watch. */
static void reveal(void)
{
    for (int seat = 0; seat < t.seats; seat++) {
        if (t.racing[seat]) {
            t.discard[t.laid[seat]]++;
            t.at[seat] += t.laid[seat] - 1;
        }
    }
}

/* B10, B11: who is alone at the back, or NOTHING. */
static int find_last(void)
{
    int last = NOTHING;
    bool alone = false;
    for (int seat = 0; seat < t.seats; seat++) {
        if (!t.racing[seat])
            continue;
        if (last == NOTHING || t.at[seat] < t.at[last]) {
            last = seat;
            alone = true;
        } else if (t.at[seat] == t.at[last]) {
            alone = false;
        }
    }
    return alone ? last : NOTHING;
}

/* B10: a mouse leaves the track. */
static void leave(int seat)
{
    t.racing[seat] = false;
    t.racers--;
    t.left[t.left_size++] = seat;
}

/* B10, B16: the rightmost plate goes to this seat, on top of what lies there. */
static void take_plate(int seat)
{
    int plate = t.layout[--t.layout_size];
    t.shown[seat][plate / 6] = plate;
}

/* B7 to B11, B14: turns until a mouse is alone at the back; returns its seat. */
static int play_turns(void)
{
    int last;
    do {
        fill_empty_hands();
        decide_all();
        reveal();
        last = find_last();
    } while (last == NOTHING);
    return last;
}

/* B7 to B14 from the start field on; returns the winner. Part is 1 or, with three players, 1 or 2 (B24). */
static int race(int part)
{
    t.racers = t.seats;
    t.left_size = 0;
    for (int seat = 0; seat < t.seats; seat++) { /* B20, B26 */
        t.racing[seat] = true;
        t.at[seat] = 0;
    }
    while (t.racers > 2) {
        int last = play_turns();
        leave(last);
        take_plate(last);
        if (t.left_size == 1 && part == 1)
            t.exchange = last; /* B12; not in part two: B27 */
        while (!t.racing[t.start])
            t.start = left_of(t.start); /* B13 */
    }
    int loser = play_turns(); /* B14: the one behind goes away empty, in part one of three players not (B25) */
    leave(loser);
    if (t.seats == 3 && part == 1)
        take_plate(loser);
    int winner = 0;
    while (!t.racing[winner])
        winner++;
    leave(winner);
    take_plate(winner);
    return winner;
}

/* --- One game -------------------------------------------------------------------------------------------------- */

/* B5: all lanes of chance, the start token, the piles and nine cards each. */
static void set_up(uint64_t seed, uint64_t game)
{
    seed_stream(&t.chance, seed, game, 0);
    for (int seat = 0; seat < t.seats; seat++)
        seed_stream(&t.players[seat], seed, game, (uint32_t)seat + 1);

    uint8_t order[MAX_SEATS];
    for (int seat = 0; seat < t.seats; seat++)
        order[seat] = (uint8_t)seat;
    shuffle(&t.chance, order, t.seats);
    t.start = order[0];
    t.exchange = NOTHING;

    memset(t.discard, COPIES, sizeof t.discard);
    shuffle_mice();
    for (int plate = 0; plate < PLATES; plate++)
        t.plates[plate] = (uint8_t)plate;
    shuffle(&t.chance, t.plates, PLATES);
    t.plates_top = 0;
    t.layout_size = 0;

    memset(t.hand, 0, sizeof t.hand);
    for (int seat = 0; seat < t.seats; seat++) {
        for (int dish = 0; dish < DISHES; dish++)
            t.shown[seat][dish] = NOTHING;
        t.held[seat] = 0;
        draw(seat, FULL_HAND);
    }
}

/* B6: highest value left; equal values by dish rank. */
static void lay_out_plates(void)
{
    for (int n = plates_per_round(); n > 0; n--) {
        int plate = t.plates[t.plates_top++];
        int i = t.layout_size++;
        for (; i > 0 && worth(t.layout[i - 1]) < worth(plate); i--)
            t.layout[i] = t.layout[i - 1];
        t.layout[i] = plate;
    }
}

static void play_game(uint64_t seed, uint64_t game)
{
    set_up(seed, game);
    int rounds = PLATES / plates_per_round(); /* B21 */
    for (int number = 1; number <= rounds; number++) {
        lay_out_plates();
        int winner = race(1);
        if (t.seats == 3)
            winner = race(2); /* B26: nobody draws in between, the token stays */
        t.start = left_of(winner); /* B19 */
        if (number < rounds)
            for (int i = 0; i < t.seats; i++) /* B17 */
                draw(t.left[i], FULL_HAND - t.held[t.left[i]]);
    }
}

/* B22: the sum of the visible plates. */
static int points(int seat)
{
    int total = 0;
    for (int dish = 0; dish < DISHES; dish++)
        if (t.shown[seat][dish] != NOTHING)
            total += value_of(t.shown[seat][dish]);
    return total;
}

/* B22, B23: one number that orders all players; the points first, then the best visible plate, if any. */
static int standing(int seat)
{
    int best = 0;
    for (int dish = 0; dish < DISHES; dish++) {
        int plate = t.shown[seat][dish];
        if (plate != NOTHING && 1 + worth(plate) > best)
            best = 1 + worth(plate);
    }
    return points(seat) * (PLATES + 1) + best;
}

/* Add the points of a finished game, and a win for everybody in first place. */
static void score(int64_t *total_points, int64_t *wins)
{
    int standings[MAX_SEATS];
    int top = INT_MIN;
    for (int seat = 0; seat < t.seats; seat++) {
        total_points[seat] += points(seat);
        standings[seat] = standing(seat);
        if (standings[seat] > top)
            top = standings[seat];
    }
    for (int seat = 0; seat < t.seats; seat++)
        wins[seat] += standings[seat] == top;
}

/* --- Command line ---------------------------------------------------------------------------------------------- */

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return errno == 0 && *end == '\0' && value >= least && value <= most;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void print_list(const char *name, const int64_t *numbers)
{
    printf(",\"%s\":[", name);
    for (int seat = 0; seat < t.seats; seat++)
        printf("%s%" PRId64, seat ? "," : "", numbers[seat]);
    printf("]");
}

int main(int argc, char **argv)
{
    uint64_t seats, games, seed;
    if (argc != 4 || !read_number(argv[1], MIN_SEATS, MAX_SEATS, &seats) ||
        !read_number(argv[2], 0, INT64_MAX, &games) || !read_number(argv[3], 0, INT64_MAX, &seed)) {
        fprintf(stderr, "usage: %s SEATS GAMES SEED   (3 to 6 seats; whole numbers below 2**63)\n", argv[0]);
        return 2;
    }
    t.seats = (int)seats;
    int64_t total_points[MAX_SEATS] = {0}, wins[MAX_SEATS] = {0};

    double begun = now();
    for (uint64_t game = 0; game < games; game++) {
        play_game(seed, game);
        score(total_points, wins);
    }
    double seconds = now() - begun;

    printf("{\"decisions\":%" PRId64 ",\"seconds\":%.6f", t.decisions, seconds);
    print_list("points", total_points);
    print_list("wins", wins);
    printf("}\n");
    return 0;
}
