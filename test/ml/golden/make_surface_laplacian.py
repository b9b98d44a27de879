"""Golden numbers of the surface Laplacian: python make_surface_laplacian.py > surface-laplacian.json (mne, numpy)."""

import json

import mne
import numpy as np

RADIUS = 0.095
CHANNELS = 12


def positions():
    """Points on the upper half of a sphere around the origin."""
    points = np.random.RandomState(0).randn(CHANNELS, 3)
    points[:, 2] = np.abs(points[:, 2])
    return np.round(points / np.linalg.norm(points, axis=1)[:, None] * RADIUS, 6)


def main():
    points = positions()
    names = [f"E{i}" for i in range(CHANNELS)]
    info = mne.create_info(names, 256.0, "eeg")
    info.set_montage(mne.channels.make_dig_montage(dict(zip(names, points)), coord_frame="head"))
    with info._unlock():
        info["custom_ref_applied"] = 1
    unit = mne.EvokedArray(np.eye(CHANNELS), info, verbose=False)
    density = mne.preprocessing.compute_current_source_density(
        unit, sphere=(0, 0, 0, RADIUS), lambda2=1e-5, stiffness=4, n_legendre_terms=50
    )
    print(json.dumps({
        "source": f"MNE {mne.__version__}, make_surface_laplacian.py",
        "radius": RADIUS,
        "positions": points.tolist(),
        "density": density.data.tolist(),
    }))


if __name__ == "__main__":
    main()
