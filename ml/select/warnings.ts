import { mlLimits } from '../limits.ts';
import type { DatasetShape, Finding, TaskKind } from '../types.ts';
import { warningSentence } from '../warning-sentences.ts';

interface LengthAdvice {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  readonly advice: string;
}

/** Recommended epochs (spec, "Input conventions", Epoching). */
const lengths: Readonly<Record<TaskKind, LengthAdvice>> = {
  erp: {
    minSeconds: 0.6,
    maxSeconds: 2,
    advice: '0 to 1 s after the stimulus is recommended for event-related potentials',
  },
  motor: {
    minSeconds: 2,
    maxSeconds: 8,
    advice: '0 to 4 s after the cue is recommended for motor tasks (1 to 4 s omits the response to the cue itself)',
  },
  sleep: { minSeconds: 20, maxSeconds: 60, advice: '30 s scoring epochs are recommended for sleep staging' },
  other: {
    minSeconds: 1,
    maxSeconds: 60,
    advice: 'at least 1 s, better 2 to 4 s, is recommended where the task has no usual epoch',
  },
};

/** The first ten names of a list, and the number of the others. */
const shortList = (names: readonly string[]): string =>
  names.slice(0, 10).join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '');

const shown = (value: number): string => String(Math.round(value * 100) / 100);

/** Checks by name. Each returns null or one sentence with numbers. */
const checks: Readonly<Record<string, (shape: DatasetShape) => string | null>> = {
  length: ({ kind, seconds }) => {
    const { minSeconds, maxSeconds, advice } = lengths[kind];
    if (seconds >= minSeconds - 1e-6 && seconds <= maxSeconds + 1e-6) return null;
    return warningSentence('length', {
      seconds: shown(seconds),
      short: seconds < minSeconds ? 'short' : 'long',
      advice,
    });
  },
  few_trials: ({ classes, trialsPerClass }) => {
    const few = classes.flatMap((name, i) =>
      trialsPerClass[i] < mlLimits.recommendedTrialsPerClass ? [`${name} ${trialsPerClass[i]}`] : [],
    );
    return few.length
      ? warningSentence('few_trials', {
          recommended: mlLimits.recommendedTrialsPerClass,
          classes: shortList(few),
        })
      : null;
  },
  imbalance: ({ classes, trialsPerClass }) => {
    const most = Math.max(...trialsPerClass);
    const least = Math.min(...trialsPerClass);
    if (most < 2 * least) return null;
    return warningSentence('imbalance', {
      most: `${classes[trialsPerClass.indexOf(most)]} ${most}`,
      least: `${classes[trialsPerClass.indexOf(least)]} ${least}`,
    });
  },
  motor_channels: ({ kind, channelNames }) => {
    const central = channelNames.filter((name) => /^(FC|C|CP)([1-6z])$/.test(name));
    return kind === 'motor' && central.length < 2
      ? warningSentence('motor_channels', { count: central.length, channels: channelNames.length })
      : null;
  },
  one_channel: ({ channelNames }) =>
    channelNames.length === 1 ? warningSentence('one_channel', { channel: channelNames[0] }) : null,
  visual_channels: ({ frequenciesHz, channelNames }) => {
    const occipital = channelNames.filter((name) => /^(PO|O|I)[0-9z]/.test(name));
    return frequenciesHz && occipital.length === 0
      ? warningSentence('visual_channels', {
          channels: channelNames.length,
          frequencies: frequenciesHz.map(shown).join(', '),
        })
      : null;
  },
  frequency_resolution: ({ frequenciesHz = [], seconds }) => {
    const gaps = frequenciesHz.slice(1).map((frequency, at) => frequency - frequenciesHz[at]);
    const closest = Math.min(...gaps);
    return closest < 1 / seconds
      ? warningSentence('frequency_resolution', {
          seconds: shown(seconds),
          resolved: shown(1 / seconds),
          apart: shown(closest),
          needed: shown(1 / closest),
        })
      : null;
  },
  trials_per_session: ({ sessions, trials }) =>
    sessions > 1 && trials / sessions < 2 ? warningSentence('trials_per_session', { trials, sessions }) : null,
  low_rate: ({ kind, sourceRateHz }) => {
    const neededHz = kind === 'erp' ? 50 : kind === 'motor' ? 70 : 64;
    return sourceRateHz < neededHz
      ? warningSentence('low_rate_for_task', {
          rate: shown(sourceRateHz),
          highest: shown(sourceRateHz / 2),
          needed: neededHz,
        })
      : null;
  },
};

/** Names of the checks, as in `Finding.check`. */
export const checksOfShape: readonly string[] = Object.keys(checks);

/** Advice from the shape alone. The estimate and the report both contain it. */
export const shapeFindings = (shape: DatasetShape): Finding[] =>
  Object.entries(checks).flatMap(([check, find]) => {
    const message = find(shape);
    return message === null ? [] : [{ check, message, change: null, remove: null }];
  });
