# The two commands of the README, and the developer's others. `make help` lists them.
.PHONY: help setup build demo check test fuzz soak sanitize threads lint format layers docs bench bench-http dist clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST)

setup: ## install what is missing through apt
	@deploy/setup.sh test

build: ## build everything in release mode
	@deploy/setup.sh build
	swift build -c release

demo: ## three speakers and a song on this machine
	@deploy/demo.sh

check: ## for every commit: lint, build, and the tests that neither play in real time nor simulate houses
	@$(MAKE) -s lint
	swift build -c release --build-tests
	swift test -c release --skip-build \
		--skip '^(TuttiTests|TuttiSenderTests|TuttiSpeakerTests|EveningTests|LabTests|TuttiSimulationTests)\.'

test: ## lint, build with warnings as errors, unit tests, lab tests
	@deploy/test.sh

fuzz: ## libFuzzer for SECONDS (60) on each parser, or on TARGETS; then hostile peers, as long, with SEED=N or a new one
	Tests/Fuzz/run.sh "$(or $(SECONDS),60)" $(TARGETS)
	TUTTI_FUZZ_SECONDS="$(or $(SECONDS),60)" TUTTI_FUZZ_SEED="$(SEED)" \
		swift test -c release --filter 'FuzzTests|HostileControlTests'

soak: ## for the night: all seeds and links, and for SECONDS (600) simulated houses that nobody has tried
	@deploy/setup.sh test
	swift build -c release --build-tests
	$(MAKE) -s -C Tests/Lab/card
	TUTTI_TEST_SOAK=1 TUTTI_TEST_SIMULATE_SECONDS="$(or $(SECONDS),600)" \
		swift test -c release --skip-build --no-parallel --filter 'SeedTests|DrawnLinkTests|SecurityCrowdTests'

sanitize: ## the unit tests under the address sanitizer, then under the thread sanitizer: half an hour of building each
	deploy/sanitize.sh address
	deploy/sanitize.sh thread

threads: ## decks, ring and clock slot under the thread sanitizer: a minute
	swift test --package-path Tests/Sanitizer --scratch-path .build/sanitizer --sanitize=thread \
		--filter 'DeckHandOverTests|PCMRing|ClockEstimateTests|SeamTests|UnderrunTests'

lint: ## check the style
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples

format: ## apply the style
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples

layers: ## draw the targets and their arrows anew, in docs/architecture.md
	TUTTI_DRAW_LAYERS=1 swift test -c release --filter LayerTests/drawing

docs: build ## the library's documentation, in .build/Tutti.doccarchive
	@deploy/docs.sh

bench-http: ## how soon HTTP commands are done and heard of, and what 200 listeners cost
	@deploy/bench-http.sh

bench: ## the lab's measurements, Snapcast beside them where it is installed
	@deploy/bench.sh

dist: ## two Debian packages in dist/; PACKAGES=tutti-speaker for one of them, OUTPUT=… for another folder
	@deploy/setup.sh package
	@PACKAGES="$(PACKAGES)" OUTPUT="$(OUTPUT)" VERSION="$(VERSION)" deploy/package.sh

clean: ## remove what was built
	rm -rf .build dist
	$(MAKE) -s -C Tests/Lab/card clean
