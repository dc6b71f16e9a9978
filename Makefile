# Two commands do everything: `make quickstart` and `make test`. Each sets up its own virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
MEASURED := wfsa chart machines estimation# the rooms whose branches `make coverage` counts
FLOOR := 98# percent of them that are taken

PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest
SHARED := -n auto --maxprocesses 4 --dist worksteal# a process a core; who is done takes tests from the others
SUITE := -m "not lint and not pages and not gallery and not corpora and not papers"

.PHONY: quickstart test other-desk oldest pages corpora papers thorough lint format coverage benchmark turns figures tables lessons docs campaign campaign-short soak fuzz mutants package release clean

quickstart: $(VENV)/.installed $(VENV)/.typed
	$(BIN)/fstce quickstart

test: $(VENV)/.installed-dev $(VENV)/.typed
	$(PYTEST) $(SHARED) $(SUITE)

# Every prompt and command on the pages of the docs, as they stand there; the pages that fstce writes, in a browser.
pages: $(VENV)/.installed-dev
	$(PYTEST) $(SHARED) -m pages tests/test_readme.py tests/test_shared_page.py tests/inspection tests/reporting

# What is measured on corpora that do not ship, where they are there.
corpora: $(VENV)/.installed-dev
	$(PYTEST) $(SHARED) -m corpora

# The papers' experiments, each small, from a plan to a page.
papers: $(VENV)/.installed-dev
	$(PYTEST) $(SHARED) -m papers tests/reproduction

# What meets the system, with all that Linux alone has taken away, as on a Mac.
DESK := tests/processes tests/storage tests/console/test_applying.py tests/smoke.py tests/machines/test_files.py \
    tests/neighborhoods/test_registry.py tests/wfsa/test_building.py \
    tests/wfsa/test_cuts.py tests/tagging/test_tagger.py tests/parsing/test_parser.py \
    tests/correction/test_corrector.py tests/latent/test_product.py
other-desk: $(VENV)/.installed-dev
	PYTHONPATH="$(CURDIR)/tests/other_desk" $(PYTEST) $(SHARED) $(DESK)

# The numeric tests on the oldest dependencies that setup.cfg allows, where they have wheels for this Python.
oldest: $(BIN)/python
	OPENBLAS_NUM_THREADS=1 $(BIN)/python .ci/oldest.py $(SHARED) $(addprefix tests/,numeric $(MEASURED))

# All of it, with 500 examples a property instead of 40: half an hour and more.
thorough: $(VENV)/.installed-dev $(VENV)/.typed
	HYPOTHESIS_PROFILE=thorough $(PYTEST) $(SHARED)

# Style, and over the built wheel types, layers and packaging.
lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PYTEST) -m lint tests/test_house.py tests/test_packaging.py

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

coverage: $(VENV)/.installed-dev
	$(PYTEST) $(SHARED) -q --cov --cov-report=term:skip-covered \
	    $(addprefix tests/,$(MEASURED)) tests/cli/machine \
	    tests/latent/test_latent_grammar.py
	$(BIN)/python .ci/branch_floor.py $(FLOOR)

# Whether the tests of these rooms notice when a line of theirs is wrong: 500 mutants, an hour and more;
# what stands in build/mutants/log.jsonl is not done again. The survivors and the score at the end.
mutants: $(VENV)/.installed-dev
	mkdir -p build/mutants
	COVERAGE_FILE=build/mutants/coverage $(PYTEST) -q --cov --cov-context=test \
	    --cov-report= $(addprefix tests/,$(MEASURED))
	COVERAGE_FILE=build/mutants/coverage $(PYTEST) -q -s -p tests.mutants \
	    $(addprefix tests/,$(MEASURED))

benchmark: $(VENV)/.installed-dev
	$(PYTEST) tests/benchmarks -q -s

# What common works cost now and at the commit that tests/benchmarks/since names, by turns; fails beyond 1.3.
turns: $(VENV)/.installed-dev
	mkdir -p build/turns
	$(BIN)/python tests/benchmarks/turns.py

# Damaged files and models, faults in saving, kills, hostile authors, wrong options: tests/campaign.
# An hour; what stands in build/campaign/log.jsonl is not done again. A table at the end.
campaign: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.campaign --minutes 60

campaign-short: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.campaign --minutes 3 --fresh --output build/campaign-short

# Minutes of soak and fuzz.
MINUTES ?= 5
# Ten commands side by side, and a thousand calls of each service in one process.
soak: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.campaign.soak --minutes $(MINUTES)

# Readers and models under inputs that coverage guides (atheris), MINUTES of a clock in all; tests/fuzz.
fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.fuzz --minutes $(MINUTES)

figures: $(VENV)/.installed-dev
	$(BIN)/python docs/draw_figures.py
	$(BIN)/python docs/shoot_inspector.py

# The tables of docs/results: hours of measuring on the corpora in DATA; what has been measured is kept in
# build/tables and not measured again. Then the pages and their figures.
tables: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m examples.experiments.tables $(if $(DATA),run $(DATA),pages)

# Sixteen lessons for a course on weighted automata, graded with the instructor's answers.
lessons: $(VENV)/.installed
	$(BIN)/python examples/lessons/grading.py --key

docs: $(VENV)/.installed-dev $(VENV)/.installed-docs
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	FSTCE_GALLERY=docs $(PYTEST) -q -m gallery tests/test_examples.py tests/test_docs.py
	@echo "open docs/_build/html/index.html"

# A wheel and an sdist in dist/, and the wheel tried on every Python that is here.
package: $(VENV)/.installed-dev
	rm -rf dist && $(BIN)/python -m build --outdir dist .
	$(BIN)/python .ci/try_pythons.py dist/*.whl

# The files of a release in dist/: wheel and sdist, built twice with equal digests, and a bill of materials.
release: $(VENV)/.installed-dev
	rm -rf dist && $(BIN)/python .ci/release.py dist

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "fstce needs Python 3.10 or later")'
	$(PYTHON) -m venv $(VENV) || { echo "python3 -m venv failed; on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.installed: $(BIN)/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(BIN)/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(BIN)/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(VENV)/.installed

# Type checkers do not see what setuptools' editable finder maps (grammars/, transducers/, and with them
# all of fstce): they read fstce-stubs (PEP 561), here a folder of links to the sources. It changes
# nothing at run time, new modules need nothing, and a new room renews it.
$(VENV)/.typed: fstce $(BIN)/python
	stubs=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/fstce-stubs && \
	rm -rf "$$stubs" && mkdir "$$stubs" && \
	ln -s "$(CURDIR)"/fstce/* "$(CURDIR)"/grammars "$(CURDIR)"/transducers "$$stubs" && \
	ln -s "$(CURDIR)"/fstce/__init__.py "$$stubs"/__init__.pyi
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info quickstart-output .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	    docs/_build docs/reference/generated docs/gallery docs/course
