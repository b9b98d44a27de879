import type { CreateInput } from './create-input.ts';
import { randomBytes } from 'node:crypto';

/** The row of a new model. */
export const newModel = (
  { context: { caller }, create, plan, trials, signal, expiresAt }: CreateInput,
  id: string,
) => ({
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

export const newModelId = (): string => `clf_${randomBytes(16).toString('hex')}`;
