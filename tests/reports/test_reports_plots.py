import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest

from reports import style
from reports.intervals import joint_table, proportion
from reports.outcomes import Outcome
from reports.parts import heat_part, joint_limits, ladder_part, share_alone
from reports.picture import Picture
from reports.plain import plain_number
from reports.plots import Rung, ladder
from reports.svg import DARK, THEMED
from tests.reports.report_pages import LONG, NASTY, study, table

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    return [figure.picture for figure in study().figures]


def texts(svg: str) -> list[str]:
    return [
        "".join(element.itertext()).strip() for element in ET.fromstring(svg).iter(f"{SVG}text")
    ]


def ladder_of(*rungs: tuple[str, float, float, float], axis: str = "share") -> Picture:
    made = [Rung(label, share, low, high, f"{share:.3g}") for label, share, low, high in rungs]
    return ladder("test", made, title="A ladder", axis=axis)


def test_drawings_are_well_formed_and_named(pictures):
    for picture in pictures:
        for svg in (picture.wide, picture.narrow):
            root = ET.fromstring(svg)
            title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
            assert title is not None
            assert title.text
            assert description is not None
            assert len(description.text or "") > 40
            assert root.get("role") == "img"
            named = {title.get("id"), description.get("id")}
            assert set(root.get("aria-labelledby", "").split()) == named


def test_drawings_refer_to_nothing_outside(pictures):
    for picture in pictures:
        for svg in (picture.wide, picture.narrow, picture.standalone().decode()):
            body = re.sub(r'xmlns(:xlink)?="[^"]*"', "", svg)
            assert "://" not in body
            assert not re.search(r"url\((?!#)", body)
            root = ET.fromstring(svg)
            ids = {element.get("id") for element in root.iter()}
            used = re.findall(r'(?:url\(#|href="#)([^")]+)', svg)
            assert used
            assert set(used) <= ids


def test_identifiers_of_all_drawings_of_a_page_differ(pictures):
    found = [
        element.get("id")
        for picture in pictures
        for svg in (picture.wide, picture.narrow)
        for element in ET.fromstring(svg).iter()
        if element.get("id")
    ]
    assert len(found) == len(set(found))


def test_drawings_bring_no_style_rules_into_the_page(pictures):
    for picture in pictures:
        assert "<style" not in picture.wide + picture.narrow


def test_equal_data_give_equal_bytes_whatever_the_users_settings(pictures):
    with mpl.rc_context({"font.size": 30, "svg.hashsalt": None, "axes.grid": True}):
        again = [figure.picture for figure in study().figures]
        for first, second in zip(pictures, again, strict=True):
            assert first.wide == second.wide
            assert first.narrow == second.narrow
            assert first.standalone() == second.standalone()
    assert again[0].png() == pictures[0].png()


def test_a_drawing_alone_has_paper_and_a_dark_form(pictures):
    text = pictures[0].standalone().decode()
    assert text.startswith("<?xml")
    assert "prefers-color-scheme:dark" in text
    assert all(f"--{name}:{colour}" in text for name, colour in DARK.items())
    assert all(f"--{name}:{colour}" in text for colour, name in THEMED.items())
    assert "paper-fill" in text


def test_ink_is_marked_for_dark_pages(pictures):
    for picture in pictures:
        for element in ET.fromstring(picture.wide).iter(f"{SVG}text"):
            style_text = element.get("style", "")
            if f"fill: {style.INK}" in style_text:
                assert "ink-fill" in element.get("class", "")


