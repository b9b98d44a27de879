"""The command `usage`."""

from __future__ import annotations

import argparse

from .output import print_json, print_table
from .service_options import service_of


def usage(options: argparse.Namespace) -> None:
    """Print the usage of today and of this month, the limits and the quotas of the account."""
    answer = service_of(options).usage()
    if options.json:
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
