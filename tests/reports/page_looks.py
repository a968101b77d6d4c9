"""How a page looks in a browser: what is asked of it, and what every page must keep to."""

VIEWS = [(1280, False), (1280, True), (390, False), (390, True)]

#: The elements that stick out of the window without standing in a box that scrolls.
STICKING_OUT = """
[...document.body.querySelectorAll('*')]
  .filter((e) => e.getClientRects().length && !e.closest('.scroll, pre, svg, .skip'))
  .filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .map((e) => e.tagName + '.' + e.className)
"""
#: How much the page is wider than the window.
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
#: [id, visible drawings, width, height] of each figure.
FIGURES = """
[...document.querySelectorAll('figure')].map((figure) => {
  const seen = [...figure.querySelectorAll('svg')].filter((s) => s.getClientRects().length);
  const box = seen.length ? seen[0].getBoundingClientRect() : {width: 0, height: 0};
  return [figure.id, seen.length, box.width, box.height];
})
"""
#: Texts of the visible drawings that are cut off at an edge of their drawing.
CUT_OFF = """
[...document.querySelectorAll('figure svg')].filter((s) => s.getClientRects().length)
  .flatMap((s) => {
    const frame = s.getBoundingClientRect();
    return [...s.querySelectorAll('text')].filter((t) => {
      const box = t.getBoundingClientRect();
      return box.left < frame.left - 1 || box.right > frame.right + 1
        || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
    }).map((t) => t.textContent.trim());
  })
"""
#: Smallest text in CSS pixels, drawings as they are scaled.
SMALLEST = """
Math.min(...[...document.querySelectorAll('figure svg text')]
  .filter((t) => t.getClientRects().length)
  .map((t) => parseFloat(getComputedStyle(t).fontSize)
    * Math.hypot(t.getScreenCTM().a, t.getScreenCTM().b)))
"""
#: Contrast of the body's text and of the ink in the drawings against the page.
CONTRASTS = """
(() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
      .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const of = (selector, property) =>
    contrast(light(getComputedStyle(document.querySelector(selector))[property]), paper);
  return {
    paper, text: of('body', 'color'), note: of('.note', 'color'),
    ink: of('figure svg text.ink-fill', 'fill'), mark: of('figure svg .blue-stroke', 'stroke'),
  };
})()
"""


def check_fit(browser, folder):
    """The shown page is no wider than the window, and loads and complains of nothing."""
    assert browser.run(TOO_WIDE) == 0
    assert browser.run(STICKING_OUT) == []
    assert browser.complaints() == []
    assert browser.requests() == [(folder / "index.html").as_uri()]


def check_figures(browser, width):
    """Each figure shows one drawing, large, whole and readable; returns how many there are."""
    figures = browser.run(FIGURES)
    for name, seen, wide, high in figures:
        assert seen == 1, name
        assert wide > 0.8 * min(width, 800) - 40, name
        assert high > 60, name
    assert browser.run(CUT_OFF) == []
    assert browser.run(SMALLEST) >= 7.5
    return len(figures)
