"""A person's own strategy file: every mistake gets one sentence with its file and line."""

import pytest

from tests.cli.calls import GAME, check_one_sentence

HEAD = """\
import json
import random
import numpy as np
from numba import njit
from sim.rng import bounded
from sim.rulesets.shooting_party.legal import nth_legal

TABLE = [1, 2]
NAMES = {1: 2}
class Thing: pass
def plain(view): return 0
@njit
def deep(view): return view.secret
@njit
def look_up(n): return np.zeros(3, np.int64)[n]
@njit
def endless(n): return endless(n)
"""

#: name: (body, its line in the body that is at fault, what is said).
MISTAKES = {
    "a_float": ("return 1.5 * view.pile_size", 1, "returns a number with a fraction"),
    "a_bool": ("return view.hand == 0", 1, "returns true or false"),
    "no_value": ("nth_legal(view, 0)", 1, "whole number on every path, and returns nothing"),
    "sometimes": ("if view.hand == 0:\n    return 1", 2, "and returns nothing on some"),
    "a_none": ("if view.hand == 0:\n    return None\nreturn 1", 2, "returns nothing on some"),
    "a_tuple": ("return 1, 2", 1, "returns a tuple"),
    "a_text": ("return 'pair'", 1, "returns text"),
    "mixed": ("if view.hand == 0:\n    return 0.5\nreturn 1", 2, "a number with a fraction"),
    "either": ("if view.hand == 0:\n    return 1, 2\nreturn 1", None, "on different paths: a tup"),
    "yields": ("yield 1", 0, "neither a generator (`yield`) nor `async`"),
    "no_field": ("x = 1\nreturn view.hnd + x", 2, "the view has no field 'hnd' (did you mean 'h"),
    "no_param": ("return ctx.wait", 1, "ctx has no field 'wait'; it has no parameters"),
    "keeps": ("ctx.seen = 1\nreturn 0", 1, "ctx has no field 'seen'"),
    "deeper": ("return deep(view)", -5, "the view has no field 'secret' (did you mean 'secr"),
    "undefined": ("x = 1\nreturn nth_legal(view, x + y)", 2, "the name 'y' is not defined"),
    "helper": ("return plain(view)", 1, "plain() is a plain Python function; put @njit above it"),
    "itself": ("return itself(view, ctx)", 1, "itself() calls itself, which cannot be compiled"),
    "recursion": ("return endless(1)", -1, "a function calls itself, which cannot be compiled"),
    "an_instance": ("Thing()\nreturn 0", 1, "the class 'Thing' cannot be compiled"),
    "a_class": ("class A: pass\nreturn 0", 1, "a class inside a function cannot be compiled"),
    "imports": ("import math\nreturn 0", 1, "import inside a function cannot be compiled; put it"),
    "a_global": ("global TABLE\nTABLE = 1\nreturn 0", 2, "a change of a global variable cannot be"),
    "a_list": ("TABLE.append(3)\nreturn 0", 1, "the global list 'TABLE' cannot be compiled; make"),
    "a_dict": ("return NAMES[1]", 1, "'NAMES' is a dict, which compiled code cannot use"),
    "empty_list": ("x = []\nreturn len(x)", 1, "'x' is a list that begins empty"),
    "two_types": (
        "x = 1\nif view.hand == 0:\n    x = 'a'\nreturn nth_legal(view, x)",
        None,
        "'x' is a whole number in one place and text in another",
    ),
    "adds": ("return nth_legal(view, 0) + 'a'", 1, "`+` of a whole number and text cannot be"),
    "bits": ("return view.hand & 1.5", 1, "`&` of a whole number and a number with a fraction"),
    "loops": ("for card in view.hand:\n    return card\nreturn 0", 1, "over a whole number cannot"),
    "measures": ("return len(view.hand)", 1, "len(a whole number) cannot be compiled"),
    "formats": ("x = '{}'.format(view.hand)\nreturn 0", 1, "text has no 'format' in compiled"),
    "f_string": ("x = f'{view.hand:>9}'\nreturn 0", 1, "an f-string with a format"),
    "catches": (
        "try:\n    x = nth_legal(view, 0)\nexcept ValueError:\n    x = 0\nreturn x",
        3,
        "only `except Exception` and a bare `except` can be compiled",
    ),
    "as_error": (
        "try:\n    x = 1\nexcept Exception as error:\n    x = 0\nreturn x",
        3,
        "`except … as …` cannot be compiled",
    ),
    "opens": ("with open('x') as f:\n    return 1\nreturn 0", None, "`with` cannot be compiled"),
    "module": ("return len(json.dumps(1))", 1, "json.dumps cannot be compiled"),
    "no_numpy": ("return np.no_such(1)", 1, "numpy has no 'no_such'"),
    "numpy_lacks": ("return np.lexsort((np.zeros(3),))[0]", 1, "numpy.lexsort cannot be compiled"),
    "few": ("return nth_legal(view)", 1, "nth_legal(v, n) is called with other arguments: missing"),
    "no_ctx": ("return bounded(view, 3)", 0, "random numbers are drawn from ctx, as in boun"),
    "swapped": ("return bounded(3, ctx)", 1, "bounded() is given something it cannot use"),
    "chance": ("return np.random.randint(9)", 1, "cannot be repeated; draw with bounded(ctx, n)"),
    "luck": ("return random.randint(0, 9)", None, "cannot be repeated; draw with bounded(ctx, n)"),
}  # fmt: skip


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory):
    """A file with all mistakes, and the line of each function's `def`."""
    file = tmp_path_factory.mktemp("mine") / "mistakes.py"
    text, lines = HEAD, {}
    for name, (body, _, _) in MISTAKES.items():
        lines[name] = text.count("\n") + 1
        text += f"def {name}(view, ctx):\n"
        text += "".join(f"    {line}\n" for line in body.splitlines())
    file.write_text(text)
    return file, lines


