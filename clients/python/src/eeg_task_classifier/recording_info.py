"""How a recording was processed before its trials were cut: what a prediction must have in common with the fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Codes of ``info["custom_ref_applied"]`` in MNE.
_REFERENCES = {0: "as recorded", 1: "changed", 3: "current source density"}


@dataclass(frozen=True)
class RecordingInfo:
    """Processing of a recording, from ``epochs.info`` of MNE.

    Attributes
    ----------
    highpass_hz, lowpass_hz : float or None
        Edges of the filters in Hz; None: not filtered.
    reference : str
        ``"as recorded"``, ``"changed"``, ``"current source density"`` or ``"average"``.
    projections : tuple of str
        Descriptions of the projections that are applied.
    """

    highpass_hz: float | None
    lowpass_hz: float | None
    reference: str
    projections: tuple[str, ...]

    def differences(self, fitted: RecordingInfo) -> list[str]:
        """Return a sentence for each difference from the recording of the fit."""
        pairs = [
            ("The high-pass filter", _hz(self.highpass_hz), _hz(fitted.highpass_hz), "Filter them as in the fit."),
            ("The low-pass filter", _hz(self.lowpass_hz), _hz(fitted.lowpass_hz), "Filter them as in the fit."),
            ("The reference", self.reference, fitted.reference, "Use the reference of the fit."),
            (
                "The set of applied projections",
                ", ".join(self.projections) or "empty",
                ", ".join(fitted.projections) or "empty",
                "Apply the same ones.",
            ),
        ]
        return [
            f"{what} of these trials is {now}; that of the fit was {before}. Probabilities can be wrong. {fix}"
            for what, now, before, fix in pairs
            if now != before
        ]


def recording_info(info: Any) -> RecordingInfo:
    """Read the processing of a recording.

    Parameters
    ----------
    info : mne.Info
    """
    highpass, lowpass, rate = (float(info[name] or 0) for name in ("highpass", "lowpass", "sfreq"))
    applied = [str(each["desc"]) for each in info["projs"] if each["active"]]
    reference = _REFERENCES.get(int(info["custom_ref_applied"]), "changed")
    if any("average" in name.lower() and "ref" in name.lower() for name in applied):
        reference = "average"
    return RecordingInfo(
        highpass_hz=highpass or None,
        # MNE writes half the sampling rate for a recording without a low-pass filter.
        lowpass_hz=lowpass if 0 < lowpass < 0.499 * rate else None,
        reference=reference,
        projections=tuple(sorted(applied)),
    )


def rate_difference(rate_hz: float, fitted_hz: float) -> list[str]:
    """Return a sentence if two sampling rates differ by more than one in a thousand."""
    if abs(rate_hz - fitted_hz) <= 1e-3 * fitted_hz:
        return []
    return [
        f"The sampling rate of these trials is {rate_hz:g} Hz; that of the fit was {fitted_hz:g} Hz. The service "
        "resamples both, but frequencies above half of the lower rate are missing. Resample them as in the fit."
    ]


def _hz(edge: float | None) -> str:
    return "none" if edge is None else f"{edge:g} Hz"
