import { randomBytes } from 'node:crypto';
import type { Trials } from '../../ml/types.ts';
import type { CreateRequest } from '../contract/requests.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import type { Plan } from './plan.ts';
import type { Caller, UsageNote } from '../http/request.ts';

/** A create that passed intake, task reading and selection. */
export interface CreateInput {
  readonly caller: Caller;
  readonly requestId: string;
  readonly usage: UsageNote;
  readonly create: Omit<CreateRequest, 'x'>;
  readonly plan: Plan;
  readonly trialsPerClass: Readonly<Record<string, number>>;
  readonly trials: Trials;
  readonly signal: SignalReport;
  readonly sessions: readonly (string | null)[] | null;
  /** Names of the trials' recordings by `normalization_context`. */
  readonly recordings: readonly string[] | null;
  readonly windows: number;
  readonly expiresAt: Date | null;
}

export const newModelId = (): string => `clf_${randomBytes(16).toString('hex')}`;

/** The row of a model that is created now. */
export const newModel = ({ caller, create, plan, trials, signal, expiresAt }: CreateInput, id: string) => ({
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
