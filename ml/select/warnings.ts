import { mlLimits } from '../limits.ts';
import type { DatasetShape, Finding, TaskKind } from '../types.ts';

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
    return (
      `Trials of ${shown(seconds)} s are ${seconds < minSeconds ? 'short' : 'long'}: ${advice}. Trial ` +
      `duration can affect accuracy.`
    );
  },
  few_trials: ({ classes, trialsPerClass }) => {
    const few = classes.flatMap((name, i) =>
      trialsPerClass[i] < mlLimits.recommendedTrialsPerClass ? [`${name} ${trialsPerClass[i]}`] : [],
    );
    return few.length
      ? `Fewer than ${mlLimits.recommendedTrialsPerClass} trials in a class (${shortList(few)}): ` +
          `scores will be uncertain.`
      : null;
  },
  imbalance: ({ classes, trialsPerClass }) => {
    const most = Math.max(...trialsPerClass);
    const least = Math.min(...trialsPerClass);
    if (most < 2 * least) return null;
    return (
      `Classes are unbalanced (${classes[trialsPerClass.indexOf(most)]} ${most}, ` +
      `${classes[trialsPerClass.indexOf(least)]} ${least}): they are weighted, and the score is balanced accuracy.`
    );
  },
  motor_channels: ({ kind, channelNames }) => {
    const central = channelNames.filter((name) => /^(FC|C|CP)([1-6z])$/.test(name));
    return kind === 'motor' && central.length < 2
      ? `${central.length} of ${channelNames.length} channels lie over the motor cortex (FC, C and CP rows), ` +
          `which distinguishes motor tasks.`
      : null;
  },
  one_channel: ({ channelNames }) =>
    channelNames.length === 1
      ? `One channel (${channelNames[0]}): methods that compare channels are not tried; 3 or more channels ` +
        `usually score better.`
      : null,
  visual_channels: ({ frequenciesHz, channelNames }) => {
    const occipital = channelNames.filter((name) => /^(PO|O|I)[0-9z]/.test(name));
    return frequenciesHz && occipital.length === 0
      ? `None of the ${channelNames.length} channels lies over the visual cortex (PO, O and I rows): responses ` +
          `to ${frequenciesHz.map(shown).join(', ')} Hz flicker are strongest there.`
      : null;
  },
  frequency_resolution: ({ frequenciesHz = [], seconds }) => {
    const gaps = frequenciesHz.slice(1).map((frequency, at) => frequency - frequenciesHz[at]);
    const closest = Math.min(...gaps);
    return closest < 1 / seconds
      ? `Trials of ${shown(seconds)} s resolve ${shown(1 / seconds)} Hz, and two of the frequencies are ` +
          `${shown(closest)} Hz apart: trials of ${shown(1 / closest)} s or longer tell them apart better.`
      : null;
  },
  trials_per_session: ({ sessions, trials }) =>
    sessions > 1 && trials / sessions < 2
      ? `${trials} trials in ${sessions} sessions: with about one trial a session, whole sessions left out say ` +
        `little more than single trials.`
      : null,
  low_rate: ({ kind, sourceRateHz }) => {
    const neededHz = kind === 'erp' ? 50 : kind === 'motor' ? 70 : 64;
    return sourceRateHz < neededHz
      ? `At ${shown(sourceRateHz)} Hz nothing above ${shown(sourceRateHz / 2)} Hz was recorded: ${neededHz} Hz ` +
          `or more is advised for this kind of task.`
      : null;
  },
};

/** Advice from the shape alone. The estimate and the report both contain it. */
export const shapeFindings = (shape: DatasetShape): Finding[] =>
  Object.entries(checks).flatMap(([check, find]) => {
    const message = find(shape);
    return message === null ? [] : [{ check, message, change: null, remove: null }];
  });
