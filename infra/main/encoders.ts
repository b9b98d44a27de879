import { availableParallelism } from 'node:os';
import { holdWeights } from '../../ml/encoders/held.ts';
import type { Config } from '../drivers/config.ts';
import { createEncoders, type EncoderOptions, type ProcessEncoders } from '../encoders/index.ts';
import type { Log } from '../observe/log.ts';
import { standingOfWeights, type WeightsStanding } from '../weights/standing.ts';

/** A process that answers requests lets callers come again; one that works through fits waits, and may use more. */
const uses = {
  API: { threads: 1, patienceMs: 2_000, mostCalls: 64 },
  worker: { threads: Math.max(1, availableParallelism() >> 1) },
} as const satisfies Readonly<Record<string, Omit<EncoderOptions, 'held'>>>;

/** Looks at the pretrained weights on this machine: what needs them is served by this process, or named. */
export async function findWeights(config: Config, log: Pick<Log, 'warn'>): Promise<readonly WeightsStanding[]> {
  const standings = await standingOfWeights(config, log);
  holdWeights(standings.flatMap((each) => (each.ready ? [{ id: each.id, hash: each.sha256 }] : [])));
  return standings;
}

/** The encoders of a process, whose weights were found. */
export const openEncoders = (
  who: keyof typeof uses,
  standings: readonly WeightsStanding[],
  { compiledDir }: Pick<Config, 'compiledDir'>,
): ProcessEncoders =>
  createEncoders({
    ...uses[who],
    compiledDir,
    held: standings.flatMap((each) => (each.ready ? [{ id: each.id, hash: each.sha256, path: each.path }] : [])),
  });
