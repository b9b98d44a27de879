import { count } from '../../infra/contract/quote.ts';
import { limits } from '../../infra/contract/limits.ts';
import { times, type Problem } from './problems.ts';

export type Shape = readonly [trials: number, channels: number, samples: number];

/**
 * `x` as read: its shape where it has one, the scaled numbers [trials × channels × samples] where all of them are
 * good.
 */
export interface Numbers {
  readonly shape: Shape | null;
  readonly data: Float32Array | null;
  readonly problems: readonly Problem[];
}

/** The 4,000,000-number limit as sent. */
export function tooLarge(shape: Shape): Problem | null {
  const numbers = shape[0] * shape[1] * shape[2];
  if (numbers <= limits.numbersPerRequest) return null;
  return {
    field: 'x',
    code: 'PAYLOAD_TOO_LARGE',
    message:
      `x has ${times(shape)} = ${count(numbers)} numbers; at most ${count(limits.numbersPerRequest)} are ` +
      `allowed in one request. Send fewer trials at a time (with \`defer_fit\` over several requests), or ` +
      'shorter ones.',
  };
}

/** The limit of 4,096 trials; `counted` says how a trial of several windows counts. */
export const tooManyTrials = (trials: number, counted = ''): Problem => ({
  field: 'x',
  message:
    `x has ${count(trials)} trials${counted}; at most ${count(limits.windowsPerRequest)} are allowed in one ` +
    `request. Send them over several requests (\`defer_fit\`).`,
});

export interface NumbersInput {
  readonly x: unknown;
  /** `shape` of the request where it is valid. */
  readonly shape: Shape | null;
  /** Microvolts per unit sent. */
  readonly scale: number;
  readonly channels: number | null;
  readonly labels: number | null;
}
