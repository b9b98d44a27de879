"""The command `usage`."""

from __future__ import annotations

import argparse

from .screen import print_json, print_table
from .session import service_of


def usage(asked: argparse.Namespace) -> None:
    """Prints what was used today and this month, and the limits of the account."""
    answer = service_of(asked).usage()
    if asked.json:
        print_json(answer)
        return
    blocks = {name: answer.get(name) or {} for name in ("today", "month")}
    names = [name for name in blocks["month"] if not isinstance(blocks["month"][name], dict)]
    rows = [(name, blocks["today"].get(name, "-"), blocks["month"][name]) for name in names]
    print_table(["", "Today", "This month"], rows or [("nothing yet", "-", "-")])
    limits = {name: value for name, value in answer["limits"].items() if isinstance(value, str)}
    print_table(["Limit", ""], limits.items())
    quotas = answer["limits"].get("quotas") or {}
    used = [(name, quota["used"], quota["limit"] or "-") for name, quota in quotas.items()]
    print_table(["Quota", "Used", "Limit"], used)
