# `make` lists the targets. All of them work in .venv, which is built from requirements.lock when it
# is missing or stale; python3 (3.11 or newer), make and git are all that must be there before.

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
unexport PYTHONPATH PYTHONHOME PYTHONSAFEPATH VIRTUAL_ENV

bin := $(VENV)/bin
# Written when $(VENV) is complete: for which Python, and in which folder (scripts name it).
ready := $(VENV)/ready
version := $(shell $(PYTHON) -c 'import sys; print("Python %d.%d" % sys.version_info[:2])' 2>/dev/null)
wanted := $(version) in $(CURDIR)
found := $(shell test -x $(bin)/python && cat $(ready) 2>/dev/null)

.PHONY: help venv reports test lint types bench lock clean stale

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

venv: $(ready) ## build or refresh .venv
	@:

reports: $(ready) ## run the ready-made studies: page, plots and tables in out/
	@$(bin)/python -m scripts.reports --out out $(ARGS)

test: $(ready) ## run all tests (make test ARGS='-k president' for some)
	@$(bin)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(ready) ## style, format and types
	@status=0; \
	$(bin)/python -m ruff check . || status=1; \
	$(bin)/python -m ruff format --check . || status=1; \
	$(bin)/python -m mypy || status=1; \
	exit $$status

types: $(ready) ## types alone
	@$(bin)/python -m mypy

bench: $(ready) ## speed here, beside the plain-Python reference
	@$(bin)/playout bench $(ARGS)

lock: ## write requirements.lock anew from pyproject.toml (ARGS=--upgrade for newer versions)
	@$(check_python)
	@echo 'requirements.lock: resolving'
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && trap 'exit 130' INT TERM && \
	$(PYTHON) -m venv "$$work/venv" && \
	"$$work/venv/bin/python" -m pip install -q --disable-pip-version-check 'uv>=0.11' && \
	"$$work/venv/bin/python" -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb")); \
	    print(*project["build-system"]["requires"], sep="\n")' > "$$work/build.in" && \
	{ test ! -f requirements.lock || cp requirements.lock "$$work/requirements.lock"; } && \
	"$$work/venv/bin/uv" pip compile pyproject.toml "$$work/build.in" --all-extras --quiet \
	    --universal --fork-strategy fewest --generate-hashes --no-annotate \
	    --custom-compile-command 'make lock' --output-file "$$work/requirements.lock" $(ARGS) && \
	if grep -n '://' "$$work/requirements.lock"; then \
	    echo 'requirements.lock would hold an address, so it stays as it was.' >&2; exit 1; fi && \
	cp "$$work/requirements.lock" requirements.lock && \
	echo "requirements.lock: $$(grep -c '==' requirements.lock) packages"

clean: ## remove caches and build leftovers; .venv, out/ and runs/ stay
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . \( -path ./.git -o -path './.venv*' -o -path ./out -o -path ./runs \) -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------ the environment

# Another Python, a moved folder or a build that did not finish: the stamp is stale whatever its age.
ifneq ($(found),$(wanted))
$(ready): stale
endif

# The stamp is made first under another name, so that it is older than any edit during the build,
# and gets its name last. A complete .venv is refreshed in place; anything else is built from zero.
$(ready): requirements.lock pyproject.toml
	@$(check_python)
	@set -e; say() { echo "playout: $$*"; }; \
	fail() { echo "$(VENV) is not ready: $$*" >&2; exit 1; }; \
	new=$(ready).new; from_zero=; \
	if [ '$(found)' = '$(wanted)' ]; then say 'refreshing $(VENV)'; \
	else from_zero=yes; \
	    say 'building $(VENV) with $(version) (one to three minutes)'; fi; \
	rm -f $(ready); \
	base=$$($(PYTHON) -c 'import sys; print(getattr(sys, "_base_executable", "") or sys.executable)'); \
	if [ -n "$$from_zero" ]; then \
	    "$$base" -m venv --clear $(VENV) || fail "$$base -m venv failed, see above."; fi; \
	echo '$(wanted)' > $$new; \
	$(bin)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock \
	    || fail 'pip could not install requirements.lock, see above.'; \
	$(bin)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . \
	    || fail 'pip could not install playout itself, see above.'; \
	$(bin)/python -m pip check --disable-pip-version-check > /dev/null \
	    || { $(bin)/python -m pip check >&2 || true; \
	         fail 'requirements.lock and pyproject.toml disagree; make lock mends that.'; }; \
	mv $$new $(ready); \
	say '$(VENV) is ready'

define check_python
set -e; \
need() { echo "$$* (another name or place: make PYTHON=python3.12)." >&2; exit 1; }; \
command -v $(PYTHON) > /dev/null || need '$(PYTHON) is missing: playout needs Python 3.11 or newer'; \
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || need "$(PYTHON) is too old ($$($(PYTHON) --version 2>&1)): playout needs Python 3.11 or newer"; \
$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null \
    || need 'python3-venv is missing: on Debian and Ubuntu install that package'
endef
