"""Metrics for Prometheus."""

from __future__ import annotations

from collections import Counter as Counts

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()

COMMANDS = Counter("tafelrunde_commands", "Commands of clients", ["do", "answer"], registry=REGISTRY)
answers: Counts[tuple[str, str]] = Counts()
"""Commands since the last scrape, by verb and answer; a Prometheus counter is slow to increment."""
LINES = Counter("tafelrunde_lines", "Lines made durable", registry=REGISTRY)
LOST = Counter("tafelrunde_lost_races", "Tables loaded anew because another process was first", registry=REGISTRY)
CONNECTIONS = Gauge("tafelrunde_connections", "Open sockets", registry=REGISTRY)
TABLES = Gauge("tafelrunde_tables", "Tables in memory", registry=REGISTRY)
COMMIT_SECONDS = Histogram(
    "tafelrunde_commit_seconds",
    "From writing a batch to its being on the disk",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
    registry=REGISTRY,
)
BATCH_LINES = Histogram(
    "tafelrunde_batch_lines", "Lines per commit", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500), registry=REGISTRY
)
BOT_SECONDS = Histogram("tafelrunde_bot_seconds", "How long bots think", registry=REGISTRY)
BAD_FRAMES = Counter("tafelrunde_bad_frames", "Connections closed for breaking WebSocket", registry=REGISTRY)
TROUBLES = Counter(
    "tafelrunde_troubles", "Warnings and errors, also those not logged again", ["event"], registry=REGISTRY
)
HTTP = Counter("tafelrunde_http_requests", "Requests answered", ["method", "status"], registry=REGISTRY)
BAD_REQUESTS = Counter("tafelrunde_bad_requests", "What came as a request and was none", registry=REGISTRY)


def numbers() -> bytes:
    """All metrics, in the text format of Prometheus."""
    for (do, answer), times in answers.items():
        COMMANDS.labels(do, answer).inc(times)
    answers.clear()
    return generate_latest(REGISTRY)
