"""Facts about a recording that its file lacks, said by the caller."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .reader_rules import CAP_MAPS, MICROVOLTS_PER_UNIT

#: Name of a cap, names of all channels in their order, or the new name of some channels.
ChannelNames = str | Sequence[str] | Mapping[str, str]

#: The value of `unit` for files whose range cannot scale the samples: one digital step counts as one microvolt.
DIGITAL = "digital"


@dataclass(frozen=True)
class ReadOptions:
    """What the caller says about a recording (see `read_recording`)."""

    stream: str | None = None
    stim_channel: str | None = None
    unit: str | None = None
    encoding: str | None = None
    channels: ChannelNames | None = None
    rate: float | None = None

    def __post_init__(self) -> None:
        if self.unit is not None and self.unit != DIGITAL and self.unit.lower() not in MICROVOLTS_PER_UNIT:
            raise ValueError(f"The unit {self.unit!r} is not known. Use uV, mV, V, nV or {DIGITAL}.")
        try:
            codecs.lookup(self.encoding or "utf-8")
        except LookupError:
            raise ValueError(f"The encoding {self.encoding!r} is not known. Use one such as latin-1 or gbk.") from None
        if self.rate is not None and not 0 < self.rate <= 1e6:
            raise ValueError(f"The rate {self.rate} is out of range. It must be more than 0 and at most 1000000 Hz.")
        if isinstance(self.channels, str) and self.channels.lower() not in CAP_MAPS:
            raise ValueError(f"The cap {self.channels!r} is not known. There are {', '.join(CAP_MAPS)}.")

    @property
    def microvolts(self) -> float | None:
        """Microvolts in one unit, or None if the caller says no unit."""
        if self.unit is None:
            return None
        return 1.0 if self.unit == DIGITAL else MICROVOLTS_PER_UNIT[self.unit.lower()]
