"""Legal decisions of chocolat: the check of one decision, and the list of all legal ones."""

from __future__ import annotations

from tafelrunde.games.chocolat.state import *
from tafelrunde.games.kernel import *

# --- When --------------------------------------------------------------------------------------------------------


@kernel
def not_now(s: State, seat: int, verb: int) -> int:
    """The reason why this seat can not use this verb now, or 0."""
    if not 0 <= seat < s.seats:
        return R_NO_SEAT
    if s.phase == FINISHED:
        return R_OVER  # C16
    if s.need != NO_CHANCE:
        return R_WAIT
    waits = s.waiting >> seat & 1
    if verb == LAY:
        if s.phase != LAYING:
            return R_NOT_LAYING  # C8
        return 0 if waits else R_LAID
    if verb == DRAFT:
        if s.phase != DRAFTING:
            return R_NOT_DRAFTING  # C9
        return 0 if waits else R_DRAFTS_LATER
    if verb == DIG_CARD or verb == FETCH_CARD or verb == COMBINE or verb == PASS:
        if s.phase != SCORING:
            return R_NOT_SCORING  # C10
        return 0 if waits else R_SCORES_LATER
    return R_NO_DECISION


@kernel
def not_helped(s: State, seat: int, rank: int, power: int) -> int:
    """C15: the reason why this seat can not use this power of the helper of this rank, or 0."""
    if s.helper[seat] != rank:
        return R_OTHER_HELPER
    if s.power[rank] != power:
        return R_OTHER_POWER
    return R_HELPER_USED if s.used[seat] else 0


@kernel
def can_use(s: State, seat: int, power: int) -> bool:
    """C15: does this seat's helper have this power, unused in this round?"""
    return s.power[s.helper[seat]] == power and s.used[seat] == 0


# --- Refuse ------------------------------------------------------------------------------------------------------


@kernel
def refusal(s: State, seat: int, code: int) -> int:
    """0 if this decision is legal, or the reason why it is refused; the only place that decides this."""
    verb = code >> VERB_SHIFT << VERB_SHIFT
    reason = not_now(s, seat, verb)
    if reason:
        return reason
    if verb == LAY:
        return refuse_one_card(s, seat, code, COINS, R_NOT_HELD)
    if verb == DRAFT:
        return refuse_draft(s, seat, code)
    if verb == COMBINE:
        return refuse_combination(s, seat, code)
    if verb == PASS:
        return 0 if code == PASS else R_NO_DECISION
    if part_of(code, RANK_SHIFT) == 0:
        return R_NO_DECISION  # C15: nobody digs or fetches without a helper
    if verb == DIG_CARD:
        return refuse_one_card(s, seat, code, DIG, R_NOT_GIVEN)
    reason = refuse_one_card(s, seat, code, FETCH, R_NOT_GIVEN)
    return R_NO_DISCARD if reason == 0 and s.discard_size == 0 else reason


@kernel
def refuse_one_card(s: State, seat: int, code: int, power: int, not_held: int) -> int:
    """Check a decision about one card of the hand, with or without the helper of this power."""
    rank = part_of(code, RANK_SHIFT)
    card = card_in(code, 0)
    verb = code >> VERB_SHIFT << VERB_SHIFT
    if code != verb | card + 1 | rank << RANK_SHIFT:
        return R_NO_DECISION
    reason = not_helped(s, seat, rank, power) if rank else 0
    if reason:
        return reason
    return 0 if card >= 0 and copies_in_hand(s, seat, card) else not_held


@kernel
def copies_on_market(s: State, card: int) -> int:
    count = 0
    for i in range(s.market_size):
        count += s.market[i] == card
    return count


@kernel
def copies_in_code(code: int, first: int, end: int, card: int) -> int:
    """How often a card is in these places of a code."""
    count = 0
    for place in range(first, end):
        count += card_in(code, place) == card
    return count


@kernel
def refuse_draft(s: State, seat: int, code: int) -> int:
    """C9: two cards of the market. C15: with the hamster three, and a card of the hand goes there."""
    rank = part_of(code, RANK_SHIFT)
    if code >> KEPT_SHIFT != DRAFT >> KEPT_SHIFT:
        return R_NO_DECISION
    taken = 3 if rank else 2
    if rank:
        reason = not_helped(s, seat, rank, THREE)
        if reason:
            return reason
        if s.market_size < taken:
            return R_TOO_FEW
    for place in range(4):
        given_or_taken = place < taken or (rank and place == 3)
        if (card_in(code, place) >= 0) != given_or_taken:
            return R_NO_DECISION
        if 0 < place < taken and card_in(code, place) < card_in(code, place - 1):
            return R_NO_DECISION
    for place in range(taken):
        card = card_in(code, place)
        if copies_in_code(code, 0, taken, card) > copies_on_market(s, card):
            return R_NOT_ON_MARKET
    if rank:
        give = card_in(code, 3)
        if copies_in_hand(s, seat, give) == 0 and copies_in_code(code, 0, taken, give) == 0:
            return R_NOT_GIVEN
    return 0


