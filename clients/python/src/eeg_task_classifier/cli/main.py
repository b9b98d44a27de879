"""Entry point of the command line: runs a command, prints errors on standard error, returns the exit code."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence

from ..data_notice import DataNotice, ServiceWarning
from ..errors import (
    BillingError,
    ConnectionFailedError,
    EEGTaskClassifierError,
    PaidCallInterrupted,
    PaymentNotAllowedError,
    ServiceError,
    kept_model_advice,
    shortened,
)
from .confirm import Declined
from .output import stderr_console
from .parser import build_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Default: those of the process.

    Returns
    -------
    int
        Exit code: 0 done; 1 refused or failed; 3 too little credit, too expensive, or not confirmed; 4 no connection;
        130 interrupted.

    Raises
    ------
    SystemExit
        With code 2, if the command line is wrong.
    """
    options = build_parser().parse_args(_with_windows(sys.argv[1:] if arguments is None else arguments))
    shown: set[str] = set()

    def show_notice(message: Warning | str, *_where: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            stderr_console().print(f"Note: {message}", markup=False, highlight=False, soft_wrap=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", DataNotice)
        # Commands print the warnings of the service with its answers.
        warnings.simplefilter("ignore", ServiceWarning)
        warnings.showwarning = show_notice  # type: ignore[assignment]
        try:
            options.run(options)
            return 0
        except PaidCallInterrupted as interrupted:
            key = getattr(options, "idempotency_key", None) or interrupted.idempotency_key
            text = f"{interrupted} On the command line, add --idempotency-key {key} to the same command."
            stderr_console().print(text, markup=False, highlight=False, soft_wrap=True)
            return 130
        except KeyboardInterrupt:
            stderr_console().print("Interrupted. Nothing was paid.")
            return 130
        except Declined as declined:
            stderr_console().print(str(declined), markup=False, highlight=False, soft_wrap=True)
            return 3
        except (EEGTaskClassifierError, ValueError, OSError, ImportError) as error:
            return _print_error(error)


def run() -> None:
    """Run the command of the process and exit."""
    sys.exit(main())


def _with_windows(arguments: Sequence[str]) -> list[str]:
    """Join ``--window -0.2,0.8`` to one word, because argparse reads a word that begins with a minus as an option."""
    joined: list[str] = []
    for word in arguments:
        if joined and joined[-1] == "--window" and re.match(r"-[\d.]", word):
            joined[-1] = f"--window={word}"
        else:
            joined.append(word)
    return joined


def _print_error(error: Exception) -> int:
    """Print an error and return its exit code."""
    out = stderr_console()
    if not isinstance(error, ServiceError):
        out.print(f"Error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 3 if isinstance(error, PaymentNotAllowedError) else 4 if isinstance(error, ConnectionFailedError) else 1
    out.print(f"{error.code}: {error.message}", markup=False, highlight=False, soft_wrap=True)
    if error.field:
        out.print(f"  field: {error.field}", markup=False, highlight=False, soft_wrap=True)
    for each in error.alternatives:
        out.print(f"  alternative: {shortened(each, 2000)}", markup=False, highlight=False, soft_wrap=True)
    for each in (error.details.get("errors") or [])[1:20]:
        out.print(f"  also wrong: {each['field']}: {each['message']}", markup=False, highlight=False, soft_wrap=True)
    if error.model_id:
        out.print(
            f"  {kept_model_advice(error.model_id, error.repeat_continues)}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    if error.request_id:
        out.print(f"  request: {error.request_id}", markup=False, highlight=False, soft_wrap=True)
    return 3 if isinstance(error, BillingError) else 1
