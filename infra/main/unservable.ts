import type { Sql } from '../drivers/postgres/index.ts';
import type { Log } from '../observe/log.ts';
import { unservableModels } from '../records/task-models/index.ts';

const most = 20;

/**
 * Says which hosted models this process (`who`: "API", "worker") could not serve and what each needs: a line a model,
 * then a count.
 */
export async function sayUnservable(sql: Sql, who: string, log: Log): Promise<void> {
  const models = await unservableModels(sql);
  for (const { modelId, needs } of models.slice(0, most))
    log.warn(
      `This ${who} cannot serve model ${modelId}: it needs ${needs.join(', ')}, which this ${who} does not hold.`,
      {
        model: modelId,
      },
    );
  const rest = models.length - most;
  if (rest > 0)
    log.warn(`This ${who} cannot serve ${rest} further model${rest === 1 ? '' : 's'}: see admin models pinned.`);
}
