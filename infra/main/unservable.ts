import type { Sql } from '../drivers/postgres/transaction.ts';
import type { Log } from '../observe/log.ts';
import { missingHere, missingInService, unservableModels } from '../records/task-models/pinned.ts';

const most = 20;

const views = { API: ['API', missingHere], worker: ['service', missingInService] } as const;

/**
 * Logs which hosted models cannot be served and what each needs: one line per model, then a count. An API checks its
 * own code and weights, as its responses do; a worker checks those of the whole service, as its charges do.
 */
export async function logUnservable(sql: Sql, who: keyof typeof views, log: Log): Promise<void> {
  const [server, findMissing] = views[who];
  const models = await unservableModels(sql, findMissing);
  for (const { modelId, needs } of models.slice(0, most))
    log.warn(
      `This ${server} cannot serve model ${modelId}: it needs ${needs.join(', ')}, which this ${server} does not hold.`,
      {
        model: modelId,
      },
    );
  const rest = models.length - most;
  if (rest > 0)
    log.warn(`This ${server} cannot serve ${rest} further model${rest === 1 ? '' : 's'}: see admin models pinned.`);
}
