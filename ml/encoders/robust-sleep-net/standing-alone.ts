import { range } from '../../rows.ts';
import { pooled } from './moments.ts';

/** Stretches in which one recording is cut where no other tells what it is read against. */
const stretches = 5;

/**
 * What each trial of a fit is read against, as a lone trial is later: the moments of the trials of all other
 * recordings. Where there is one recording, or nobody named them, those outside the trial's own fifth of the trials. So
 * nothing of a held-out recording is known where it is scored.
 */
export function standingAlone(
  moments: Float64Array,
  width: number,
  recordings: readonly Int32Array[] | null,
): readonly { readonly rows: Int32Array; readonly standard: Float64Array }[] {
  const trials = moments.length / width;
  const parts = recordings && recordings.length > 1 ? recordings : cut(trials);
  const whole = pooled(moments, width, range(trials));
  return parts.map((rows) => {
    const others = trials - rows.length;
    if (others === 0) return { rows, standard: whole };
    const own = pooled(moments, width, rows);
    const standard = whole.map((value, j) => (value * trials - own[j] * rows.length) / others);
    return { rows, standard };
  });
}

/** Rows in stretches of about equal length. */
function cut(trials: number): readonly Int32Array[] {
  const count = Math.min(stretches, trials);
  return Array.from({ length: count }, (_, part) =>
    range(trials).subarray(Math.floor((part * trials) / count), Math.floor(((part + 1) * trials) / count)),
  );
}
