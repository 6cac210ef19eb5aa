"""Settings of the property tests: the same cases in every run and on every machine."""

from hypothesis import Phase, settings

settings.register_profile("fixed", derandomize=True, max_examples=200, deadline=None, database=None)
# For tests/mutants.py, which only asks whether a test fails, not what the smallest failing case is.
settings.register_profile(
    "first-failure", settings.get_profile("fixed"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("fixed")
