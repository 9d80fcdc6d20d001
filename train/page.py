"""The page of a run: RUN/index.html with its curve and its first moves, made anew as it goes on."""

from html import escape
from pathlib import Path
from typing import Any

from train import checkpoint, plot
from train.checkpoint import CURVE
from train.preset import Preset

# Colours of first moves that win and that lose, by exact proof.
WINS, LOSES = "#c8503c", "#3d6fb0"

# Seconds between two looks of the page at itself.
REFRESH = 10


def write(run: Path, preset: Preset) -> None:
    """Writes the page and its pictures."""
    curve = checkpoint.read_lines(run / CURVE)
    for ending in (".svg", ".png"):
        plot.draw(run, run / f"curve{ending}")
    done = curve[-1]["generation"] + 1
    is_over = done == preset.generations
    judged = [line for line in curve if line.get("first_moves")]
    board = first_moves(judged[-1]) if judged else ""
    refresh = "" if is_over else f'<meta http-equiv="refresh" content="{REFRESH}">'
    rows = "".join(row_of(line) for line in reversed(curve))
    text = f"""<!doctype html><html lang="en"><meta charset="utf-8">{refresh}
<title>{escape(run.name)}</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto;
padding: 0 1rem; color-scheme: light dark }} img {{ max-width: 100% }}
table {{ border-collapse: collapse }} td, th {{ padding: .15rem .8rem; text-align: right }}
figure {{ margin: 1rem 0 }}</style>
<h1>{escape(run.name)}</h1>
<p>{done} of {preset.generations} generations, {curve[-1]["minutes"]:.1f} minutes.
{"The run is over." if is_over else "The page looks at itself again every few seconds."}</p>
<figure><img src="curve.svg" alt="Losses, strength and judgements over the run"></figure>
{board}
<table><tr><th>generation<th>board<th>minutes<th>games<th>gate<th>kept<th>won positions kept</tr>
{rows}</table></html>
"""
    (run / "index.html").write_text(text, encoding="utf-8")


def row_of(line: dict[str, Any]) -> str:
    """Returns a generation's row."""
    judged = ", ".join(f"{name} {100 * share:.2f} %"
                       for name, share in line.get("judged", {}).items())
    cells = (line["generation"] + 1, f"{line['side']}×{line['side']}", line["minutes"],
             f"{line['games']:,}", f"{line['wins']} of {line['of']}",
             "yes" if line["kept"] else "no", judged)
    return "<tr>" + "".join(f"<td>{cell}" for cell in cells) + "</tr>\n"


def first_moves(line: dict[str, Any]) -> str:
    """Returns the board of first moves: the colour is the truth, the number the network's value."""
    side = line["side"]
    by_cell = {move["cell"]: move for move in line["first_moves"]}
    cells = []
    for row in range(side):
        for column in range(side):
            name, turned = name_of(column, row), name_of(side - 1 - column, side - 1 - row)
            move = by_cell.get(name) or by_cell.get(turned)
            if move:
                cells.append(hexagon(column, row, name, move))
    width, height = 45 * side + 22.5 * (side - 1) + 10, 39 * (side - 1) + 62
    return (f'<figure><svg viewBox="0 0 {width} {height}" width="{width}" role="img" '
            f'aria-label="First moves">{"".join(cells)}</svg><figcaption>First moves. The colour '
            "is the solver's: red where Red wins after it, blue where Blue does. The number is the "
            "network's win probability for Red in percent; a thick border marks where it is on the "
            "wrong side.</figcaption></figure>")


def name_of(column: int, row: int) -> str:
    """Returns a cell's name."""
    return f"{chr(ord('a') + column)}{row + 1}"


def hexagon(column: int, row: int, name: str, move: dict[str, Any]) -> str:
    """Returns a cell of the drawing, 45 wide."""
    x, y = 27.5 + 45 * column + 22.5 * row, 31 + 39 * row
    corners = ((0, -26), (22.5, -13), (22.5, 13), (0, 26), (-22.5, 13), (-22.5, -13))
    points = " ".join(f"{x + dx},{y + dy}" for dx, dy in corners)
    wrong = move["wins"] != (move["value"] > 0.5)
    border = 'stroke="#111" stroke-width="5"' if wrong else 'stroke="#fff" stroke-width="1"'
    return (f'<g><title>{name}</title><polygon points="{points}" {border} '
            f'fill="{WINS if move["wins"] else LOSES}"/>'
            f'<text x="{x}" y="{y + 5}" text-anchor="middle" font-size="14" fill="#fff">'
            f'{100 * move["value"]:.0f}</text></g>')
