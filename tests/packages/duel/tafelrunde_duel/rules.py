"""The rules of duel as compiled functions over a flat state; see the ids in __init__.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.kernel import *

VERSION = 1
MIN_SEATS, MAX_SEATS = 2, 2
CARDS, HAND = 10, 5
NOTHING = -1
SETUP, LAYING, FINISHED = range(3)
NO_CHANCE, SHUFFLE = range(2)
V_DEAL, V_SHOW, V_TRICK = range(FIRST_VERB, FIRST_VERB + 3)
LAY = 1 << VERB_SHIFT
R_OVER, R_WAIT, R_LAID, R_NOT_HELD, R_NO_DECISION = range(1, 6)
LEGAL_ROOM, MAX_CHANCE, MAX_WORDS = CARDS, CARDS, 100

OPEN: list[Any] = [
    ("seats", "i8"),
    ("phase", "i8"),
    ("need", "i8"),
    ("tricks", "i8"),  # so many are played
    ("trick", "i8"),  # from 1
    ("waiting", "i8"),  # one bit for each seat that has to lay
    ("points", "i8", 2),
    ("played", "i8", CARDS),  # cards that everybody has seen
]
OPEN_WORDS = np.dtype(OPEN).itemsize // 8
STATE = np.dtype([*OPEN, ("held", "i8", CARDS), ("laid", "i8", 2)])  # held: by which seat, or NOTHING
VIEW = np.dtype([*OPEN, ("seat", "i8"), ("hand", "i8", CARDS), ("laid", "i8")])
State = Any


@kernel
def moment(s: State, log: Log) -> int:
    return moment_word(s.waiting if s.need == NO_CHANCE else 0, s.need, s.phase == FINISHED, log)


@entry_point
def setup(table: RecordArray, seats: int, settings: Words, logs: RecordArray) -> int:
    """T1: everything is ready to be shuffled."""
    s = table[0]
    s.seats, s.phase, s.need, s.trick, s.waiting = seats, SETUP, SHUFFLE, 0, 0
    s.tricks = settings[0]  # T4
    fill(s.points, 0)
    fill(s.played, 0)
    fill(s.held, NOTHING)
    fill(s.laid, NOTHING)
    return moment(s, logs[0])


@entry_point
def current_moment(table: RecordArray, logs: RecordArray) -> int:
    """What the table waits for."""
    return moment(table[0], logs[0])


@entry_point
def offer(table: RecordArray, out: Words) -> int:
    """T1: the ten cards."""
    for card in range(CARDS):
        out[card] = card
    return CARDS


@entry_point
def fits(table: RecordArray, order: Words, n: int) -> bool:
    """T1: every card once."""
    seen = 0
    for i in range(n):
        if 0 <= order[i] < CARDS:
            seen |= 1 << order[i]
    return n == CARDS and seen == (1 << CARDS) - 1


@entry_point
def resume(table: RecordArray, order: Words, n: int, logs: RecordArray) -> int:
    """T1: five cards each."""
    s = table[0]
    log = logs[0]
    log_shuffle(log, s.need, order, n)
    s.need = NO_CHANCE
    s.phase = LAYING
    for seat in range(2):
        begin(log, V_DEAL, TABLE, NO_TIME)
        put(log, seat)
        for i in range(seat * HAND, seat * HAND + HAND):
            s.held[order[i]] = seat
            put(log, order[i])
    s.trick = 1
    s.waiting = 3
    return moment(s, log)


@kernel
def refusal(s: State, seat: int, code: int) -> int:
    if s.phase == FINISHED:
        return R_OVER  # T4
    if s.need != NO_CHANCE:
        return R_WAIT  # T1
    card = code - LAY
    if not 0 <= card < CARDS:
        return R_NO_DECISION
    if s.laid[seat] != NOTHING:
        return R_LAID  # T2
    return 0 if s.held[card] == seat else R_NOT_HELD  # T2


@entry_point
def legal(table: RecordArray, seat: int, out: Words) -> int:
    """All that is not refused."""
    n = 0
    for card in range(CARDS):
        if refusal(table[0], seat, LAY + card) == 0:
            out[n] = LAY + card
            n += 1
    return n


@entry_point
def act(table: RecordArray, seat: int, code: int, now: int, logs: RecordArray) -> int:
    """T2: lay a card; T3 follows when both have."""
    s = table[0]
    log = logs[0]
    reason = refusal(s, seat, code)
    if reason:
        return -reason
    log_decision(log, seat, code, now)
    s.laid[seat] = code - LAY
    s.held[code - LAY] = NOTHING
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        show(s, log)
    return moment(s, log)


@kernel
def show(s: State, log: Log) -> None:
    """T3, T4."""
    for seat in range(2):
        begin(log, V_SHOW, TABLE, NO_TIME)
        put(log, seat)
        put(log, s.laid[seat])
        s.played[s.laid[seat]] = 1
    winner = 0 if s.laid[0] > s.laid[1] else 1
    s.points[winner] += 1
    begin(log, V_TRICK, TABLE, NO_TIME)
    put(log, winner)
    fill(s.laid, NOTHING)
    if s.trick == s.tricks:
        s.phase = FINISHED
        begin(log, V_END, TABLE, NO_TIME)
        for seat in range(2):
            put(log, s.points[seat])
        for seat in range(2):
            put(log, place_among(s.points, 2, seat))
    else:
        s.trick += 1
        s.waiting = 3


@entry_point
def score(table: RecordArray, scores: Words, places: Words) -> None:
    """T4."""
    for seat in range(2):
        scores[seat] = table[0].points[seat]
        places[seat] = place_among(table[0].points, 2, seat)


@entry_point
def observe(table: RecordArray, seat: int, view: RecordArray) -> None:
    """The open part, and the own cards."""
    copy(view.view(np.int64), table.view(np.int64), OPEN_WORDS)
    s = table[0]
    v = view[0]
    v.seat = seat
    v.laid = NOTHING
    if seat >= 0:
        v.laid = s.laid[seat]
    for card in range(CARDS):
        v.hand[card] = seat >= 0 and s.held[card] == seat


@entry_point
def imagine(view: RecordArray, streams: RecordArray, table: RecordArray) -> None:
    """The other one's cards from those that nobody has shown; a card that was laid is one of them."""
    copy(table.view(np.int64), view.view(np.int64), OPEN_WORDS)
    v = view[0]
    s = table[0]
    fill(s.held, NOTHING)
    fill(s.laid, NOTHING)
    unseen = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        if v.hand[card]:
            s.held[card] = v.seat
        elif not v.played[card] and card != v.laid:
            unseen[n] = card
            n += 1
    shuffle(streams[0], unseen, n)
    if v.seat >= 0:
        s.laid[v.seat] = v.laid
    for seat in range(2):
        if seat != v.seat:
            left = HAND - v.trick + 1
            if v.phase == LAYING and not v.waiting >> seat & 1:
                n -= 1
                left -= 1
                s.laid[seat] = unseen[n]
            for _ in range(min(left, n)):
                n -= 1
                s.held[unseen[n]] = seat