@kernel
def refuse_combination(s: State, seat: int, code: int) -> int:
    """C10, C11, C12, C15: is it a combination, in its canonical form, and are the right cards kept?"""
    size = 4 if card_in(code, 3) >= 0 else 3
    reason = refuse_form(code, size)
    if reason:
        return reason
    reason = refuse_help(s, seat, code, size)
    if reason:
        return reason
    for place in range(size):
        card = card_in(code, place)
        if copies_in_code(code, 0, size, card) > copies_in_hand(s, seat, card):
            return R_NOT_IN_HAND
    low, high, same, run = span_of(code, size)
    if not same and not run:
        return R_NO_COMBINATION
    if s.hand_size[seat] <= size:
        return R_LAST_CARD
    one_colour = is_one_colour(code, size)
    kept = part_of(code, KEPT_SHIFT)
    if kept != kept_of(size, same and one_colour):
        return R_KEPT_COUNT
    if same:
        return 0
    least = high - kept + 1 if one_colour else low  # C11: a run keeps its lowest cards, or in one colour its highest
    for place in range(kept):
        if not may_count(code, size, place, least, least + kept - 1):
            return R_KEPT_WRONG
    return 0


@kernel
def may_count(code: int, size: int, place: int, least: int, most: int) -> bool:
    """Can this card count as a value in this range? Of two equal cards the squirrel raises only one."""
    card = card_in(code, place)
    changed = part_of(code, CHANGED_SHIFT)
    raised = changed > 0 and part_of(code, AS_SHIFT) == 0 and card_in(code, changed - 1) == card
    if raised and least <= value_of(card) + 1 <= most:
        return True
    return least <= value_of(card) <= most and (not raised or copies_in_code(code, 0, size, card) > 1)


@kernel
def refuse_form(code: int, size: int) -> int:
    """Every combination has one canonical form; other forms are refused."""
    kept = part_of(code, KEPT_SHIFT)
    changed = part_of(code, CHANGED_SHIFT)
    if code >> CODE_END != COMBINE >> CODE_END or changed > size or part_of(code, AS_SHIFT) > INGREDIENTS:
        return R_NO_DECISION
    if kept == 0 or kept > size:
        return R_KEPT_COUNT
    for place in range(size):
        if card_in(code, place) < 0 or (0 < place < kept and card_in(code, place) < card_in(code, place - 1)):
            return R_NO_DECISION
    if changed and copies_in_code(code, 0, changed - 1, card_in(code, changed - 1)):
        return R_NO_DECISION  # of equal cards the first one has to be named
    return 0


@kernel
def refuse_help(s: State, seat: int, code: int, size: int) -> int:
    """C15: does the helper allow this change or a fourth card?"""
    rank = part_of(code, RANK_SHIFT)
    changed = part_of(code, CHANGED_SHIFT)
    colour = part_of(code, AS_SHIFT)
    if rank == 0:
        if size == 4:
            return R_FOUR_CARDS
        return R_CHANGED if changed or colour else 0
    power = s.power[s.helper[seat]]  # not of the rank in the code, which may not exist
    reason = not_helped(s, seat, rank, power)
    if reason:
        return reason
    fits = size == 4 and not changed and not colour
    if power == COLOUR or power == VALUE:
        fits = size == 3 and changed > 0 and (colour > 0) == (power == COLOUR)
    elif power != FOUR:
        fits = False
    if not fits:
        return R_OTHER_POWER
    if power == COLOUR and ingredient_of(card_in(code, changed - 1)) == colour - 1:
        return R_SAME_COLOUR
    return R_NO_EIGHT if power == VALUE and value_of(card_in(code, changed - 1)) == MOST_VALUE else 0


@kernel
def counted_value(code: int, place: int) -> int:
    """C15: the value that a card of a combination counts; the squirrel raises one card."""
    raised = part_of(code, CHANGED_SHIFT) == place + 1 and part_of(code, AS_SHIFT) == 0
    return value_of(card_in(code, place)) + raised


@kernel
def is_one_colour(code: int, size: int) -> bool:
    """C11: are all cards of one colour, with the bee's change?"""
    changed = part_of(code, CHANGED_SHIFT)
    colour = part_of(code, AS_SHIFT) - 1
    first = NOTHING
    for place in range(size):
        ingredient = colour if changed == place + 1 and colour >= 0 else ingredient_of(card_in(code, place))
        if place and ingredient != first:
            return False
        first = ingredient
    return True


