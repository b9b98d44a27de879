import { artefacts, leastTimes } from '../evidence/artefacts.ts';
import { stepsOf } from '../signal/index.ts';
import { deadTrials } from './dead-trials.ts';
import { loud, loudTrials } from './loud-trials.ts';
import { shortList } from './statistics.ts';
import { willFail } from './trials-left.ts';
import type { Check, Checked } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Trials with moderate artefacts: see `artefacts`. Trials in `gone` are already left out. */
function restlessTrials({ trials, labels = [], sessions }: Checked, gone: readonly number[]): number[] {
  const { data, channels, samples, rateHz } = trials;
  const numbers = (names: readonly (string | null)[]): Int32Array => {
    const kinds = [...new Set(names)];
    return Int32Array.from(names, (name) => kinds.indexOf(name));
  };
  const steps = stepsOf(data, trials.trials * channels, samples, rateHz).map((step) => Math.log(step));
  const rows = Int32Array.from(labels.keys()).filter((row) => !gone.includes(row));
  const loudness = { steps, channels, labels: numbers(labels), sessions: sessions ? numbers(sessions) : null };
  return [...artefacts(loudness, rows)];
}

/** Trials with artefacts: those that a fit leaves out, and those from which it does not learn. */
export const loudArtefacts: Check = (checked) => {
  const { trials } = checked;
  const gone = trials.flat ?? deadTrials(trials);
  const lost = loudTrials(trials);
  const restless = restlessTrials(checked, gone);
  if (lost.length + restless.length === 0) return null;
  const seen = (found: readonly number[]) => ({
    count: found.length,
    trials: trials.trials,
    which: shortList(found),
  });
  const sentences = [
    ...(lost.length > 0
      ? [
          warningSentence('loud_trials', { ...seen(lost), times: loud }),
          willFail(checked, gone) ?? warningSentence('loud_left_out', {}),
        ]
      : []),
    ...(restless.length > 0 ? [warningSentence('restless_trials', { ...seen(restless), times: leastTimes })] : []),
  ];
  return {
    message: sentences.join(' '),
    change: null,
    remove: { channels: [], trials: [...lost, ...restless].sort((a, b) => a - b) },
  };
};
