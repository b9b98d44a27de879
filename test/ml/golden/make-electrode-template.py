"""Writes ml/channels/template.json and test/ml/golden/electrode-head-frame.json.

    python test/ml/golden/make-electrode-template.py        (needs: mne)

Template: the 10-05 electrode positions MNE calls standard_1005 (colin27), metres, colin27's own frame (MNI axes).
Left out: the fiducials, the references A1 A2 M1 M2, and the legacy names T3 T4 T5 T6 (doubles of T7 T8 P7 P8).
The second file holds a few positions in MNE's head frame, as MNE computes them, and the distances the 60 mm rule turns on.
"""

import json
import pathlib
import warnings

import mne
import numpy as np

warnings.filterwarnings("ignore", category=FutureWarning)
HERE = pathlib.Path(__file__).resolve().parent
LEFT_OUT = {"A1", "A2", "M1", "M2", "T3", "T4", "T5", "T6"}

montage = mne.channels.make_standard_montage("standard_1005")
positions = montage.get_positions()
round6 = lambda p: [round(float(v), 7) for v in p]  # noqa: E731
electrodes = {name: round6(p) for name, p in positions["ch_pos"].items() if name not in LEFT_OUT}
lines = ",\n".join(f'    "{name}": {json.dumps(p)}' for name, p in electrodes.items())
fiducials = json.dumps({key: round6(positions[key]) for key in ("nasion", "lpa", "rpa")})
text = (
    '{\n  "name": "standard_1005 (colin27)",\n'
    '  "unit": "metre",\n'
    f'  "fiducials": {fiducials},\n'
    f'  "electrodes": {{\n{lines}\n  }}\n}}\n'
)
(HERE.parents[2] / "ml/channels/template.json").write_text(text)

to_head = mne.channels.compute_native_head_t(montage)["trans"]
some = ["Fp1", "Cz", "C3", "T8", "Oz", "PO10", "AFF5h", "TTP8h"]
head = {n: [float(v) for v in (to_head @ np.append(positions["ch_pos"][n], 1))[:3]] for n in some}
sites = "Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2".split()
near = {
    site: min(float(np.linalg.norm(positions["ch_pos"][site] - positions["ch_pos"][c])) for c in ("C3", "Cz", "C4"))
    for site in sites
}
biosemi = mne.channels.make_standard_montage("biosemi64").ch_names
golden = {"mne": mne.__version__, "head": head, "nearest_of_C3_Cz_C4_metres": near, "biosemi64": biosemi}
(HERE / "electrode-head-frame.json").write_text(json.dumps(golden, indent=1) + "\n")
