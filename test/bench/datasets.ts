import { readImagery } from '../support/edf.ts';
import { toTrials } from '../support/recordings.ts';
import type { TaskKind, Trials } from '../../ml/types.ts';

/** Real trials in the sizes that speed is judged on. */
export interface SpeedSet {
  readonly name: string;
  readonly trials: Trials;
  readonly labels: readonly string[];
  /** The kind whose methods are run; the peers' table has the same kinds. */
  readonly kind: TaskKind;
}

const central = ['FC3', 'FCz', 'FC4', 'C5', 'C3', 'C1', 'Cz', 'C2', 'C4', 'C6', 'CP3', 'CPz', 'CP4'];

/** Left/right imagery of several EEGMMIDB subjects, one after the other: `seconds` of each trial, cut into as many pieces as there are. */
export function imageryTrials(
  count: number,
  seconds: number,
  channels?: readonly string[],
): { trials: Trials; labels: string[] } {
  const parts: Trials[] = [];
  const labels: string[] = [];
  for (let subject = 1, have = 0; have < count; subject++) {
    const recording = readImagery(`S00${((subject - 1) % 8) + 1}`);
    const whole = toTrials(recording, undefined, channels ?? recording.channels);
    for (let piece = 0; piece < Math.floor(4 / seconds) && have < count; piece++) {
      parts.push(cut(whole, piece * seconds * 256, seconds * 256));
      labels.push(...recording.labels);
      have += whole.trials;
    }
  }
  const [first] = parts;
  const data = new Float32Array(count * first!.channels * first!.samples);
  let at = 0;
  for (const part of parts) {
    data.set(part.data.subarray(0, Math.min(part.data.length, data.length - at)), at);
    at = Math.min(data.length, at + part.data.length);
  }
  return { trials: { ...first!, data, trials: count }, labels: labels.slice(0, count) };
}

function cut(trials: Trials, from: number, samples: number): Trials {
  const rows = trials.trials * trials.channels;
  const data = new Float32Array(rows * samples);
  for (let row = 0; row < rows; row++)
    data.set(trials.data.subarray(row * trials.samples + from, row * trials.samples + from + samples), row * samples);
  return { ...trials, data, samples };
}

export function speedSets(): SpeedSet[] {
  return [
    { name: '130 trials × 13 channels × 4 s, motor imagery', kind: 'motor', ...imageryTrials(130, 4, central) },
    { name: '200 trials × 64 channels × 1 s, ERP methods', kind: 'erp', ...imageryTrials(200, 1) },
    { name: '200 trials × 64 channels × 1 s, motor imagery', kind: 'motor', ...imageryTrials(200, 1) },
  ];
}
