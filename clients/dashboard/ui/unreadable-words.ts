import { reasonSentences, type ReasonCode } from '../../../ml/reason-sentences.ts';
import { wholeReaderOf } from '../../../ml/sentences.ts';

/** What a page says about a failure of the interface, and the page that helps. */
export interface FailureWords {
  readonly words: string;
  readonly help?: { readonly href: string; readonly words: string };
}

const windowStep = { href: '#step-signal', words: 'Change the window' };
const channelStep = { href: '#step-signal', words: 'Change the channels' };
const fileStep = { href: '#step-files', words: 'Choose another recording' };

interface Need {
  /** Reasons that say what a method asks for, and the value with the number. */
  readonly codes: readonly ReasonCode[];
  readonly value: 'needed' | 'most';
  /** Which method asks for the least. */
  readonly easiest: (...numbers: number[]) => number;
  readonly say: (number: number) => FailureWords;
}

/** Needs that a person can meet, those that are met most easily first. */
const needs: readonly Need[] = [
  {
    codes: ['seconds_at_least', 'seconds_of_other_people'],
    value: 'needed',
    easiest: Math.min,
    say: (seconds) => ({
      words: `The trials are too short: every method needs at least ${seconds} s. Choose a window of ${seconds} s or longer.`,
      help: windowStep,
    }),
  },
  {
    codes: ['seconds_at_most'],
    value: 'most',
    easiest: Math.max,
    say: (seconds) => ({
      words: `The trials are too long: no method reads more than ${seconds} s. Choose a window of ${seconds} s or shorter.`,
      help: windowStep,
    }),
  },
  {
    codes: ['channels_at_least', 'shared_channels', 'sites_at_least'],
    value: 'needed',
    easiest: Math.min,
    say: (channels) => ({
      words: `There are too few electrodes: every method needs at least ${channels}. Tick or name more of them.`,
      help: channelStep,
    }),
  },
  {
    codes: ['rate_at_least'],
    value: 'needed',
    easiest: Math.min,
    say: (rate) => ({
      words: `The sampling rate is too low: every method needs at least ${rate} Hz. Another recording is needed.`,
      help: fileStep,
    }),
  },
];

const readReason = wholeReaderOf(reasonSentences);

/** Words for trials that no method can read: the need that is met most easily, and what would meet it. */
export function unreadableWords(skipped: readonly { readonly reason: string }[]): FailureWords {
  const reasons = skipped.map(({ reason }) => readReason(reason));
  for (const { codes, value, easiest, say } of needs) {
    const numbers = reasons.flatMap(({ code, values }) =>
      code !== null && codes.includes(code) ? [Number(values[value])] : [],
    );
    if (numbers.length > 0) return say(easiest(...numbers));
  }
  return {
    words: 'No method can read these trials. A window of 1 to 4 s with three or more electrodes suits most tasks.',
    help: windowStep,
  };
}