@pytest.mark.parametrize("name", MISTAKES)
def test_what_cannot_be_compiled(refused, mistakes, name):
    """One sentence with file and line, never a screen of compiler output."""
    file, lines = mistakes
    _, line, words = MISTAKES[name]
    place = "mistakes.py line "
    if line is not None and line >= 0:
        place += f"{lines[name] + line}: "
    elif line is not None:  # in the head, counted from its end
        place += f"{HEAD.count(chr(10)) + 1 + line}: "
    refused(("run", GAME, "--strategy", f"{file}:{name}"), f"{file}:{name}: {place}", words)


SIGNATURES = {
    "none": ("", "takes 0: ()"),
    "one": ("view", "takes 1: (view)"),
    "three": ("view, ctx, more", "takes 3: (view, ctx, more)"),
    "default": ("view, ctx, k=3", "takes 3: (view, ctx, k=3)"),
    "stars": ("*args", "takes 1: (*args)"),
    "keyword": ("view, *, ctx", "takes 2: (view, ctx)"),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_wrong_number_of_arguments(refused, tmp_path, name):
    """A function that takes something else than (view, ctx)."""
    arguments, words = SIGNATURES[name]
    file = tmp_path / "mine.py"
    file.write_text(f"\ndef f({arguments}):\n    return 0\n")
    wanted = "mine.py line 2: it must take two arguments (view, ctx), and "
    refused(("run", GAME, "--strategy", f"{file}:f"), wanted + words)


#: Contents of a file, and what is said of it.
FILES = {
    "syntax": (b"x = 1\ndef f(:\n", "mine.py line 2: the file is not valid Python: invalid syntax"),
    "tabs": (b"def f(a, b):\n\treturn 0\n        return 1\n", "mine.py line 3: the file is not v"),
    "zero": (b"x = 1\0\n", "mine.py: the file is not valid Python: source code string cannot con"),
    "latin": (b"# one\nx = '\xe4'\n", "cannot be read: line 2 is not UTF-8 text"),
    "raises": (b"x = 1\ny = 1 / 0\n", "mine.py line 2: running the file failed: ZeroDivisionError"),
    "exits": (b"raise SystemExit(3)\n", "mine.py line 1: running the file failed: SystemExit: 3"),
    "imports": (b"import no_such_thing\n", "mine.py line 1: running the file failed: ModuleNotF"),
    "empty": (b"", "mine.py has no function 'f'; it has no functions"),
    "other": (b"def g(view, ctx):\n    return 0\n", "has no function 'f'; its functions are g"),
    "value": (b"f = 3\n", "'f' in mine.py is no function but a int; it has no functions"),
    "bare": (b"from strategies import strategy\n@strategy\ndef f(v, c): return 0\n",
             "mine.py line 2: @strategy needs the name of a game"),
    "game": (b"from strategies import strategy\n@strategy('whist')\ndef f(v, c): return 0\n",
             "is for whist, not for shooting-party"),
    "kind": (b"from strategies import strategy\n@strategy('shooting-party', kind='draw')\n"
             b"def f(v, c): return 0\n", "decides 'draw', not 'play'"),
    "number": (b"from strategies import strategy\n@strategy('shooting-party', k=3)\n"
               b"def f(v, c): return 0\n", "line 2: strategy 'f': k=3 is no parameter; write k="),
    "range": (b"from strategies import strategy, Param\n@strategy('g', k=Param(3, 0, 2))\n"
              b"def f(v, c): return 0\n", "the default of k is 3, which is not a whole number"),
    "twice": (b"from strategies import strategy, Param\n@strategy('g', state=Param(1, 0, 2))\n"
              b"def f(v, c): return 0\n", "'state' cannot be a parameter or memory field"),
    "memory": (b"from strategies import strategy\n@strategy('g', memory='abc')\n"
               b"def f(v, c): return 0\n", "strategy 'f': memory is a tuple: ('abc',)"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_used(refused, tmp_path, name):
    """Not UTF-8, not Python, failing on import, without the function, with a wrong declaration."""
    content, words = FILES[name]
    file = tmp_path / "mine.py"
    file.write_bytes(content)
    refused(("run", GAME, "--strategy", f"{file}:f"), words)


def test_a_file_that_is_not_there(refused, tmp_path):
    """Missing, a folder, below a file, without a function's name."""
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "file.py").write_text("def f(view, ctx):\n    return 0\n")
    for spec, words in {
        f"{tmp_path}/no.py:f": "no.py does not exist",
        f"{tmp_path}/folder.py:f": "folder.py is a folder",
        f"{tmp_path}/file.py/x.py:f": "x.py cannot be read: Not a directory",
        f"{tmp_path}/file.py": "does not name a function; write",
        f"{tmp_path}/file.py:": "its functions are f",
        f"{tmp_path}/no.py": "no.py does not exist",
        f"{tmp_path}/\udcff.py:f": "\\udcff.py' has a name that is not UTF-8 text; rename it",
    }.items():
        refused(("run", GAME, "--strategy", spec), words)


def test_a_fault_in_a_module_beside_is_placed_there(refused, tmp_path):
    """Running it, and compiling its functions."""
    (tmp_path / "broken.py").write_text("x = 1\ny = 1 / 0\n")
    (tmp_path / "halves.py").write_text(
        "from numba import njit\n\n\n@njit\ndef half(view):\n    return view.hand & 0.5\n"
    )
    file = tmp_path / "mine.py"
    file.write_text("import broken\n")
    refused(("run", GAME, "--strategy", f"{file}:f"), "broken.py line 2: running the file failed")
    file.write_text("from halves import half\n\ndef f(view, ctx):\n    return half(view)\n")
    refused(("run", GAME, "--strategy", f"{file}:f"), "halves.py line 6: `&` of a whole number and")


def test_every_other_command_says_the_same(call, mistakes):
    """Trace, show and audit read strategies as run does."""
    file, _ = mistakes
    for command in ("trace", "show", "audit"):
        said = call(command, GAME, "--strategy", f"{file}:a_float")
        check_one_sentence(said, 2, "returns a number with a fraction")
