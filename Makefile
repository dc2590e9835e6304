# Two targets need nothing but Python 3.11+, git and a package index: `make verify` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: verify fetch test tools check bench clean

verify: $(VENV)/.installed ## the main job: do the shipped manifests hold?
	$(BIN)/prov verify

fetch: $(VENV)/.installed ## get the evidence anew and write manifests/prov.lock
	$(BIN)/prov fetch

test: $(VENV)/.installed-dev ## the tests, without network
	$(BIN)/pytest -n auto --dist worksteal

tools: ## what a package index of Python does not have and some tests want; needs npm
	npm install --prefix tests/tools --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error

check: $(VENV)/.installed-dev ## style, types and import layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev ## measure, and print the table of bench/README.md
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache \
		tests/tools/node_modules

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed
