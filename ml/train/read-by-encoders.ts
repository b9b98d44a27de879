import { weightsOf } from '../encoders/ids.ts';
import { withOwnTime, withTimeLimit } from '../encoders/timed-encoders.ts';
import { encodeTrials, encodingSeconds, familyOf, trialsAt, withEncoded } from '../features/index.ts';
import type { Reading } from '../features/index.ts';
import type { EncoderOutcome } from '../methods/types.ts';
import type { Trials } from '../types.ts';
import { trySlowEncoder } from './try-slow-encoder.ts';
import type { TrainingData } from './types.ts';

/**
 * Time budget of one encoder before the candidates are scored, seconds: about the time of all other candidates of a
 * usual create, and half of LaBraM's time for the largest create. An encoder that would take longer is first tried on
 * the first fold.
 */
const budgetSeconds = 1;
/**
 * Time limit of one encoder, seconds. Several encoders at this limit leave enough time to extract the features of a
 * fit.
 */
const limitSeconds = 150;

interface Rules {
  /** Time budget of one encoder, seconds. */
  readonly budget?: number;
  /** Time limit of one encoder, seconds, with its waits for others. */
  readonly limit?: number;
  /** True for a temporary error that the encoder did not cause. It is rethrown, so that everything is retried. */
  readonly isTemporary?: (error: unknown) => boolean;
}

/**
 * Training data with the encoders' features: `sets` by encoder, each timed without its waits for others. An encoder
 * that fails, or takes more than `limit` seconds, loses only its own candidates. One that would take more than its
 * `budget` of the create's time (`Encoder.secondsOf`) and cannot catch up on the first fold is dropped;
 * `TrainingData.encoded` gives the reason.
 */
export async function readByEncoders(
  data: TrainingData,
  trials: Trials,
  sets: readonly string[],
  context: Reading,
  { budget = budgetSeconds, limit = limitSeconds, isTemporary = () => false }: Rules = {},
): Promise<TrainingData> {
  const encoded: Record<string, EncoderOutcome> = {};
  let { features } = data;
  for (const { id } of weightsOf(sets)) {
    const { encoders, seconds } = withOwnTime(withTimeLimit(context.encoders, limit));
    const reading = { ...context, encoders };
    const own = sets.filter((set) => familyOf(set) === id);
    const whole = encodingSeconds(own, trials.trials, features.shape);
    try {
      const dropped =
        whole > budget
          ? await trySlowEncoder(
              data,
              (rows) => encodeTrials(trialsAt(trials, rows), own, { ...reading, recordings: null }),
              Math.floor((budget / whole) * trials.trials),
              whole,
            )
          : [];
      if (dropped.length === 0) features = withEncoded(features, await encodeTrials(trials, own, reading));
      encoded[id] = {
        seconds: seconds(),
        ...(dropped.length > 0 && { dropped, lost: `The encoder was dropped. ${dropped[0].reason}` }),
      };
    } catch (error) {
      if (isTemporary(error)) throw error;
      encoded[id] = { seconds: seconds(), lost: error instanceof Error ? error.message : String(error) };
    }
  }
  return sets.length ? { ...data, features, encoded } : data;
}
