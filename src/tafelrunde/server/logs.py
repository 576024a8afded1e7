"""Structured logs: one JSON object per line. Tokens, names and chat are never logged."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tafelrunde.server import metrics

log = logging.getLogger("tafelrunde")

REPEAT_S = 60
"""How long until a repeated warning is logged again."""
MOST_CAUSES = 1000
BAD_FRAME = "WS parser error"
"""How picows' message about a client that breaks the protocol begins."""

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """Event, time, level, and everything given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        event: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        event |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            event["error"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=False, default=str)


class OncePerCause(logging.Filter):
    """Lets a warning through once per cause, and then once a minute with how often it occurred meanwhile.

    A full disk, or a client that sends nonsense as fast as it can, must not fill the log. The metrics count all of it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._causes: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()
        """When each was logged last, and how often it has occurred since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shall it be logged?"""
        if record.levelno < logging.WARNING:
            return True
        if record.msg.startswith(BAD_FRAME):
            metrics.BAD_FRAMES.inc()  # a client's fault, not ours
            return False
        metrics.TROUBLES.labels(record.msg).inc()
        cause = (record.getMessage(), _reason(record))
        told_at, meanwhile = self._causes.pop(cause, (None, 0))
        now = self._clock()
        if told_at is not None and now - told_at < REPEAT_S:
            self._causes[cause] = told_at, meanwhile + 1
            return False
        self._causes[cause] = now, 0
        if len(self._causes) > MOST_CAUSES:
            self._causes.popitem(last=False)
        if told_at is not None:
            self._shorten(record, meanwhile + 1)
        return True

    def _shorten(self, record: logging.LogRecord, times: int) -> None:
        """The traceback was logged the first time."""
        record.times = times
        if record.exc_info:
            record.reason, record.exc_info = _reason(record), None


def _reason(record: logging.LogRecord) -> str:
    """Distinguishes causes of the same event."""
    error = record.exc_info[1] if record.exc_info else None
    return str(getattr(record, "reason", "")) if error is None else f"{type(error).__name__}: {error}"


def set_up_logs(level: str) -> None:
    """Log to stderr; libraries only from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(OncePerCause())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    log.setLevel(level.upper())