def test_png_has_the_wide_size(pictures, tmp_path):
    pictures[0].save_png(tmp_path / "plot.png")
    data = (tmp_path / "plot.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == round(style.WIDE * 200)


def test_names_stand_there_letter_by_letter():
    picture = ladder_of(("a <b> & $x$ \\alpha", 0.5, 0.4, 0.6))
    assert "a <b> & $x$ \\alpha" in texts(picture.wide)


def test_characters_that_xml_cannot_hold_are_replaced():
    picture = ladder_of(("a\x00b\x1b", 0.5, 0.4, 0.6))
    assert "a�b�" in texts(picture.wide)


def test_long_names_are_shortened_in_the_plot_and_whole_in_its_description():
    picture = ladder_of((LONG, 0.5, 0.4, 0.6))
    assert LONG in picture.wide  # the description
    assert any(text.endswith("…") and LONG.startswith(text[:-1]) for text in texts(picture.wide))


def test_the_ladder_is_sorted_and_shows_each_number():
    picture = ladder_of(("low", 0.1, 0.05, 0.2), ("high", 0.5, 0.4, 0.6), ("none", 0.0, 0.0, 0.01))
    shown = [text for text in texts(picture.wide) if text in ("low", "high", "none")]
    assert shown == ["high", "low", "none"]
    assert {"0.1", "0.5", "0"} <= set(texts(picture.wide))


def test_shares_far_apart_get_a_logarithmic_axis_told_in_games():
    near, far = (
        ladder_of(("a", 0.5, 0.4, 0.6)),
        ladder_of(("a", 0.5, 0.4, 0.6), ("b", 1e-4, 5e-5, 2e-4)),
    )
    assert not any(text.startswith("1 in") for text in texts(near.wide))
    assert any(text.startswith("1 in") for text in texts(far.wide))


def test_zero_hits_are_an_arrow_from_the_upper_limit():
    with_zero = ladder_of(("a", 0.5, 0.4, 0.6), ("b", 0.0, 0.0, 1e-4))
    without = ladder_of(("a", 0.5, 0.4, 0.6), ("b", 0.1, 0.05, 0.2))
    assert style.VERMILLION in with_zero.wide
    assert style.VERMILLION not in without.wide


@pytest.mark.parametrize("share", [(1.0, 0.9, 1.0), (0.0, 0.0, 0.3), (1e-9, 1e-10, 1e-8)])
def test_extreme_shares_can_be_drawn(share):
    assert ladder_of(("one", *share)).wide
    assert ladder_of(("one", *share), ("other", 0.5, 0.4, 0.6)).narrow


def test_the_heat_table_has_a_cell_for_each_measure_and_none_else():
    outcomes = table()
    figure = heat_part("heat", "Heat", outcomes, study_rules())
    assert figure is not None
    shown = texts(figure.picture.wide)
    for outcome in outcomes.outcomes:
        assert share_alone(outcome) in shown
    bold = re.findall(r"font-weight: (?:bold|700)|font: (?:bold|700)", figure.picture.wide)
    assert len(bold) == len(outcomes.outcomes) == 15


def study_rules():
    from tests.reports.report_pages import RULES

    return RULES


def test_the_ladder_has_the_numbers_of_the_outcome_table():
    outcomes = table()
    runs = [(outcome.name, outcome) for outcome in outcomes.outcomes]
    shown = texts(ladder_part("l", "L", runs).picture.wide)
    for outcome in outcomes.outcomes:
        assert plain_number(outcome.text()) in shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "below"), (1, " to "), (3, " to "), (2_500, " to "), (9_998, " to "), (10_000, "above")],
)
def test_limits_of_a_cell_are_never_zeros_only(count, shown):
    joint = joint_table([count, 10_000 - count])[0]
    outcome = Outcome("one", "", count, 10_000, proportion(count, 10_000), joint)
    text = joint_limits(outcome, joint)
    assert shown in text
    assert not re.match(r"0\.0+ to", text)


def test_hostile_names_reach_no_markup(pictures):
    for picture in pictures:
        assert "<script" not in picture.wide + picture.narrow
    assert NASTY[:8] not in "".join(p.wide for p in pictures)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(1.5 ± 0.2)e-04", "(1.5 ± 0.2)×10⁻⁴"),
        ("3.1e-12 (2e-12 to 4e-12)", "3.1×10⁻¹² (2×10⁻¹² to 4×10⁻¹²)"),
        ("-0.5 ± 0.1", "−0.5 ± 0.1"),
        ("1.2e+06", "1.2×10⁶"),
        ("-3.0e-05 to 1", "−3.0×10⁻⁵ to 1"),
        ("0.25", "0.25"),
    ],
)
def test_numbers_in_plain_text(text, shown):
    assert plain_number(text) == shown
