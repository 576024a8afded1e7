# Two commands do everything on a fresh machine with Python 3.11 or newer: make play, make test.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: play watch test lint types unit plain postgres install-postgres bench load golden picture lock clean

# Open the table for people and bots; watch: bots play in the terminal.
play: $(READY)
	@$(BIN)/tafelrunde serve

watch: $(READY)
	@$(BIN)/tafelrunde watch buffet --seats 5

test: lint types unit plain

# Everything is installed by hash from the lock file, the package itself in place.
$(READY): requirements/dev.lock pyproject.toml
	@echo "Setting up $(VENV) from the lock file …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; say which: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# The tests as users run the program: compiled.
unit: $(READY) postgres
	$(BIN)/tafelrunde compile
	$(BIN)/pytest -n auto

# The rules again as plain Python, from the same source, with coverage of every line of them.
plain: $(READY)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto tests/games tests/test_game.py tests/test_replay.py tests/test_bots.py \
		tests/test_fairness.py \
		--cov --cov-report=term-missing:skip-covered --cov-fail-under=95

# The tests start a PostgreSQL of their own; only its programs have to be there.
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || $(MAKE) --no-print-directory install-postgres

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
install-postgres:
	@echo "Installing PostgreSQL for the tests …"
	@$(SUDO) apt-get update -qq
	@$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql >/dev/null

load: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.lock
	$(BIN)/python bench/load.py

bench: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.lock
	$(BIN)/python bench/speed.py

golden: $(READY)
	$(BIN)/python -m tests.golden

picture: $(READY)
	$(BIN)/python docs/picture.py

# Renew the lock file: the newest versions that pyproject.toml allows, for every platform and Python from 3.11 on.
lock: LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet uv
	build/lock/bin/uv pip compile $(LOCK) --upgrade --group dev --output-file requirements/dev.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK) --extra bench --constraint requirements/dev.lock \
		--output-file requirements/bench.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
