import { findLosses } from '../../../../infra/recordings/lost-trials.ts';
import type { Annotation, Gap } from '../../../../infra/recordings/recording.ts';

/** Text of an event → its class; empty: the class is not known. Events that are not listed are left out. */
export type Meanings = Readonly<Record<string, string>>;

/** Where the trials of a recording begin. */
export type Starts =
  | {
      readonly kind: 'events';
      readonly meanings: Meanings;
      /** Seconds from the event to the beginning of the trial. */
      readonly from: number;
    }
  | {
      readonly kind: 'every';
      /** Seconds from one beginning to the next. */
      readonly step: number;
      /** A trial has the class of the event that lasts over its middle, as in a scored night. */
      readonly meanings: Meanings;
    };

/** Most trials that are labelled in one go. Their answers stay in the page. */
export const mostTrials = 50_000;

export interface FoundStarts {
  /** First sample of each trial, in order of time. */
  readonly at: readonly number[];
  /** The class that the event names; null: not known. */
  readonly truth: readonly (string | null)[];
  /** Trials that reach past an end of the recording, lie across a pause or overlap a part that is marked as bad. */
  readonly cutOff: number;
}

interface Within {
  readonly annotations: readonly Annotation[];
  readonly gaps: readonly Gap[];
  readonly rateHz: number;
  /** Samples of the recording. */
  readonly total: number;
  /** Samples of a trial. */
  readonly samples: number;
}

/** Beginnings of all whole trials. Throws an Error with a text for people if there are none, or too many. */
export function findStarts(starts: Starts, within: Within): FoundStarts {
  const found = starts.kind === 'events' ? atEvents(starts, within) : everyStep(starts, within);
  if (found.at.length === 0)
    throw new Error(
      found.cutOff > 0
        ? 'Every trial reaches past the beginning or the end of the recording. Begin the trials at another time.'
        : starts.kind === 'events'
          ? 'No event is chosen. Choose at least one kind of event, or take a trial every few seconds.'
          : 'The recording is shorter than one trial.',
    );
  return found;
}

const tooMany = (count: number): Error =>
  new Error(`These are ${count} trials. At most ${mostTrials} can be labelled in one go: choose fewer of them.`);

function atEvents({ meanings, from }: Extract<Starts, { kind: 'events' }>, within: Within): FoundStarts {
  const { annotations, rateHz, samples } = within;
  const lossOf = findLosses(within, { ...within, classes: meanings });
  const chosen = annotations.filter(({ text }) => Object.hasOwn(meanings, text));
  if (chosen.length > mostTrials) throw tooMany(chosen.length);
  const whole = chosen
    .map(({ onset, text }) => ({ at: Math.round((onset + from) * rateHz), truth: meanings[text] || null }))
    .filter(({ at }) => lossOf(at, samples) === null);
  return {
    at: whole.map(({ at }) => at),
    truth: whole.map(({ truth }) => truth),
    cutOff: chosen.length - whole.length,
  };
}

function everyStep({ step, meanings }: Extract<Starts, { kind: 'every' }>, within: Within): FoundStarts {
  const { annotations, rateHz, total, samples } = within;
  const count = total < samples ? 0 : Math.floor((total - samples) / (step * rateHz) + 1e-9) + 1;
  if (count > mostTrials) throw tooMany(count);
  const lossOf = findLosses(within, { ...within, classes: meanings });
  const at = Array.from({ length: count }, (_, i) => Math.round(i * step * rateHz)).filter(
    (from) => lossOf(from, samples) === null,
  );
  const lasting = annotations.filter(({ text, duration }) => duration > 0 && Object.hasOwn(meanings, text));
  let next = 0;
  let current: Annotation | null = null;
  const truth = at.map((from) => {
    const middle = (from + samples / 2) / rateHz;
    while (next < lasting.length && lasting[next].onset <= middle) current = lasting[next++];
    return current && middle < current.onset + current.duration ? meanings[current.text] || null : null;
  });
  return { at, truth, cutOff: count - at.length };
}
