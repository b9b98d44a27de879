import { range } from '../../rows.ts';
import { pooled, withinEach } from './moments.ts';
import type { Standard } from './moments.ts';

/** Stretches in which one recording is cut where no other tells what it is read against. */
const stretches = 5;

/** What a lone trial is read against once a model is fitted: the recordings of the fit, or all its trials. */
export function standardOver(moments: Float64Array, width: number, recordings: readonly Int32Array[] | null): Standard {
  const parts = recordings ?? [range(moments.length / width)];
  return withinEach(parts.map((rows) => pooled(moments, width, rows)));
}

/**
 * What each trial of a fit is read against, as a lone trial is later: all other recordings. Where there is one
 * recording, or nobody named them, the trials outside the trial's own fifth. So nothing of a held-out recording is
 * known where it is scored.
 */
export function standingAlone(
  moments: Float64Array,
  width: number,
  recordings: readonly Int32Array[] | null,
): readonly { readonly rows: Int32Array; readonly standard: Standard }[] {
  const trials = moments.length / width;
  const named = recordings !== null && recordings.length > 1;
  const parts = named ? recordings : cut(trials);
  if (parts.length === 1) return [{ rows: parts[0], standard: pooled(moments, width, parts[0]) }];
  const each = parts.map((rows) => pooled(moments, width, rows));
  return parts.map((rows, own) => {
    const others = each.filter((_, part) => part !== own);
    if (named) return { rows, standard: withinEach(others) };
    const inside = new Set(rows);
    return {
      rows,
      standard: pooled(
        moments,
        width,
        range(trials).filter((row) => !inside.has(row)),
      ),
    };
  });
}

/** Rows in stretches of about equal length. */
function cut(trials: number): readonly Int32Array[] {
  const count = Math.min(stretches, trials);
  return Array.from({ length: count }, (_, part) =>
    range(trials).subarray(Math.floor((part * trials) / count), Math.floor(((part + 1) * trials) / count)),
  );
}
