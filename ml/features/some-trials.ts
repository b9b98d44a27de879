import { joinFingerprints } from '../fingerprints.ts';
import type { Trials } from '../types.ts';

/** The trials at `rows`, in that order. */
export function trialsAt({ flat: _flat, fingerprints: prints, ...trials }: Trials, rows: Int32Array): Trials {
  const size = trials.channels * trials.samples;
  const data = new Float32Array(rows.length * size);
  rows.forEach((row, at) => data.set(trials.data.subarray(row * size, (row + 1) * size), at * size));
  const fingerprints = prints && joinFingerprints([{ prints, rows }]);
  return { ...trials, data, trials: rows.length, ...(fingerprints ? { fingerprints } : {}) };
}

/** The trials with zeros in the channels `silent`. Returns the trials themselves if none of their channels is named. */
export function silenced(trials: Trials, silent: readonly string[]): Trials {
  const { channels, samples, channelNames } = trials;
  const rows = channelNames.flatMap((name, c) => (silent.includes(name) ? [c] : []));
  if (rows.length === 0) return trials;
  const data = trials.data.slice();
  for (let t = 0; t < trials.trials; t += 1)
    for (const c of rows) data.fill(0, (t * channels + c) * samples, (t * channels + c + 1) * samples);
  return { ...trials, data, silent: rows.map((c) => channelNames[c]) };
}
