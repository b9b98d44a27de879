"""Amounts of money in the sentences of the client."""

from __future__ import annotations

from decimal import Decimal


def dollars(amount: Decimal | float) -> str:
    """Return an amount of US dollars for people, with at least two decimals: `$1.00`, `$0.003`."""
    whole, _, fraction = f"{Decimal(str(amount)).normalize():f}".partition(".")
    return f"${whole}.{fraction.ljust(2, '0')}"
