# Needs Python 3.11 or newer (with venv) and make. Everything else is fetched, locked with hashes.
#   make demo    a simulated table, recorder and screens      make test    what must pass
#   make test-fast   the part of it without brokers, browsers, demos, pictures and all that takes long
#   make test-all   it, and every further case of what it tries a few of
#   make check   style, types, import arrows, documents       make bench   figures (ONLY=log for some)
#   make soak    overlays for MINUTES=30: memory, frames      make screenshots   those of the documents (ARGS=--compare)
#   make docs    the documents as a site                      make hooks   some of check at every commit
#   make release   wheel and sdist with hashes, and the list of what they need
#   make scenarios   the rules at the table, played; what holds goes into docs/scenario-clauses.md
#   make reach   how much of the rules the commands reach; goes into docs/reach.md
# PYTHON=... chooses the interpreter, PROVISION=no keeps `make test` from installing system packages.

PYTHON ?=
ONLY ?=
UPGRADE ?=
BIN := .venv/bin
RUN_READY := .venv/.ready-run
DEV_READY := .venv/.ready-dev
CHECKS := check-lint check-format check-types check-arrows check-pages check-scripts check-size

.PHONY: help format setup setup-dev demo test test-fast test-all check check-platforms $(CHECKS) bench chaos switch-off rehearsal fuzz docs release hooks schema scenarios reach soak screenshots lock clean
.DEFAULT_GOAL := help

help:
	@sed -n '2,11s/^# \{0,3\}//p' Makefile

setup: $(RUN_READY)
	@echo "ready: .venv/bin/tilecast"
setup-dev: $(DEV_READY)
	@echo "ready: .venv/bin/tilecast, and what its tests need"

$(RUN_READY): .locks/run.txt pyproject.toml .ci/venv
	@.ci/venv run "$(PYTHON)"

$(DEV_READY): .locks/dev.txt pyproject.toml .ci/venv
	@.ci/venv dev "$(PYTHON)"

demo: $(RUN_READY)
	@$(BIN)/tilecast demo $(ARGS)

test: $(DEV_READY)
	@.ci/provision
	@.ci/test $(ARGS)

test-all: $(DEV_READY)
	@.ci/provision
	@.ci/test --all $(ARGS)

test-fast: $(DEV_READY)
	@.ci/test --fast $(ARGS)

check: $(CHECKS)

check-lint: $(DEV_READY)
	$(BIN)/ruff check .

check-format: $(DEV_READY)
	$(BIN)/ruff format --check .

check-types: $(DEV_READY)
	$(BIN)/mypy

# The same types as macOS and Windows have them: not in make check, each takes as long again as Linux.
check-platforms: $(DEV_READY)
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32

check-arrows: $(DEV_READY)
	$(BIN)/lint-imports

check-pages: $(DEV_READY)
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m whole_tree tests/house tests/rules

# Types and format of dashboard/static/js, where Node is; elsewhere it says that they are not checked.
check-scripts:
	@.ci/scripts

# Prints how much code there is: product, laboratory, tests. Fails never.
check-size: $(DEV_READY)
	@$(BIN)/python .ci/lines

# Lays all sources out as make check wants them.
format: $(DEV_READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	@.ci/scripts --write

# ONLY=films FILMS=50 GAMES=DIR: so many games of a folder of GCG files, filmed and watched.
# ONLY=eight_hours TABLES=16: eight rounds of an hour each, without the waiting; needs Mosquitto.
bench: $(DEV_READY)
	@$(BIN)/python tests/bench/run.py $(ONLY)

# Kills, restarts and cut connections (N=500 of them, or MINUTES=30 long; ONLY="disk full"); needs
# Mosquitto. POSTGRES=1: with the log in a database that crashes too, and a second recorder.
chaos: $(DEV_READY)
	@$(BIN)/python -m tests.bench.chaos $(if $(N),--events $(N)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(ONLY),--only "$(ONLY)") $(if $(POSTGRES),--postgres)

# Kills the machine that records in the middle of a round (TABLES=16); a second one goes on. Needs
# Mosquitto and PostgreSQL.
switch-off: $(DEV_READY)
	@$(BIN)/python -m tests.bench.chaos.switched_off $(if $(TABLES),--tables $(TABLES))

# Broken input for everything that reads any (MESSAGES=100000 OTHERS=10000 SEED=1 ONLY=gcg); needs Mosquitto.
fuzz: $(DEV_READY)
	@$(BIN)/python -m tests.fuzz $(if $(MESSAGES),--messages $(MESSAGES)) $(if $(OTHERS),--others $(OTHERS)) $(if $(SEED),--seed $(SEED)) $(ONLY)

# Plays photographed games at venues made by tilecast init, with parts of others (GAMES=game12, TURNS=6).
rehearsal: $(DEV_READY)
	@$(BIN)/python -m tests.rehearsal $(if $(TURNS),--turns $(TURNS),--demo) $(GAMES)

# Writes docs/schema and the scripts' messages.d.ts anew, drawn from the declarations.
schema: $(DEV_READY)
	@$(BIN)/python -m tests.write_schema

# The documents as a site in build/site; a link that leads nowhere fails.
docs: build/docs-tools/.ready
	@.ci/docs

# Wheel, sdist, what they need (CycloneDX) and the hashes of all in dist/; the same commit, the same bytes.
release: $(DEV_READY) build/release-tools/.ready
	@.ci/release

build/%-tools/.ready: .locks/%.txt .ci/venv
	@.ci/venv $* "$(PYTHON)"

# The quick part of `make check` at every commit of this clone.
hooks: $(DEV_READY)
	@$(BIN)/pre-commit install

# Plays all scenarios of the rules, or ONLY="011 075"; writes tests/scenarios/open.toml and the page of
# the clauses anew, and that of the codes. With PIXELS=1 one of each clause, or ONLY, goes through rendered pictures.
scenarios: $(DEV_READY)
	@$(BIN)/python -m tests.scenarios.code_page
	@$(BIN)/python -m tests.scenarios.$(if $(PIXELS),pixel_plays,clause_page) $(ONLY)

# How much of the rules the commands reach; writes docs/reach.md anew.
reach: $(DEV_READY)
	@$(BIN)/python -m tests.rules.reach

soak: $(DEV_READY)
	@$(BIN)/python -m tests.bench.hall.soak $(or $(MINUTES),30)

screenshots: $(DEV_READY)
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

# Writes the locks anew; versions stay unless UPGRADE=1. Needs uv on PATH or in .venv/bin.
lock:
	@PATH="$(PATH):$(CURDIR)/$(BIN)" .ci/lock $(if $(UPGRADE),--upgrade)

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