@kernel
def span_of(code: int, size: int) -> tuple[int, int, bool, bool]:
    """C10: the lowest and highest counted value; are all the same; are they consecutive?"""
    low = MOST_VALUE
    high = LEAST_VALUE
    seen = 0
    for place in range(size):
        value = counted_value(code, place)
        low = min(low, value)
        high = max(high, value)
        seen |= 1 << value
    run = seen == (1 << size) - 1 << low
    return low, high, low == high, run


@kernel
def kept_of(size: int, one_colour_set: bool) -> int:
    """C11: how many cards a combination keeps. C15: with the ant one more."""
    return size - 1 if one_colour_set else size - 2


# --- List --------------------------------------------------------------------------------------------------------
# Decisions name kinds of cards, so equal cards are listed once. If a list is longer than the given array, the returned
# length says so, and the caller tries again with a larger one.


@entry_point
def legal(table: RecordArray, seat: int, out: Words) -> int:
    """List all legal decisions of this seat: exactly those that ``refusal`` accepts. Returns their number."""
    s = table[0]
    if not_now(s, seat, LAY) == 0:
        n = list_hand(s, seat, LAY, out, 0)
        return list_hand(s, seat, LAY | s.helper[seat] << RANK_SHIFT, out, n) if can_use(s, seat, COINS) else n
    if not_now(s, seat, DRAFT) == 0:
        return list_drafts(s, seat, out)
    if not_now(s, seat, PASS) == 0:
        return list_scoring(s, seat, out)
    return 0


@kernel
def list_code(out: Words, n: int, code: int) -> int:
    """Add a decision or, if the array is full, only count it. Without a branch: Numba would count references there."""
    out[min(n, out.size - 1)] = code
    return n + 1


@kernel
def is_first(s: State, seat: int, i: int) -> bool:
    """Is this the first of equal cards in a hand?"""
    return i == 0 or s.hand[seat, i - 1] != s.hand[seat, i]


@kernel
def list_hand(s: State, seat: int, code: int, out: Words, n: int) -> int:
    """List this verb and helper with every kind of card in the hand."""
    for i in range(s.hand_size[seat]):
        if is_first(s, seat, i):
            n = list_code(out, n, code | s.hand[seat, i] + 1)
    return n


@kernel
def earlier_twin(s: State, place: int) -> int:
    """The index of the last equal card before this one in the market, or NOTHING."""
    for i in range(place - 1, -1, -1):
        if s.market[i] == s.market[place]:
            return i
    return NOTHING


@kernel
def list_drafts(s: State, seat: int, out: Words) -> int:
    """C9: list every pair of cards in the market; of equal cards the first ones."""
    n = 0
    three = can_use(s, seat, THREE)
    for i in range(s.market_size):
        if earlier_twin(s, i) != NOTHING:
            continue
        for j in range(i + 1, s.market_size):
            twin = earlier_twin(s, j)
            if twin != NOTHING and twin != i:
                continue
            low = min(s.market[i], s.market[j])
            high = max(s.market[i], s.market[j])
            n = list_code(out, n, DRAFT | pack_cards(low, high, NOTHING, NOTHING))
            if three:
                for k in range(j + 1, s.market_size):
                    twin = earlier_twin(s, k)
                    if twin == NOTHING or twin == i or twin == j:
                        n = list_gifts(s, seat, low, high, s.market[k], out, n)
    return n


@kernel
def list_gifts(s: State, seat: int, low: int, high: int, card: int, out: Words, n: int) -> int:
    """C15: list three cards taken with the hamster, with every card that may be given for them."""
    a = min(low, card)
    c = max(high, card)
    b = low + high + card - a - c
    code = DRAFT | s.helper[seat] << RANK_SHIFT | pack_cards(a, b, c, NOTHING)
    for i in range(s.hand_size[seat]):
        if is_first(s, seat, i):
            n = list_code(out, n, code | s.hand[seat, i] + 1 << 3 * CARD_BITS)
    for place in range(3):  # the cards just taken may be given too
        taken = card_in(code, place)
        if copies_in_hand(s, seat, taken) == 0 and copies_in_code(code, 0, place, taken) == 0:
            n = list_code(out, n, code | taken + 1 << 3 * CARD_BITS)
    return n


@kernel
def list_scoring(s: State, seat: int, out: Words) -> int:
    """C10: list passing, digging or fetching, and every combination."""
    n = list_code(out, 0, PASS)
    can_fetch = can_use(s, seat, FETCH) and s.discard_size > 0
    if can_fetch or can_use(s, seat, DIG):
        verb = FETCH_CARD if can_fetch else DIG_CARD
        n = list_hand(s, seat, verb | s.helper[seat] << RANK_SHIFT, out, n)
    return list_combinations(s, seat, out, n)


