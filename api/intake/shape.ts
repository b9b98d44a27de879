import { count } from '../../infra/contract/quote.ts';
import { limits } from '../../infra/contract/limits.ts';
import { times, type Problem } from './problems.ts';

export type Shape = readonly [trials: number, channels: number, samples: number];

/**
 * The result of reading `x`: its shape if it has one, and the scaled numbers [trials × channels × samples] if all are
 * valid.
 */
export interface Numbers {
  readonly shape: Shape | null;
  readonly data: Float32Array | null;
  readonly problems: readonly Problem[];
}

/** The limit of 4,000,000 numbers, before resampling. */
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

/** The limit of 4,096 trials. `counted` explains that trials of several windows count more than once. */
export const tooManyTrials = (trials: number, counted = ''): Problem => ({
  field: 'x',
  message:
    `x has ${count(trials)} trials${counted}; at most ${count(limits.windowsPerRequest)} are allowed in one ` +
    `request. Send them over several requests (\`defer_fit\`).`,
});

export interface NumbersInput {
  readonly x: unknown;
  /** `shape` of the request if it is valid. */
  readonly shape: Shape | null;
  /** Microvolts per unit sent. */
  readonly scale: number;
  readonly channels: number | null;
  readonly labels: number | null;
}
