"""Runs a command; errors go to standard error, the exit code says of what kind."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence

from ..errors import (
    BillingError,
    ConnectionFailedError,
    DataNotice,
    EEGTaskClassifierError,
    PaymentNotAllowedError,
    ServiceError,
    in_short,
    kept_model,
)
from .arguments import parser
from .screen import errors
from .session import Declined


def main(arguments: Sequence[str] | None = None) -> int:
    """0 done; 1 refused or failed; 2 wrong command line (by SystemExit); 3 about money; 4 no connection."""
    asked = parser().parse_args(_with_windows(sys.argv[1:] if arguments is None else arguments))
    said: set[str] = set()

    def show_notice(message: Warning | str, *_where: object) -> None:
        if str(message) not in said:
            said.add(str(message))
            errors().print(f"Note: {message}", markup=False, highlight=False, soft_wrap=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", DataNotice)
        warnings.showwarning = show_notice  # type: ignore[assignment]
        try:
            asked.act(asked)
            return 0
        except KeyboardInterrupt:
            errors().print("Interrupted.")
            return 130
        except Declined as declined:
            errors().print(str(declined), markup=False, highlight=False, soft_wrap=True)
            return 3
        except (EEGTaskClassifierError, ValueError, OSError, ImportError) as error:
            return _told(error)


def run() -> None:
    """The entry point."""
    sys.exit(main())


def _with_windows(arguments: Sequence[str]) -> list[str]:
    """``--window -0.2,0.8`` as one word: argparse takes what begins with a minus sign for an option."""
    joined: list[str] = []
    for word in arguments:
        if joined and joined[-1] == "--window" and re.match(r"-[\d.]", word):
            joined[-1] = f"--window={word}"
        else:
            joined.append(word)
    return joined


def _told(error: Exception) -> int:
    out = errors()
    if not isinstance(error, ServiceError):
        out.print(f"Error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 3 if isinstance(error, PaymentNotAllowedError) else 4 if isinstance(error, ConnectionFailedError) else 1
    out.print(f"{error.code}: {error.message}", markup=False, highlight=False, soft_wrap=True)
    if error.field:
        out.print(f"  field: {error.field}", markup=False, highlight=False, soft_wrap=True)
    for each in error.alternatives:
        out.print(f"  alternative: {in_short(each, 2000)}", markup=False, highlight=False, soft_wrap=True)
    for each in (error.details.get("errors") or [])[1:20]:
        out.print(f"  also: {each['field']}: {each['message']}", markup=False, highlight=False, soft_wrap=True)
    if error.model_id:
        out.print(f"  {kept_model(error.model_id)}", markup=False, highlight=False, soft_wrap=True)
    if error.request_id:
        out.print(f"  request: {error.request_id}", markup=False, highlight=False, soft_wrap=True)
    return 3 if isinstance(error, BillingError) else 1
