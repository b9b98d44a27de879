import { availableParallelism } from 'node:os';
import { holdWeights } from '../../ml/encoders/held.ts';
import type { Config } from '../drivers/config.ts';
import { createEncoders, type CallLimits, type ProcessEncoders } from '../encoders/index.ts';
import type { Log } from '../observe/log.ts';
import { standingOfWeights, type WeightsStanding } from '../weights/standing.ts';

/** Threads that a graph may use: one in a process that answers requests alone, more where fits are worked through. */
const threadsOf = { API: 1, worker: Math.max(1, availableParallelism() >> 1) } as const;

/** An API lets its callers come again; a worker waits. */
export const encoderLimits = {
  API: { patienceMs: 2_000, mostCalls: 64 },
  worker: {},
} as const satisfies Readonly<Record<keyof typeof threadsOf, CallLimits>>;

/** The pretrained models of a process. */
export interface Pretrained {
  readonly models: readonly WeightsStanding[];
  readonly encoders: ProcessEncoders;
}

/** Looks at the pretrained weights on this machine: what needs them is served by this process, or named. */
export async function findWeights(config: Config, log: Pick<Log, 'warn'>): Promise<readonly WeightsStanding[]> {
  const standings = await standingOfWeights(config, log);
  holdWeights(standings.flatMap((each) => (each.ready ? [{ id: each.id, hash: each.sha256 }] : [])));
  return standings;
}

/** The encoders of a process, whose weights were found. */
export const openEncoders = (
  who: keyof typeof threadsOf,
  standings: readonly WeightsStanding[],
  { compiledDir }: Pick<Config, 'compiledDir'>,
): ProcessEncoders =>
  createEncoders({
    threads: threadsOf[who],
    compiledDir,
    held: standings.flatMap((each) => (each.ready ? [{ id: each.id, hash: each.sha256, path: each.path }] : [])),
  });

/** Both, for all parts of a process. */
export async function openPretrained(
  who: keyof typeof threadsOf,
  config: Config,
  log: Pick<Log, 'warn'>,
): Promise<Pretrained> {
  const models = await findWeights(config, log);
  return { models, encoders: openEncoders(who, models, config) };
}
