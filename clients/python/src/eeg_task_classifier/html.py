"""Parts of the pictures and tables that notebooks show."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from html import escape
from typing import Any


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return an HTML table with a heading and a text in each row."""
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{cells}</table>"


def bullet_list(texts: Iterable[str]) -> str:
    """Return an HTML list; empty without texts."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def picture(draw: Any, title: str) -> str:
    """Return an HTML picture; empty if matplotlib is not installed.

    Parameters
    ----------
    draw : callable
        Returns a matplotlib figure. Raises ImportError without matplotlib.
    title : str
        Text for people who do not see the picture.
    """
    try:
        figure = draw()
        from matplotlib.pyplot import close
    except ImportError:
        return ""
    # Otherwise notebooks show the figure a second time.
    close(figure)
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=72)
    data = base64.b64encode(png.getvalue()).decode()
    return f'<img alt="{escape(title)}" src="data:image/png;base64,{data}">'
