# Two commands do everything on a fresh machine with Python 3.11 or newer: make play, make test.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLAY := $(VENV)/.play
READY := $(VENV)/.ready
BENCH := $(VENV)/.bench

# Many programs are started, most of them in tests: what Python has compiled of them is kept, whatever the machine says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play watch test lint types client compiled unit plain coverage quick vitest quick-tests page postgres browser cc chaos bench load crowd first-load smooth delay golden graph lessons picture pictures wire docs release lock clean

# Open the table for people and bots, and the browser; watch: bots play in the terminal.
play: page
	@$(BIN)/tafelrunde

watch: $(PLAY)
	@$(BIN)/tafelrunde watch buffet --seats 5

# What keeps one core busy goes side by side; the tests that follow use all of them.
test:
	@$(MAKE) --no-print-directory -j2 client compiled types lint
	@$(MAKE) --no-print-directory unit plain
	@$(MAKE) --no-print-directory coverage

# While you work: all that needs no browser, no database and no server.
quick:
	@$(MAKE) --no-print-directory -j2 quick-tests vitest types lint

# Everything is installed by hash from lock files, the package itself in place: first what playing needs and what builds
# the page, with a Node that is in the lock file too; and for the tests what they need on top of that.
$(PLAY): requirements/play.lock pyproject.toml
	@$(PYTHON) set_up.py play $(VENV)
	@touch $@

$(READY): $(PLAY) requirements/dev.lock
	@$(PYTHON) set_up.py test $(VENV)
	@touch $@

$(BENCH): $(READY) requirements/bench.lock
	@$(PYTHON) set_up.py bench $(VENV)
	@touch $@

# Built again if anything of it has changed since.
page: $(PLAY)
	@$(BIN)/python hatch_build.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

NPM := cd client && PATH="$(abspath $(BIN)):$$PATH" npm --loglevel=error
client: page $(READY)
	$(NPM) run lint
	$(NPM) run check
	$(NPM) run coverage

vitest: client/node_modules
	$(NPM) test

client/node_modules:
	@$(MAKE) --no-print-directory page

compiled: $(READY)
	$(BIN)/tafelrunde compile

# The tests as users run the program: compiled. Tracing makes Python two or three times slower, so only those are measured
# that reach something new in a short time.
PYTEST := $(BIN)/pytest -n auto --dist worksteal
MEASURED := --cov --cov-report=
FIGURES := $(abspath build/coverage)
LONG := browser or property or slow
unit: compiled page $(READY) postgres browser cc
	@mkdir -p $(FIGURES)
	COVERAGE_FILE=$(FIGURES)/unit $(PYTEST) $(MEASURED) -m "not ($(LONG))"
	$(PYTEST) -m "$(LONG)"

# The rules again as plain Python, from the same source: so every line of them is measured.
plain: $(READY)
	@mkdir -p $(FIGURES)
	NUMBA_DISABLE_JIT=1 COVERAGE_FILE=$(FIGURES)/plain $(PYTEST) $(MEASURED) -m "not (process or slow)" \
		--ignore-glob='*/test_records.py' tests/games tests/test_game.py tests/test_bots.py

# How much of the package the last runs of both have reached.
coverage: export COVERAGE_FILE = $(FIGURES)/all
coverage: $(READY)
	@$(BIN)/coverage combine --quiet --keep $(FIGURES)/unit $(FIGURES)/plain
	$(BIN)/coverage report --show-missing --skip-covered --fail-under=97

quick-tests: compiled
	$(PYTEST) -m "not (browser or postgres or process or slow)" --ignore tests/lab --hypothesis-profile quick

# Servers to which everything happens for two minutes; CHAOS="--kills 1000" for a night.
chaos: compiled $(READY) postgres cc
	$(BIN)/python -m tests.chaos $(CHAOS)

# The tests start a PostgreSQL and a browser of their own; only the programs have to be there, and letters to show.
# A compiler makes the library with which disks fail.
postgres: PROBE = command -v initdb || ls /usr/lib/postgresql/*/bin/initdb
postgres: PACKAGES = postgresql
browser: PROBE = { command -v chromium-headless-shell || command -v chromium; } && fc-list :lang=ja | grep . && fc-list :color=true | grep .
browser: PACKAGES = chromium-headless-shell fontconfig fonts-noto-cjk fonts-noto-color-emoji
cc: PROBE = cc -E -include dlfcn.h -x c /dev/null
cc: PACKAGES = gcc libc6-dev

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
postgres browser cc:
	@{ $(PROBE); } >/dev/null 2>&1 || { \
		echo "Installing for the tests: $(PACKAGES) …" && \
		$(SUDO) apt-get update -qq && \
		$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(PACKAGES) >/dev/null; }

load: $(BENCH)
	$(BIN)/python bench/load.py

# Ten minutes with ten thousand seats, and a server that is killed: does it keep what it promises?
crowd: $(READY)
	$(BIN)/python bench/crowd.py

first-load: page $(READY) browser
	$(BIN)/python bench/first_load.py

bench: $(BENCH)
	$(BIN)/python bench/speed.py

# dash in a slow browser: no picture that takes long, no touch that waits.
smooth: page browser $(BENCH)
	$(BIN)/python bench/smooth.py

# From the arrival of a step until the next decision can be taken, with and without a slow line.
delay: compiled $(READY)
	$(BIN)/python bench/decision_delay.py

golden: $(READY)
	$(BIN)/python -m tests.golden

# Guided first rounds and positions of the rulebook, played by the rules.
lessons: $(READY)
	$(BIN)/python -m client.lessons

picture: $(READY)
	$(BIN)/python docs/picture.py

# Which room imports which, drawn into docs/architecture.md.
graph:
	$(PYTHON) docs/graph.py

# The README's pictures of the page.
pictures: page $(READY) browser
	PYTHONPATH=bench $(BIN)/python -m tests.browser.pictures

# The client's types of messages, from the server's.
wire: TYPES := client/src/wire/messages.ts
wire: $(READY)
	$(BIN)/python client/scripts/wire.py | (cd client && ../$(BIN)/node scripts/wire.js) > $(TYPES).new || (rm $(TYPES).new; false)
	mv $(TYPES).new $(TYPES)

# The site with the API reference, into build/site. Every warning is an error. The page brings what draws diagrams.
docs: page $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# Builds sdist and wheel into dist, installs them in an empty environment and plays with them there.
release: $(READY)
	$(BIN)/python release.py

# Renew the lock files: the newest versions that pyproject.toml allows, for every platform and Python from 3.11 on.
lock: LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet uv
	build/lock/bin/uv pip compile $(LOCK) --upgrade --group dev --output-file requirements/dev.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK) --group play --constraint requirements/dev.lock \
		--output-file requirements/play.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK) --extra bench --constraint requirements/dev.lock \
		--output-file requirements/bench.lock pyproject.toml
	build/lock/bin/python requirements/requires.py > requirements/requires.json

clean:
	rm -rf $(VENV) build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf client/node_modules src/tafelrunde/server/page
