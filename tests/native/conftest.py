"""What the tests without a browser share.

Settings of the property tests: the same cases in every run and on every machine. And what makes the pages.
"""

from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.native.built_lesson import Prerender

settings.register_profile("fixed", derandomize=True, max_examples=200, deadline=None, database=None)
# For tests/mutants.py, which only asks whether a test fails, not what the smallest failing case is.
settings.register_profile(
    "first-failure", settings.get_profile("fixed"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def prerendering(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Prerender:
    """What makes the pages at build time."""
    return Prerender(dist, tmp_path_factory.mktemp("prerender"))
