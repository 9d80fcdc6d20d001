"""The page of a run: RUN/index.html with its curve and its generations, made anew as it goes on."""

from html import escape
from pathlib import Path
from typing import Any

from train import checkpoint, plot
from train.checkpoint import CURVE
from train.preset import Preset

# Seconds between two looks of the page at itself.
REFRESH = 10


def write(run: Path, preset: Preset) -> None:
    """Writes the page and its pictures."""
    curve = checkpoint.read_lines(run / CURVE)
    plot.draw(run, run / "curve.svg", run / "curve.png")
    done = curve[-1]["generation"] + 1
    is_over = done == preset.generations
    refresh = "" if is_over else f'<meta http-equiv="refresh" content="{REFRESH}">'
    rows = "".join(row_of(line) for line in reversed(curve))
    text = f"""<!doctype html><html lang="en"><meta charset="utf-8">{refresh}
<title>{escape(run.name)}</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto;
padding: 0 1rem; color-scheme: light dark }} img {{ max-width: 100% }}
table {{ border-collapse: collapse }} td, th {{ padding: .15rem .8rem; text-align: right }}</style>
<h1>{escape(run.name)}</h1>
<p>{done} of {preset.generations} generations, {curve[-1]["minutes"]:.1f} minutes.
{"The run is over." if is_over else "The page looks at itself again every few seconds."}</p>
<p><img src="curve.svg" alt="Losses, strength, judgements and first moves"></p>
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