@kernel
def list_combinations(s: State, seat: int, out: Words, n: int) -> int:
    """C10, C12: list combinations of three cards, and with the ant of four; skips values that are too far apart."""
    hand = s.hand[seat]
    size = s.hand_size[seat]
    squirrel = can_use(s, seat, VALUE)
    ant = can_use(s, seat, FOUR) and size > 4
    colours = 3 * INGREDIENTS if can_use(s, seat, COLOUR) else 0
    reach = 3 if squirrel or ant else 2
    for i in range(size if size > 3 else 0):
        if i > 0 and hand[i] == hand[i - 1]:
            continue  # of equal cards the first ones are used
        low = value_of(hand[i])
        for j in range(i + 1, size):
            middle = value_of(hand[j])
            if middle > low + reach:
                break
            if j > i + 1 and hand[j] == hand[j - 1]:
                continue
            for k in range(j + 1, size):
                high = value_of(hand[k])
                if high > low + reach:
                    break
                if k > j + 1 and hand[k] == hand[k - 1]:
                    continue
                cards = COMBINE | pack_cards(hand[i], hand[j], hand[k], NOTHING)
                plain = high == middle + middle - low and middle - low <= 1  # a set or a run without help
                if plain or squirrel:
                    for change in range(-1 if plain else 0, 3 if squirrel else colours):
                        n = list_kept(with_change(s, seat, cards, change), 3, out, n)
                if ant:
                    cards |= s.helper[seat] << RANK_SHIFT
                    for m in range(k + 1, size):
                        if m == k + 1 or hand[m] != hand[m - 1]:
                            n = list_kept(cards | hand[m] + 1 << 3 * CARD_BITS, 4, out, n)
    return n


@kernel
def with_change(s: State, seat: int, code: int, change: int) -> int:
    """C15: mark one of three cards as changed, by the squirrel or by the bee to a colour; -1 changes nothing.

    Returns 0 if the change is impossible or the same as another one.
    """
    if change < 0:
        return code
    helper = s.helper[seat] << RANK_SHIFT
    place = change if can_use(s, seat, VALUE) else change // INGREDIENTS
    card = card_in(code, place)
    if copies_in_code(code, 0, place, card):
        return 0
    code |= helper | place + 1 << CHANGED_SHIFT
    if can_use(s, seat, VALUE):
        return 0 if value_of(card) == MOST_VALUE else code
    colour = change % INGREDIENTS
    return 0 if ingredient_of(card) == colour else code | colour + 1 << AS_SHIFT


@kernel
def list_kept(code: int, size: int, out: Words, n: int) -> int:
    """C11: if these cards are a combination, list every choice of kept cards and every order of the discarded ones."""
    low, high, same, run = span_of(code, size)
    if code == 0 or (not same and not run):
        return n
    one_colour = is_one_colour(code, size)
    kept = kept_of(size, same and one_colour)
    least = high - kept + 1 if one_colour else low
    loose = 0  # one bit for each card that does not have to be kept
    for place in range(size):
        loose |= (same or not least <= counted_value(code, place) < least + kept) << place
    for x in range(size):
        if not loose >> x & 1 or copies_before(code, loose, x):
            continue
        if size - kept == 1:
            n = list_code(out, n, combination(code, size, x, NOTHING))
            continue
        for y in range(size):
            if y != x and loose >> y & 1 and copies_before(code, loose ^ 1 << x, y) == 0:
                n = list_code(out, n, combination(code, size, x, y))
    return n


@kernel
def copies_before(code: int, places: int, place: int) -> int:
    """How many of these places before this one have the same card?"""
    count = 0
    for other in range(place):
        count += places >> other & 1 and card_in(code, other) == card_in(code, place)
    return count


@kernel
def combination(code: int, size: int, x: int, y: int) -> int:
    """The canonical code of a combination that discards the card at place x, then the one at place y (or NOTHING)."""
    changed = part_of(code, CHANGED_SHIFT)
    ordered = 0
    at = 0
    for place in range(size):
        if place != x and place != y:
            ordered |= card_in(code, place) + 1 << CARD_BITS * at
            at += 1
    kept = at
    ordered |= card_in(code, x) + 1 << CARD_BITS * at
    if y >= 0:
        ordered |= card_in(code, y) + 1 << CARD_BITS * (at + 1)
    if changed:
        at = 0
        while card_in(ordered, at) != card_in(code, changed - 1):
            at += 1
        changed = at + 1
    helper = part_of(code, RANK_SHIFT)
    colour = part_of(code, AS_SHIFT)
    return COMBINE | ordered | helper << RANK_SHIFT | kept << KEPT_SHIFT | changed << CHANGED_SHIFT | colour << AS_SHIFT
