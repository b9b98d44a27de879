import { weightsOf } from '../encoders/ids.ts';
import { inTime } from '../encoders/in-time.ts';
import { ownTime } from '../encoders/own-time.ts';
import { encodeTrials, encodingSeconds, familyOf, trialsAt, withEncoded } from '../features/index.ts';
import type { Reading } from '../features/index.ts';
import type { EncoderOutcome } from '../methods/types.ts';
import type { Trials } from '../types.ts';
import { tryDear } from './try-dear.ts';
import type { TrainingData } from './types.ts';

/**
 * Seconds that one encoder may take of a create beforehand: about what all other candidates of a usual create take
 * together, and half of what LaBraM would take of the largest. One that would take longer is tried on the first fold
 * first.
 */
const shareSeconds = 1;
/** The longest that one encoder may take: several of them leave time enough to extract the features of a fit. */
const longestSeconds = 150;

interface Rules {
  /** Seconds that one encoder may take beforehand. */
  readonly share?: number;
  /** Seconds that one encoder may take in all, with its waits for others. */
  readonly longest?: number;
  /** Whether an error is no fault of the encoder's, so that the whole is to be tried again: it is thrown on. */
  readonly isPassing?: (error: unknown) => boolean;
}

/**
 * Training data with what encoders make of their trials: `sets` by encoder, each timed without its waits for others. An
 * encoder that fails, or takes more than `longest` seconds, loses its own candidates and nothing else; one that would
 * take more than its `share` of the create's time (`Encoder.secondsOf`) and cannot catch up by the first fold is
 * dropped: `TrainingData.encoded` says why.
 */
export async function readByEncoders(
  data: TrainingData,
  trials: Trials,
  sets: readonly string[],
  context: Reading,
  { share = shareSeconds, longest = longestSeconds, isPassing = () => false }: Rules = {},
): Promise<TrainingData> {
  const encoded: Record<string, EncoderOutcome> = {};
  let { features } = data;
  for (const { id } of weightsOf(sets)) {
    const { encoders, seconds } = ownTime(inTime(context.encoders, longest));
    const reading = { ...context, encoders };
    const own = sets.filter((set) => familyOf(set) === id);
    const whole = encodingSeconds(own, trials.trials, features.shape);
    try {
      const dropped =
        whole > share
          ? await tryDear(
              data,
              (rows) => encodeTrials(trialsAt(trials, rows), own, { ...reading, recordings: null }),
              Math.floor((share / whole) * trials.trials),
              whole,
            )
          : [];
      if (dropped.length === 0) features = withEncoded(features, await encodeTrials(trials, own, reading));
      encoded[id] = {
        seconds: seconds(),
        ...(dropped.length > 0 && { dropped, lost: `The encoder was dropped. ${dropped[0].reason}` }),
      };
    } catch (error) {
      if (isPassing(error)) throw error;
      encoded[id] = { seconds: seconds(), lost: error instanceof Error ? error.message : String(error) };
    }
  }
  return sets.length ? { ...data, features, encoded } : data;
}
