"""The lesson's text and drawings: every number comes from the program, and nothing in them can drift from it.

What needs Node.js or the built dist/ is marked `browser`, as in test_build.py.
"""

import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import build
from tests.native.built_lesson import (
    PLACEHOLDER,
    TEMPLATE,
    Element,
    Prerender,
    parse,
    placeholders_in_text,
)
from tests.native.cases import PUBLISHED
from tests.native.test_code import PARTS
from tinyserve.print_trace import trace

PROGRAM = build.ROOT / "py" / "tinyserve" / "tiny_server.py"

# ---- What is not there fails the build ---------------------------------------------------------------------

PAGE = """<!doctype html>
<html lang="en"><head><title>{title}</title></head>
<body>{body}<main class="widget-place"></main></body></html>
"""


def page(body: str = "", title: str = "a title") -> str:
    """A small page that prerender.js takes."""
    return PAGE.format(title=title, body=body)


@pytest.mark.browser
def test_a_small_page_is_made_with_its_figures(prerendering: Prerender, tmp_path: Path) -> None:
    """So that the pages below fail for what is wrong in them and for nothing else."""
    body = '<p>{{heavy.pages}} and {{model.activation_gb:0}}</p><a data-line="# 1 QUEUE"></a>'
    done = prerendering.render(page(body, "{{heavy.rate}} a second"), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    root = parse((tmp_path / "index.html").read_text("utf-8"))
    assert root.only("title").text() == "40 a second"
    assert root.find("p")[0].text() == "240 and 2"
    assert [span.attributes["title"] for span in root.find("span", class_="figure")] == [
        "a setting of the lesson",
        "step_time.py: Llama 3.1 8B on one A100 80 GB SXM",
    ]


BROKEN = {
    "an unknown figure": (
        page("<p>{{heavy.no_such}}</p>"),
        "the lesson names heavy.no_such, which is not among its figures",
    ),
    "a figure that every object seems to have": (
        page("<p>{{constructor}}</p>"),
        "the lesson names constructor, which is not among its figures",
    ),
    "an unknown figure in an attribute": (
        page('<button data-settings="rate={{heavy.speed}}">a</button>'),
        "the lesson names heavy.speed, which is not among its figures",
    ),
    "an unknown figure in the title": (
        page(title="{{heavy.height}}"),
        "the lesson names heavy.height, which is not among its figures",
    ),
    "decimals of a word": (
        page("<p>{{heavy.wall:2}}</p>"),
        "the lesson asks for 2 decimals of heavy.wall, which is cache",
    ),
    "decimals of nothing": (
        page("<p>{{light.cache_full_s:2}}</p>"),
        "the lesson asks for 2 decimals of light.cache_full_s, which is null",
    ),
    "decimals that are no number": (
        page("<p>{{heavy.ttft_p99_s:two}}</p>"),
        "the lesson asks for two decimals of heavy.ttft_p99_s",
    ),
    "decimals left out": (
        page("<p>{{heavy.ttft_p99_s:}}</p>"),
        "the lesson asks for  decimals of heavy.ttft_p99_s",
    ),
    "more after the decimals": (
        page("<p>{{heavy.ttft_p99_s:2:3}}</p>"),
        "the lesson asks for 2:3 decimals of heavy.ttft_p99_s",
    ),
    "a placeholder that is not closed": (
        page("<p>{{heavy.ttft_p99_s}</p>"),
        "the lesson has braces that hold no figure: {{heavy.ttft_p99_s}",
    ),
    "a line that is not there": (
        page('<a data-line="no such line"></a>'),
        'the lesson points at the line of tiny_server.py with "no such line": found 0 times',
    ),
    "a line that is there twice": (
        page('<a data-line="5 METRICS"></a>'),
        'the lesson points at the line of tiny_server.py with "5 METRICS": found 2 times',
    ),
    "a last line that is not there": (
        page('<a data-line="# 1 QUEUE" data-to="no such end"></a>'),
        'the lesson points at the line of tiny_server.py with "no such end": found 0 times',
    ),
    "lines that end before they begin": (
        page('<a data-line="# 2 ADMIT" data-to="# 1 QUEUE"></a>'),
        "which end before they begin",
    ),
    "an unknown drawing": (
        page('<div data-drawing="a-cake"></div>'),
        "the lesson names the drawing a-cake, which is not made",
    ),
}


@pytest.mark.browser
@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_in_a_template_fails_the_build(
    what: str, prerendering: Prerender, tmp_path: Path
) -> None:
    template, message = BROKEN[what]
    done = prerendering.render(template, tmp_path)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.startswith("prerender.mjs: ") and done.stderr.count("\n") == 1
    assert not (tmp_path / "index.html").exists()


@pytest.mark.browser
def test_a_drawing_without_its_figure_fails_the_build(prerendering: Prerender, tmp_path: Path) -> None:
    figures = prerendering.figures()
    del figures["twice_more.ttft_p99_s"]
    done = prerendering.render(page(), tmp_path, figures)
    assert done.returncode == 1
    assert "a drawing needs twice_more.ttft_p99_s, which is not among the figures" in done.stderr


# ---- No number is typed ------------------------------------------------------------------------------------

# Texts with a digit that are no figure of the program, each with why.
ALLOWED = [
    "p50",  # the definition
    "p99",
    "99 of 100",
    "1 in 100",
    "2 to 4 times",  # the paper's own figure
    "published in 2023",
    "(read 2026-10-20",
    "SOSP 2023",
    "arXiv 2309.06180",
    "How many GPUs for 1000 users",  # a title
    "Llama 3.1 8B",  # names
    "A100",
    "python3",
    "http://localhost:8000/",
]
SHOWN = {"title", "content", "aria-label", "alt", "placeholder", "value"}  # attributes that are read out
POINTERS = {"data-line", "data-to"}  # text of the program, which the build looks up in it


def texts_of(element: Element) -> Iterator[str]:
    """All that a reader meets or that sets something: text, and attributes that are read out or hold data."""
    for child in element.children:
        if isinstance(child, str):
            yield child
            continue
        if child.tag in ("script", "style"):
            continue
        if child.attributes.get("name") != "viewport":
            for name, value in child.attributes.items():
                if name in SHOWN or (name.startswith("data-") and name not in POINTERS):
                    yield value
        if child.attributes.get("class") == "badge":
            assert child.text() in "123456"
            continue
        yield from texts_of(child)


def digits_left(html: str) -> list[str]:
    """Texts in which a digit stands that is neither a figure of the program nor allowed."""
    left = []
    for text in texts_of(parse(html)):
        rest = PLACEHOLDER.sub("", text)
        for allowed in ALLOWED:
            rest = re.sub(rf"(?<!\w){re.escape(allowed)}(?!\d)", "", rest)
        if re.search(r"\d", rest):
            left.append(text)
    return left


def test_no_number_is_typed_in_the_lesson() -> None:
    template = TEMPLATE.read_text("utf-8")
    # The number of the part that a row of the table is about.
    assert re.findall(r'<tr data-part="(\d)"', template) == list("123456")
    assert digits_left(re.sub(r' data-part="\d"', "", template)) == []


@pytest.mark.parametrize(
    "typed",
    [
        "<p>It takes 3.49 seconds.</p>",
        "<p>It takes {{heavy.ttft_p99_s}} of 4 seconds.</p>",
        '<button data-settings="rate=40">so</button>',
        '<svg><text aria-label="240 pages">a</text></svg>',
        '<meta name="description" content="84 times">',
        '<p title="16 places">a</p>',
        "<title>150 lines</title>",
        "<p>p99 is 3</p>",
        "<p>p991</p>",
        "<p>2 to 4 times 3</p>",
        '<span class="unit">1</span>',
    ],
)
def test_a_typed_number_would_be_seen(typed: str) -> None:
    assert digits_left(typed) != []


def test_every_allowed_text_is_still_needed() -> None:
    text = TEMPLATE.read_text("utf-8")
    assert [allowed for allowed in ALLOWED if allowed not in text] == []


# ---- The built page ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lesson(dist: Path) -> Element:
    """The built lesson."""
    return parse((dist / "index.html").read_text("utf-8"))


@pytest.mark.browser
def test_no_placeholder_is_left(lesson: Element) -> None:
    for element in lesson.all():
        own_texts = [child for child in element.children if isinstance(child, str)]
        for text in [*element.attributes.values(), *own_texts]:
            assert "{{" not in text and "}}" not in text


@pytest.mark.browser
def test_the_program_shown_is_the_one_in_the_wheel(lesson: Element, dist: Path) -> None:
    (pyodide,) = dist.glob("pyodide-*")
    with zipfile.ZipFile(build.only_wheel(pyodide)) as wheel:
        packed = wheel.read("tinyserve/tiny_server.py")
    lines = [code.text() for code in lesson.only("ol", id="program").find("code")]
    assert ("\n".join(lines) + "\n").encode() == packed
    numbers = [line.attributes["id"] for line in lesson.only("ol", id="program").find("li")]
    assert numbers == [f"L{number}" for number in range(1, len(lines) + 1)]


@pytest.mark.browser
def test_each_part_of_the_table_points_at_the_lines_that_do_it(lesson: Element) -> None:
    source = PROGRAM.read_text("utf-8").splitlines()
    rows = [row for row in lesson.only("table", class_="parts").find("tr") if "data-part" in row.attributes]
    assert len(rows) == len(PARTS)
    marked = set()
    for number, (row, mark) in enumerate(zip(rows, PARTS, strict=True), 1):
        assert row.attributes["data-part"] == row.only("span", class_="badge").text() == str(number)
        assert row.only("th").text().split() == [str(number), mark.split()[1].capitalize()]
        link = row.only("a")
        first, last = int(link.attributes["data-from-line"]), int(link.attributes["data-to-line"])
        assert link.attributes["href"] == f"#L{first}"
        assert link.text() == f"lines {first} to {last}"
        pointed = source[first - 1 : last]
        # The mark stands in the first line (that of a function in its docstring), and no other part's below.
        assert mark in "\n".join(pointed[:2])
        assert set(re.findall(r"\b(\d [A-Z]{4,})\b", "\n".join(pointed))) == {mark}
        assert not marked & set(range(first, last + 1))
        marked |= set(range(first, last + 1))


@pytest.mark.browser
def test_every_link_into_the_page_leads_somewhere(lesson: Element) -> None:
    ids = [element.attributes["id"] for element in lesson.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    leads_to = [link.attributes["href"] for link in lesson.find("a")]
    inside = [address.removeprefix("#") for address in leads_to if address.startswith("#")]
    assert len(inside) > 150
    assert set(inside) <= set(ids)


@pytest.mark.browser
def test_the_trace_shown_is_the_programs(lesson: Element) -> None:
    assert lesson.only("pre", id="trace-text").text() == trace()


# ---- Published figures -------------------------------------------------------------------------------------


def published_run(rate: int, pages: int, limit: int) -> dict[str, str]:
    """The published figures of a run, and ours beside them."""
    (run,) = (
        run for run in PUBLISHED["runs"] if (run["rate"], run["pages"], run["limit"]) == (rate, pages, limit)
    )
    return {**run, **run.get("ours", {})}


# Figures of the text by their names -> the published text. Where a run is shown, all that is published of it.
RUNS = {
    "light": published_run(10, 240, 16),
    "heavy": published_run(40, 240, 16),
    "more_pages": published_run(40, 480, 16),
    "twice_more": published_run(40, 960, 16),
    "more_places": published_run(40, 480, 24),
    "few_places": published_run(10, 240, 8),
    "few_pages": published_run(10, 120, 16),
}
HEAVY_STEPS = {step["step"]: step for step in PUBLISHED["heavy_trace"]}
STEPS = {
    "step1": HEAVY_STEPS[1],
    "step2": HEAVY_STEPS[2],
    "step3": HEAVY_STEPS[3],
    "step4": HEAVY_STEPS[4],
    "step5": HEAVY_STEPS[5],
    "before_full": HEAVY_STEPS[34],
    "full": HEAVY_STEPS[35],
}
STEP_KEYS = {"chats": "stepped", "new": "joined"}
CHAT_KEYS = {
    "prompt_min": "prompt_least",
    "prompt_max": "prompt_most",
    "reply_min": "reply_least",
    "reply_max": "reply_most",
    "tokens_per_chat_mean": "mean_tokens",
    "gaps_between_words": "gaps",
}
ORDERS = PUBLISHED["orders"]
WAITS = ORDERS["ttft_p99_s_at_40_480_16"]
GREW = ORDERS["ratio_of_ttft_p99_at_40_to_10_at_240_16"]
OTHERWISE_NAMED = (
    "queue_max_first_3_s",
    "steps_held_out_by_both",
    "promised_at_cache_full",
    "first_touch_of_240_s",
)
BY_NAME: dict[str, str] = {
    **{
        f"{name}.{key}": str(text)
        for name, run in RUNS.items()
        for key, text in run.items()
        if key not in ("ours", *OTHERWISE_NAMED)
    },
    "heavy.queue_early": RUNS["heavy"]["queue_max_first_3_s"],
    "heavy.both_steps": RUNS["heavy"]["steps_held_out_by_both"],
    "full.all_promised_s": RUNS["heavy"]["first_touch_of_240_s"],
    "full.promised": RUNS["heavy"]["promised_at_cache_full"],
    **{
        f"{name}.{STEP_KEYS.get(key, key)}": str(text)
        for name, step in STEPS.items()
        for key, text in step.items()
        if key != "held_out_by"
    },
    **{
        f"chats.{CHAT_KEYS.get(key, key)}": text
        for key, text in {**PUBLISHED["chats"], **PUBLISHED["chats"]["ours"]}.items()
        if isinstance(text, str)
    },
    **{
        f"chat{number}.{key}": text
        for number, chat in enumerate(PUBLISHED["chats"]["first"])
        for key, text in chat.items()
    },
    "chats.orders": str(PUBLISHED["grid"]["orders"]),
    "model.real_card_pages": PUBLISHED["real_card_pages"],
    "model.one_chat_ms": PUBLISHED["step_ms"][0]["ms"],
    "model.full_batch_ms": PUBLISHED["step_ms"][1]["ms"],
    "orders.more_pages_min_s": WAITS[0],
    "orders.more_pages_max_s": WAITS[1],
    "orders.grew_min": GREW[0],
    "orders.grew_max": GREW[1],
}


def used_figures() -> set[str]:
    """The names, with decimals, of all figures in the template's text and attributes."""
    return set(PLACEHOLDER.findall(TEMPLATE.read_text("utf-8")))


def agrees(shown: str, published: str) -> bool:
    """Whether a text says the published figure, at the coarser of their two decimals."""
    if not re.fullmatch(r"[\d,.]+", shown):
        return shown == published
    ours, theirs = Decimal(shown.replace(",", "")), Decimal(published)
    coarser = max(ours.as_tuple().exponent, theirs.as_tuple().exponent)
    unit = Decimal(1).scaleb(int(coarser))
    return ours.quantize(unit) == theirs.quantize(unit)


@pytest.mark.browser
def test_every_figure_of_the_text_says_what_was_published(lesson: Element) -> None:
    names = list(placeholders_in_text(parse(TEMPLATE.read_text("utf-8"))))
    spans = lesson.find("span", class_="figure")
    assert len(spans) == len(names) > 150
    compared = set()
    for inside, span in zip(names, spans, strict=True):
        name = inside.partition(":")[0]
        if name in BY_NAME:
            assert agrees(span.text(), BY_NAME[name]), (inside, span.text(), BY_NAME[name])
            compared.add(name)
        assert span.attributes["title"], inside
    assert len(compared) > 60


@pytest.mark.browser
def test_every_published_figure_of_a_run_can_be_named(prerendering: Prerender) -> None:
    known = prerendering.figures()
    assert [name for name in BY_NAME if name not in known] == []


@pytest.mark.parametrize(
    ("shown", "published", "same"),
    [
        ("3.49", "3.492", True),
        ("3.49", "3.497", False),
        ("0.042", "0.042", True),
        ("0.041", "0.042", False),
        ("1,559", "1559", True),
        ("1,291", "1292", False),
        ("cache", "cache", True),
        ("cache", "batch", False),
        ("0.389", "0.389", True),
    ],
)
def test_when_a_text_says_a_published_figure(shown: str, published: str, same: bool) -> None:
    assert agrees(shown, published) is same


@pytest.mark.browser
def test_what_the_text_says_in_words_holds(prerendering: Prerender) -> None:
    """Claims of the text that are no figures."""
    value = {name: figure["value"] for name, figure in prerendering.figures().items()}
    walls = {name: value[f"{name}.wall"] for name in ("light", "heavy", "more_pages")}
    assert walls == {"light": "none", "heavy": "cache", "more_pages": "batch"}
    assert value["light.queue_max"] == 0  # "nobody is held out"
    assert value["more_pages.cache_steps"] == 0  # "the cache holds nobody out"
    assert value["before_full.queue"] == 0  # "Nobody waits yet"
    assert value["step1.stepped"] == value["step2.joined"] == 1  # "One chat", "Chat one joins"
    assert value["step4.joined"] == 2  # "with prompts of ... and ..."
    assert value["full.left"] < value["full.needed"] and value["full.places_left"] > 0
    assert value["more_places.ttft_p99_s"] < value["more_pages.ttft_p99_s"] < value["heavy.ttft_p99_s"]
    assert value["shortest_first.ttft_p50_s"] < value["heavy.ttft_p50_s"]
    assert value["shortest_first.ttft_p99_s"] > value["heavy.ttft_p99_s"]
    assert value["big_pages.ttft_p99_s"] > value["heavy.ttft_p99_s"]
    assert value["prompt_only.pages"] == value["heavy.pages"]


# ---- The drawings that stand alone -------------------------------------------------------------------------

SVG = "http://www.w3.org/2000/svg"


def visible(published: str) -> str:
    """A published number as the drawings write it: at most two decimals from 0.1 on."""
    number = Decimal(published)
    return str(number.quantize(Decimal("0.01")) if number >= Decimal("0.1") else number)


LIGHT, HEAVY = RUNS["light"], RUNS["heavy"]
SAYS: dict[str, list[Any]] = {
    "kitchen": [STEPS["full"]["start_s"], STEPS["full"]["held"], STEPS["full"]["owed"], HEAVY["pages"]],
    "first-seconds": [HEAVY["cache_full_s"], HEAVY["pages"], HEAVY["queue_max_first_3_s"]],
    "two-waits": [
        *(visible(run["ttft_p99_s"]) for run in (LIGHT, HEAVY)),
        *(run["tbt_p99_ms"] for run in (LIGHT, HEAVY)),
        *(run["rate"] for run in (LIGHT, HEAVY)),
    ],
    "four-settings": [
        *(visible(RUNS[name]["ttft_p99_s"]) for name in ("heavy", "more_pages", "twice_more", "more_places")),
        *(RUNS[name]["pages"] for name in ("heavy", "more_pages", "twice_more")),
    ],
}


def times_said(text: str, figure: Any) -> int:
    """How often a figure stands in a text, and not as part of a longer number."""
    return len(re.findall(rf"(?<![\d.]){re.escape(str(figure))}(?!\d|\.\d)", text))


every_drawing = pytest.mark.parametrize("name", SAYS)


def drawing(dist: Path, name: str) -> ET.Element:
    """The file, which must be well-formed."""
    return ET.fromstring((dist / "figs" / f"{name}.svg").read_text("utf-8"))


@pytest.mark.browser
def test_there_are_these_drawings_and_the_page_offers_each(dist: Path, lesson: Element) -> None:
    assert {path.stem for path in (dist / "figs").iterdir()} == set(SAYS)
    assert {path.suffix for path in (dist / "figs").iterdir()} == {".svg"}
    offered = {link.attributes["href"] for link in lesson.find("a") if "figs/" in link.attributes["href"]}
    assert offered == {f"figs/{name}.svg" for name in SAYS}


@pytest.mark.browser
@every_drawing
def test_a_drawing_has_a_title_a_description_and_both_schemes(dist: Path, name: str) -> None:
    root = drawing(dist, name)
    assert root.tag == f"{{{SVG}}}svg"
    title, description, style = (root.find(f"{{{SVG}}}{tag}") for tag in ("title", "desc", "style"))
    assert title is not None and description is not None and style is not None
    assert (title.text or "").strip() and (description.text or "").strip()
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]
    assert "light-dark(" in (style.text or "") and "color-scheme:light dark" in (style.text or "")


@pytest.mark.browser
@every_drawing
def test_a_drawing_asks_nobody_for_anything(dist: Path, name: str) -> None:
    text = (dist / "figs" / f"{name}.svg").read_text("utf-8")
    assert set(re.findall(r"\w+://[^\s\"'<)]+", text)) == {SVG}
    assert not re.search(r"href|url\((?!#)|@import|<script|<foreignObject|<image|\son\w+=", text)


@pytest.mark.browser
@every_drawing
def test_a_drawing_says_the_published_figures(dist: Path, name: str) -> None:
    root = drawing(dist, name)
    description = root.findtext(f"{{{SVG}}}desc") or ""
    too_few = [each for each in SAYS[name] if times_said(description, each) < SAYS[name].count(each)]
    assert too_few == []


@pytest.mark.browser
@pytest.mark.parametrize("name", ["two-waits", "four-settings"])
def test_the_bars_are_labelled_with_the_published_figures(dist: Path, name: str) -> None:
    texts = " ".join("".join(text.itertext()) for text in drawing(dist, name).iter(f"{{{SVG}}}text"))
    too_few = [each for each in SAYS[name] if times_said(texts, each) < SAYS[name].count(each)]
    assert too_few == []
