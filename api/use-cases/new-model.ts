import type { CreateInput } from './create-input.ts';

/** The row of a model that is created now. */
export const newModel = ({ asked: { caller }, create, plan, trials, signal, expiresAt }: CreateInput, id: string) => ({
  id,
  accountId: caller.accountId,
  mode: caller.mode,
  name: create.name,
  description: create.description,
  taskKind: plan.kind,
  classes: plan.classes,
  channels: trials.channelNames,
  signal,
  expiresAt,
  at: caller.at,
});
