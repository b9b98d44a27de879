/** What a page says about a failure of the interface, and the page that helps. */
export interface FailureWords {
  readonly words: string;
  readonly help?: { readonly href: string; readonly words: string };
}

const windowStep = { href: '#step-signal', words: 'Change the window' };
const channelStep = { href: '#step-signal', words: 'Change the channels' };
const fileStep = { href: '#step-files', words: 'Choose another recording' };

interface Need {
  /** The number that a method asks for. */
  readonly asks: RegExp;
  /** Which method asks for the least. */
  readonly easiest: (...numbers: number[]) => number;
  readonly say: (number: number) => FailureWords;
}

/** Needs that a person can meet, those that are met most easily first. */
const needs: readonly Need[] = [
  {
    asks: /needs trials of at least ([\d.]+) s/,
    easiest: Math.min,
    say: (seconds) => ({
      words: `The trials are too short: every method needs at least ${seconds} s. Choose a window of ${seconds} s or longer.`,
      help: windowStep,
    }),
  },
  {
    asks: /reads trials of at most ([\d.]+) s/,
    easiest: Math.max,
    say: (seconds) => ({
      words: `The trials are too long: no method reads more than ${seconds} s. Choose a window of ${seconds} s or shorter.`,
      help: windowStep,
    }),
  },
  {
    asks: /needs at least (\d+) (?:channels|sites)/,
    easiest: Math.min,
    say: (channels) => ({
      words: `There are too few electrodes: every method needs at least ${channels}. Tick or name more of them.`,
      help: channelStep,
    }),
  },
  {
    asks: /needs a sampling rate of at least ([\d.]+) Hz/,
    easiest: Math.min,
    say: (rate) => ({
      words: `The sampling rate is too low: every method needs at least ${rate} Hz. Another recording is needed.`,
      help: fileStep,
    }),
  },
];

/** Words for trials that no method can read: the need that is met most easily, and what would meet it. */
export function unreadableWords(skipped: readonly { readonly reason: string }[]): FailureWords {
  for (const { asks, easiest, say } of needs) {
    const numbers = skipped.flatMap(({ reason }) => {
      const found = asks.exec(reason)?.[1];
      return found === undefined ? [] : [Number(found)];
    });
    if (numbers.length > 0) return say(easiest(...numbers));
  }
  return {
    words: 'No method can read these trials. A window of 1 to 4 s with three or more electrodes suits most tasks.',
    help: windowStep,
  };
}
