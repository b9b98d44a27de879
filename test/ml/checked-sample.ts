import { checkTrials, type Checked } from '../../ml/checks/index.ts';
import type { Trials } from '../../ml/types.ts';
import { simulated } from './simulated.ts';

/** 20 clean trials of 6 channels that the checks find nothing in, changes of them, and what the checks then find. */
export const sample = simulated({ count: 20, channels: 6 });
export const { channels, samples } = sample.trials;
export const size = channels * samples;
export const labels = sample.labels;

type Change = (value: number, trial: number, channel: number, i: number) => number;
export const changed = (change: Change): Trials => ({
  ...sample.trials,
  data: sample.trials.data.map((value, at) =>
    change(value, Math.floor(at / size), Math.floor(at / samples) % channels, at % samples),
  ),
});
export const copied = (copy: (data: Float32Array) => void): Trials => {
  const data = sample.trials.data.slice();
  copy(data);
  return { ...sample.trials, data };
};
export const found = (trials: Trials, more: Partial<Checked> = {}) =>
  checkTrials({ trials, labels, whole: true, ...more });
export const finding = (check: string, trials: Trials, more: Partial<Checked> = {}) =>
  found(trials, more).find((each) => each.check === check);
