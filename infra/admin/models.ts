import { weightsHolders } from '../records/weights-held.ts';
import { pinUses, unservableModels } from '../records/task-models/index.ts';
import type { Command } from './command.ts';

export const modelCommands: Readonly<Record<string, Command>> = {
  'models pinned': {
    usage: '',
    options: {},
    async run({ pool }) {
      const unservable = await unservableModels(pool);
      return {
        pins: await pinUses(pool),
        processes: await weightsHolders(pool),
        unservable: unservable.map(({ modelId, accountId, needs }) => ({
          model_id: modelId,
          account_id: accountId,
          needs,
        })),
      };
    },
  },
};
