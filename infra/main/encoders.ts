import { availableParallelism } from 'node:os';
import { hasWeights, setInstalledWeights, markWeightsMissing } from '../../ml/encoders/installed-weights.ts';
import type { Config } from '../drivers/config.ts';
import { createEncoders, type CallLimits, type ProcessEncoders } from '../encoders/create-encoders.ts';
import type { EncoderWeights } from '../encoders/encoder-weights.ts';
import type { Log } from '../observe/log.ts';
import { statusOfWeights, withoutWeights, type WeightsStatus } from '../weights/weights-status.ts';

/** Threads per graph: one in a process that only answers requests, more in a process that runs fits. */
const threadsOf = { API: 1, worker: Math.max(1, availableParallelism() >> 1) } as const;

/** Limits for an API, whose callers can retry; a worker has none and waits. */
export const ofCallers: CallLimits = { maxWaitMs: 2_000 };

/** The pretrained models of a process. */
export interface Pretrained {
  readonly models: readonly WeightsStatus[];
  readonly encoders: ProcessEncoders;
}

const encoderWeightsOf = (statuses: readonly WeightsStatus[]): EncoderWeights[] =>
  statuses.flatMap(({ id, weights }) => (weights ? [{ id, hash: weights.sha256, path: weights.path }] : []));

/** Checks the pretrained weights on this machine, and registers those that this process can use. */
export async function findWeights(config: Config, log: Pick<Log, 'warn'>): Promise<readonly WeightsStatus[]> {
  const statuses = await statusOfWeights(config, log);
  setInstalledWeights(encoderWeightsOf(statuses));
  return statuses;
}

/** Current status of the models, because a file may have been removed or changed since the start. */
export const statusNow = (statuses: readonly WeightsStatus[]): readonly WeightsStatus[] =>
  statuses.map((each) =>
    each.weights && !hasWeights({ id: each.id, hash: each.weights.sha256 }) ? withoutWeights(each) : each,
  );

/** The encoders of a process. A file that was removed or changed is logged once. */
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
      if (!hasWeights({ id, hash })) return;
      markWeightsMissing({ id, hash });
      log.warn(
        `The weights of ${id} are not used any more. ${message} ` +
          'Once the published file is there, start this process again.',
      );
    },
  });

/** Opens models and encoders for all parts of a process. */
export async function openPretrained(
  who: keyof typeof threadsOf,
  config: Config,
  log: Pick<Log, 'warn'>,
): Promise<Pretrained> {
  const models = await findWeights(config, log);
  return { models, encoders: openEncoders(who, models, config, log) };
}
