"""Makes the moving picture of README: `docs/demonstration.py` from the project's folder.

A test of the page takes the frames with the real programs in a real Chromium
(`cli/tests/foreign/web_demonstration.rs`). Pillow, which is installed into a venv below target,
joins them into a GIF: it moves wherever README is shown, unlike WebP and APNG.
"""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FRAMES = PROJECT / "target/demonstration"
VENV = PROJECT / "target/demonstration-venv"
PICTURE = PROJECT / "docs/demonstration.gif"
MOST_BYTES = 800_000
COLORS = 128


def take_frames() -> None:
    """Lets the test take its frames."""
    test = "env UPDATE=1 HEX_IF_MISSING=fail cargo test --release -p hex-cli --test foreign"
    subprocess.run([*test.split(), "web_demonstration::"], cwd=PROJECT, check=True)


def join() -> None:
    """Joins the frames; their names are `NUMBER-MILLISECONDS.png`."""
    from PIL import Image

    paths = sorted(FRAMES.glob("*.png"))
    frames = [Image.open(path).convert("RGB") for path in paths]
    times = [int(path.stem.split("-")[1]) for path in paths]
    # One palette for all, of the frames below each other: what does not change costs nothing.
    all_frames = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
    for index, frame in enumerate(frames):
        all_frames.paste(frame, (0, index * frame.height))
    palette = all_frames.quantize(COLORS, dither=Image.Dither.NONE)
    first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    first.save(PICTURE, save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    size = PICTURE.stat().st_size
    print(f"{PICTURE.relative_to(PROJECT)}: {len(frames)} frames, {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"the picture has more than {MOST_BYTES} bytes")


if __name__ == "__main__":
    if sys.prefix == sys.base_prefix:
        take_frames()
        python = VENV / "bin/python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
            install = [python, "-m", "pip", "install", "--quiet", "pillow==12.0.0"]
            subprocess.run(install, check=True)
        subprocess.run([python, __file__], check=True)
    else:
        join()
