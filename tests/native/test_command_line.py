"""The command line: what it prints, and one line and exit code 2 for input that it cannot take."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tinyserve.__main__ as command_line
from tests.native.cases import PUBLISHED
from tinyserve import chats, load_test
from tinyserve.figures import Figure

LONGEST = int(PUBLISHED["chats"]["ours"]["longest_pages"])


class Outcome:
    """What a command printed and its exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        """Call the command line in this process."""
        try:
            self.code: Any = command_line.main(words)
        except SystemExit as leaving:
            self.code = leaving.code
        self.out, self.err = capsys.readouterr()


def test_run_with_json_gives_the_settings_and_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    done = Outcome(
        capsys, "run", "--rate", "10", "--pages", "120", "--limit", "8", "--shuffle", "3", "--json"
    )
    assert json.loads(done.out) == {
        "settings": {"rate": 10, "pages": 120, "limit": 8, "shuffle": 3},
        "report": load_test(chats(3), 10, 120, 8),
    }
    assert (done.code, done.err) == (0, "")


def test_run_without_options_is_the_heavy_run(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(Outcome(capsys, "run", "--json").out)
    assert answer["settings"] == {"rate": 40, "pages": 240, "limit": 16, "shuffle": 0}
    assert answer["report"] == load_test(chats(), 40, 240, 16)


def test_a_rate_may_have_a_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(Outcome(capsys, "run", "--rate", "2.5", "--json").out)
    assert answer["report"] == load_test(chats(), 2.5, 240, 16)


def test_run_prints_a_clipboard_with_the_published_figures(capsys: pytest.CaptureFixture[str]) -> None:
    done = Outcome(capsys, "run")
    heavy = next(
        run for run in PUBLISHED["runs"] if (run["rate"], run["pages"], run["limit"]) == (40, 240, 16)
    )
    for name in (
        "ttft_p50_s",
        "ttft_p99_s",
        "tbt_p99_ms",
        "tpot_p99_ms",
        "queue_max",
        "wall",
        "cache_full_s",
    ):
        assert heavy[name] in done.out
    assert done.code == 0


def test_what_was_never_measured_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(
        Outcome(capsys, "run", "--rate", "1", "--pages", "960", "--limit", "40", "--json").out
    )
    assert answer["report"]["cache_full_s"] is None


def rows(text: str) -> list[list[str]]:
    """The words of each line."""
    return [line.split() for line in text.splitlines()]


def test_the_trace_has_the_published_chats_and_steps(capsys: pytest.CaptureFixture[str]) -> None:
    printed = rows(Outcome(capsys, "trace").out)
    for chat, published in enumerate(PUBLISHED["chats"]["first"]):
        assert [str(chat), *published.values()] in printed
    around_the_first_hold_out = [
        step for step in PUBLISHED["heavy_trace"] if step["step"] <= 5 or step["step"] >= 34
    ]
    for step in around_the_first_hold_out:
        facts = {name: str(fact) for name, fact in step.items()}
        row = [facts[name] for name in ("step", "start_s", "took_ms", "chats", "new", "queue", "held")]
        row += ["+", facts["owed"], facts["left"], *facts["held_out_by"].split()]
        assert row in printed


def test_with_960_pages_the_trace_changes_in_one_label_only(capsys: pytest.CaptureFixture[str]) -> None:
    before = rows(Outcome(capsys, "trace").out)
    after = rows(Outcome(capsys, "trace", "--more-pages", "960").out)
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    label = (["10/240/16", "40/240/16", "40/480/16"], ["10/240/16", "40/240/16", "40/960/16"])
    assert changed == [label]


def test_a_figure_that_differs_is_named_and_ends_in_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_line, "figures", lambda: [Figure("a", "1", "1"), Figure("b", "3.49", "3.50")])
    done = Outcome(capsys, "figures")
    differing = [line for line in done.out.splitlines() if "DIFFERS" in line]
    assert len(differing) == 1
    assert differing[0].startswith("b ")
    assert "3.49" in differing[0]
    assert "3.50" in differing[0]
    assert done.code == 1


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "--rate", "0"], ["rate", "0"]),
        (["run", "--rate", "-1"], ["rate", "-1"]),
        (["run", "--rate", "nan"], ["rate", "nan"]),
        (["run", "--rate", "inf"], ["rate", "inf"]),
        (["run", "--rate", "1e-320"], ["rate", "1e-320"]),
        (["run", "--rate", "fast"], ["rate", "'fast'"]),
        (["run", "--pages", str(LONGEST - 1)], ["pages", str(LONGEST - 1), f"needs {LONGEST}"]),
        (["run", "--pages", "240.0"], ["pages", "240.0"]),
        (["run", "--pages", "1000001"], ["pages", "1000001", "1,000,000"]),
        (["run", "--limit", "0"], ["limit", "0"]),
        (["run", "--limit", "1.5"], ["limit", "1.5"]),
        (["run", "--limit", "True"], ["limit", "'True'"]),
        (["run", "--shuffle", "6"], ["shuffle", "6", "0 to 5"]),
        (["run", "--shuffle", "2.0"], ["shuffle", "2.0", "0 to 5"]),
        (["run", "--shuffle", ""], ["shuffle", "''"]),
        (["run", "--rate"], ["--rate"]),
        (["run", "--rat", "40"], ["--rat"]),
        (["run", "--speed", "40"], ["--speed"]),
        (["trace", "--more-pages", str(LONGEST - 1)], ["pages", str(LONGEST - 1), f"needs {LONGEST}"]),
        (["trace", "--rate", "40"], ["--rate"]),
        (["figures", "40"], ["40"]),
        (["serve"], ["serve"]),
        ([], ["run"]),
    ],
    ids=" ".join,
)
def test_wrong_input_ends_in_one_line_and_2(
    capsys: pytest.CaptureFixture[str], words: list[str], named: list[str]
) -> None:
    done = Outcome(capsys, *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith("tinyserve: ")
    for part in named:
        assert part in done.err


def call(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m tinyserve` in a process of its own."""
    package = Path(str(files("tinyserve"))).parent
    path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "tinyserve", *words]
    return subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)


def test_it_runs_as_a_module_of_python() -> None:
    done = call("run", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["report"] == load_test(chats(), 40, 240, 16)
    wrong = call("run", "--limit", "0")
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (2, "", 1)


def test_every_figure_computed_equals_the_published_text(capsys: pytest.CaptureFixture[str]) -> None:
    done = Outcome(capsys, "figures")
    assert "DIFFERS" not in done.out
    assert (done.code, done.err) == (0, "")
