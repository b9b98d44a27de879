import type { Recording } from './recording.ts';
import { marksBad } from './rules.ts';

/** Why a trial is left out: it reaches past an end, lies across a pause, or overlaps a part that is marked as bad. */
export type Loss = 'end' | 'pause' | 'bad';

export type Losses = Readonly<Record<Loss, number>>;

/** Tells why a trial is left out (its first sample and its length); null: it is whole. Time: logarithmic. */
export type LossOf = (from: number, samples: number) => Loss | null;

/**
 * Looks up losses in a recording of `total` samples. Texts in `classes` were chosen as events, so they do not mark bad
 * parts.
 */
export function findLosses(
  { gaps, annotations }: Pick<Recording, 'gaps' | 'annotations'>,
  { rateHz, total, classes }: { readonly rateHz: number; readonly total: number; readonly classes: object },
): LossOf {
  const pauses = gaps.map(({ at }) => Math.round(at * rateHz));
  const bad: { from: number; to: number }[] = [];
  for (const { onset, duration, text } of annotations) {
    if (!marksBad(text) || Object.hasOwn(classes, text)) continue;
    const from = Math.round(onset * rateHz);
    const to = Math.max(from + 1, Math.round((onset + duration) * rateHz));
    const last = bad.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else bad.push({ from, to });
  }
  const badFrom = bad.map((each) => each.from);
  return (from, samples) => {
    const to = from + samples;
    if (from < 0 || to > total) return 'end';
    const pause = pauses[firstAbove(pauses, from)];
    if (pause !== undefined && pause < to) return 'pause';
    const before = bad[firstAbove(badFrom, to - 1) - 1];
    return before && before.to > from ? 'bad' : null;
  };
}

/** Index of the first number above `value` in ascending numbers. */
function firstAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A sentence for each kind of loss. `file`: its name in the sentence. */
export function sentencesOf(losses: Losses, chosen: number, file: string): string[] {
  const words: Readonly<Record<Loss, string>> = {
    end: `reach past the beginning or end of ${file}`,
    pause: `lie across a pause of ${file}`,
    bad: `overlap parts of ${file} that are marked as bad`,
  };
  return (['end', 'pause', 'bad'] as const)
    .filter((loss) => losses[loss] > 0)
    .map((loss) => `${losses[loss]} of ${chosen} trials ${words[loss]} and are left out.`);
}
