import { blockedModels, unblockModel } from '../../records/deaths/prediction-deaths.ts';
import { weightsReports } from '../../records/weights-reports.ts';
import { pinUses, unservableModels } from '../../records/task-models/pinned.ts';
import type { Command } from './command.ts';
import { AdminError, required } from './options.ts';

export const modelCommands: Readonly<Record<string, Command>> = {
  'models pinned': {
    usage: '',
    options: {},
    async run({ pool }) {
      const unservable = await unservableModels(pool);
      const blocked = await blockedModels(pool);
      return {
        pins: await pinUses(pool),
        processes: await weightsReports(pool),
        unservable: unservable.map(({ modelId, accountId, needs }) => ({
          model_id: modelId,
          account_id: accountId,
          needs,
        })),
        blocked: blocked.map(({ modelId, accountId, blockedAt, deaths }) => ({
          model_id: modelId,
          account_id: accountId,
          blocked_at: blockedAt.toISOString(),
          deaths,
        })),
      };
    },
  },
  'models unblock': {
    usage: '--model ID',
    options: { model: { type: 'string' } },
    async run({ pool }, o) {
      const model = required(o, 'model');
      if (!(await unblockModel(pool, model))) throw new AdminError(`The model ${model} is not blocked.`);
      return { model_id: model, blocked: false };
    },
  },
};
