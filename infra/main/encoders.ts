import { availableParallelism } from 'node:os';
import { holdsWeights, holdWeights, loseWeights } from '../../ml/encoders/local-weights.ts';
import type { Config } from '../drivers/config.ts';
import { createEncoders, type CallLimits, type ProcessEncoders } from '../encoders/create-encoders.ts';
import type { EncoderWeights } from '../encoders/encoder-weights.ts';
import type { Log } from '../observe/log.ts';
import { statusOfWeights, withoutWeights, type WeightsStatus } from '../weights/weights-status.ts';

/** Threads that a graph may use: one in a process that answers requests alone, more where fits are worked through. */
const threadsOf = { API: 1, worker: Math.max(1, availableParallelism() >> 1) } as const;

/** Of an API, which lets its callers come again; a worker waits. */
export const ofCallers: CallLimits = { maxWaitMs: 2_000 };

/** The pretrained models of a process. */
export interface Pretrained {
  readonly models: readonly WeightsStatus[];
  readonly encoders: ProcessEncoders;
}

const encoderWeightsOf = (statuses: readonly WeightsStatus[]): EncoderWeights[] =>
  statuses.flatMap(({ id, weights }) => (weights ? [{ id, hash: weights.sha256, path: weights.path }] : []));

/** Looks at the pretrained weights on this machine: what needs them is served by this process, or named. */
export async function findWeights(config: Config, log: Pick<Log, 'warn'>): Promise<readonly WeightsStatus[]> {
  const statuses = await statusOfWeights(config, log);
  holdWeights(encoderWeightsOf(statuses));
  return statuses;
}

/** How models whose weights were found stand now: a file may have gone or changed since. */
export const statusNow = (statuses: readonly WeightsStatus[]): readonly WeightsStatus[] =>
  statuses.map((each) =>
    each.weights && !holdsWeights({ id: each.id, hash: each.weights.sha256 }) ? withoutWeights(each) : each,
  );

/** The encoders of a process, whose weights were found. A file that is gone or has changed is warned of once. */
export const openEncoders = (
  who: keyof typeof threadsOf,
  statuses: readonly WeightsStatus[],
  { compiledDir }: Pick<Config, 'compiledDir'>,
  log: Pick<Log, 'warn'>,
): ProcessEncoders =>
  createEncoders({
    threads: threadsOf[who],
    compiledDir,
    weights: encoderWeightsOf(statuses),
    onFileFault({ id, hash }, { message }) {
      if (!holdsWeights({ id, hash })) return;
      loseWeights({ id, hash });
      log.warn(
        `The weights of ${id} are not used any more. ${message} ` +
          'Once the published file is there, start this process again.',
      );
    },
  });

/** Both, for all parts of a process. */
export async function openPretrained(
  who: keyof typeof threadsOf,
  config: Config,
  log: Pick<Log, 'warn'>,
): Promise<Pretrained> {
  const models = await findWeights(config, log);
  return { models, encoders: openEncoders(who, models, config, log) };
}
