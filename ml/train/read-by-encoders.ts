import { weightsOf } from '../encoders/ids.ts';
import { inTime } from '../encoders/in-time.ts';
import { encodeTrials, encodingSeconds, familyOf, trialsAt, withEncoded } from '../features/index.ts';
import type { Reading } from '../features/index.ts';
import type { Encoded } from '../methods/types.ts';
import type { Trials } from '../types.ts';
import { tryDear } from './try-dear.ts';
import type { TrainingData } from './types.ts';

/**
 * Seconds that one encoder may take of a create beforehand: about what all other candidates of a usual create take
 * together. One that would take longer is tried on the first fold first.
 */
const shareSeconds = 2;
/** The longest that one encoder may take: several of them leave time enough to extract the features of a fit. */
const longestSeconds = 150;

/**
 * Training data with what encoders make of their trials: `sets` by encoder, each timed. An encoder that fails, or takes
 * more than `longest` seconds, loses its own candidates and nothing else; one that would take more than its `share` of
 * the create's time (`Encoder.secondsOf`) and cannot catch up by the first fold is dropped: `TrainingData.encoded` says
 * why.
 */
export async function readByEncoders(
  data: TrainingData,
  trials: Trials,
  sets: readonly string[],
  { encoders, ...context }: Reading,
  share = shareSeconds,
  longest = longestSeconds,
): Promise<TrainingData> {
  const encoded: Record<string, Encoded> = {};
  let { features } = data;
  for (const { id } of weightsOf(sets)) {
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    const reading = { ...context, encoders: inTime(encoders, longest) };
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
      encoded[id] = { seconds: seconds(), lost: error instanceof Error ? error.message : String(error) };
    }
  }
  return sets.length ? { ...data, features, encoded } : data;
}
