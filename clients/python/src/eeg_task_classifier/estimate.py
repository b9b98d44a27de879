"""Estimate of a fit: its price and its warnings."""

from __future__ import annotations

from decimal import Decimal
from html import escape
from typing import Any

from .dollars import dollars
from .service import Json


class Estimate:
    """Estimate of a fit. Making it fits and charges nothing.

    Every field of the service's answer is also an attribute, such as ``candidates``.

    Attributes
    ----------
    total_usd : Decimal
        Price of the whole fit: create fee, first month of hosting, and the batches if there are several.
    create_usd : Decimal
        Create fee.
    hosting_usd_per_month : Decimal
        Price of a month of hosting.
    batches : int
        Number of requests that the trials need.
    warnings : list of str
        Problems of the data.
    findings : list of dict
        The same problems with their fixes: ``change`` (fields to change) and ``remove`` (channels or trials to leave
        out).
    raw : dict
        The answer of the service.
    """

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.total_usd = Decimal(raw["total_usd"])
        self.create_usd = Decimal(raw["create_usd"])
        self.hosting_usd_per_month = Decimal(raw["hosting_usd_per_month"])
        self.batches = int(raw["batches"])
        self.warnings: list[str] = list(raw["warnings"])
        self.findings: list[dict[str, Any]] = list(raw.get("findings") or [])

    def __getattr__(self, name: str) -> Any:
        raw = self.__dict__.get("raw", {})
        if name in raw:
            return raw[name]
        raise AttributeError(f"The estimate has no {name!r}. It has {', '.join(sorted(raw))}.")

    def rows(self) -> list[tuple[str, str]]:
        """Return the main fields as pairs of name and text."""
        counts = ", ".join(f"{name} {count}" for name, count in self.raw.get("trials_per_class", {}).items())
        return [
            ("Task", str(self.raw["category"])),
            ("Trials", counts if self.batches == 1 else f"{counts} in the first of {self.batches} batches"),
            ("Methods to try", str(len(self.raw.get("candidates", [])))),
            ("Cost now", f"{dollars(self.total_usd)} ({dollars(self.create_usd)} for the create)"),
            ("Hosting", f"{dollars(self.hosting_usd_per_month)} a month, until you delete it or it expires"),
        ]

    def __repr__(self) -> str:
        lines = [f"{name}: {text}" for name, text in self.rows()] + [f"! {text}" for text in self.warnings]
        return "Estimate\n  " + "\n  ".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self.rows())
        return f"<table>{rows}</table><ul>{''.join(f'<li>{escape(text)}</li>' for text in self.warnings)}</ul>"
