"""Writes docs/movement-network.md from the card. Needs the standard library only: python page.py"""

import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[3] / "docs/movement-network.md"

HEADS = {
    "left_right_imagined": "Left or right fist, imagined",
    "left_right_executed": "Left or right fist, moved",
    "movement_rest": "Movement or imagery against rest",
    "fists_feet_imagined": "Both fists or both feet, imagined",
}
MONTAGES = {
    "all": "24 or more, over the whole head",
    "cap32": "26 of a usual cap with 32",
    "fixed19": "17 of the fixed 19 (without Fp1 and Fp2)",
    "central21": "21 over the motor cortex",
    "headset14": "14 of a headset (AF3 to AF4)",
    "other16": "16 others, without C3, C4 and Cz",
    "central8": "8 around and at C3 and C4",
    "central3": "C3, Cz, C4",
    "central2": "C3, C4",
}
WAYS = {"batch": "batch", "own30": "30 own trials", "own15": "15 own trials", "alone": "alone"}


def percent(value: float) -> str:
    # Ties go up, as in `toFixed` of JavaScript.
    return str(Decimal(100 * value).quantize(Decimal("0.1"), ROUND_HALF_UP))


def cell(row: dict | None) -> str:
    """`78.7 ± 1.4`: mean and standard error over people, per cent."""
    return f"{percent(row['balancedAccuracy'])} ± {percent(row['standardError'])}" if row else "–"


def table(card: dict, head: str) -> str:
    rows = {(row["montage"], row["align"]): row for row in card["scores"] if row["head"] == head}
    ways = [way for way in WAYS if any(align == way for _, align in rows)]
    lines = ["| electrodes | " + " | ".join(WAYS[way] for way in ways) + " |", "|---|" + "---|" * len(ways)]
    for montage, words in MONTAGES.items():
        if not any(name == montage for name, _ in rows):
            continue
        lines.append(f"| {words} | " + " | ".join(cell(rows.get((montage, way))) for way in ways) + " |")
    people = {way: rows["all", way]["people"] for way in ways}
    counts = sorted(set(people.values()))
    note = f"{counts[-1]} people" if len(counts) == 1 else f"{people['batch']} people; {people['own30']} have all runs"
    return f"### {HEADS[head]} ({note})\n\n" + "\n".join(lines)


def page(card: dict) -> str:
    heads, data = card["heads"], card["data"]
    people = "\n".join(f"| {HEADS[name]} | {head['people']} | {head['trials']} |" for name, head in heads.items())
    tables = "\n\n".join(table(card, head) for head in heads)
    bands = ", ".join(f"{low}–{high}" for low, high in card["bands"])
    return f"""# The movement network

The service contains a network that has learned from other people how the brain moves a hand and imagines it. It can
classify your trials before you have any labels, and it helps models with few trials. The trainer writes this page from
the model card, `ml/encoders/movement/card.json`.

## What it reads

- Trials of {card["seconds"][0]} to {card["seconds"][1]} s that begin with the movement, the imagery or the rest. It has
  learned from trials of 4 s, and reads trials of 2 s about as well. Trials over 4 s have not been measured.
- Two or more electrodes of the 10-20 or 10-10 system. It knows {len(card["sites"])} sites and uses at most
  {card["mostSites"]} of yours. It does not read the frontal pole (Fp1, Fpz, Fp2, AF7, AF8), where eye movements are
  strongest.
- Only the power of rhythms, in {len(card["windows"])} parts of the trial. It reads {len(card["bands"])} bands: {bands} Hz.

## What it answers

| task | people who trained it | trials |
|---|---|---|
{people}

## What it is not for

- Not for medical use. It has not been tested with patients, and nothing here says that it works for them.
- Not for other tasks, such as speech, sleep, attention or emotion.
- Not as a measure of a person. It is near chance for some people, as the ranges in the card show.
- Left and right depend on the labels of your recording. If your own trials contradict the network, check whether left
  and right are swapped.
- In its training data a target stood on the side of the fist. Looks and attention to that side can be part of what it
  has learned.

## How well it works

Balanced accuracy in per cent (chance is 50), mean ± standard error over people. Each person was scored by a network
that did not see this person. The service averages {card["networks"]} networks. If a create recognises your trials as those of a
person in their training data, it uses only the networks that did not see this person. It compares your trials with
sketches of these people, which come with the weights. The page `/docs/fooling` says how many are recognised.

- **batch**: the trials of a recording are recentred by their own mean (`align: "batch"`).
- **30 own trials**, **15 own trials**: the last recording, recentred by the person's first 30 or 15 trials. Their
  labels are not used.
- **alone**: each trial by itself, and nothing else is known of the person (`align: "none"` without own trials).

{tables}

The people are volunteers of one laboratory with one amplifier. Expect less with other devices and instructions. With own
labelled trials the service measures the network on them, and uses it only where it helps.

## Data and licence

{data["name"]} {data["version"]}: {data["recordings"]} recordings of {data["people"]} people (S002 to S060),
{data["trials"]} trials. S001 and the people above S060 were not used.

The data are available under the [{data["licence"]["name"]}]({data["licence"]["url"]}) from
[PhysioNet]({data["home"]}). Please cite:

{chr(10).join(f"- {each}" for each in data["citations"])}

The weights were trained by this project. File: `ml/encoders/movement/weights.safetensors`, {card["bytes"]} bytes,
SHA-256 `{card["sha256"]}`. The sketches of the training people are in `people.safetensors` beside it,
{card["people"]["bytes"]} bytes, SHA-256 `{card["people"]["sha256"]}`. The signal cannot be recovered from them.
`ml/encoders/movement/trainer/README.md` makes both again.
"""


if __name__ == "__main__":
    PAGE.write_text(page(json.loads((HERE.parent / "card.json").read_text())))
