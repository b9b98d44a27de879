import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { createAccount } from '../../infra/records/accounts/accounts.ts';
import { capture, reserve } from '../../infra/records/ledger/holds.ts';
import { activate } from '../../infra/records/task-models/transitions.ts';
import { insertFitting } from '../../infra/records/task-models/models.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { passwordHash } from './password-hash.ts';

export const modelId = (): string => `clf_${randomBytes(16).toString('hex')}`;

export const signal: SignalReport = {
  sampling_rate_hz: 250,
  resampled_to_hz: 256,
  trials: 40,
  channels: 3,
  samples_per_trial: 1024,
  seconds_per_trial: 4,
  units: 'uV',
  renamed_channels: {},
  warnings: [],
};

/** A new account with its free credit of 5 dollars. */
export async function newAccount(pool: Pool, at = new Date()): Promise<string> {
  const hash = await passwordHash();
  const account = await transaction(
    pool,
    async (sql) =>
      await createAccount(sql, {
        email: `${randomBytes(6).toString('hex')}@example.org`,
        passwordHash: hash,
        acceptTerms: true,
        at,
      }),
  );
  return account.id;
}

export const newModel = (accountId: string, at: Date, mode: 'live' | 'test' = 'live', id = modelId()) => ({
  id,
  accountId,
  mode,
  name: null,
  description: 'Left or right hand',
  taskKind: 'motor' as const,
  classes: ['left', 'right'],
  channels: ['C3', 'Cz', 'C4'],
  signal,
  expiresAt: null,
  at,
});

/** A whole immediate create: hold, row, activation and capture. */
export async function createModel(
  pool: Pool,
  accountId: string,
  at: Date,
  mode: 'live' | 'test' = 'live',
): Promise<string> {
  const model = newModel(accountId, at, mode);
  const holdId = await transaction(pool, async (sql) => {
    const hold = await reserve(sql, { accountId, mode, modelId: model.id, at });
    await insertFitting(sql, model);
    return hold;
  });
  await transaction(pool, async (sql) => {
    await activate(sql, {
      pins: [],
      id: model.id,
      fittedAt: at,
      method: { id: 'csp-lda', version: '1', title: 'CSP + LDA' },
      classes: model.classes,
      trainingReport: { balanced_accuracy: 0.9, chance: 0.5 },
      modelRef: `models/${model.id}`,
    });
    await capture(sql, holdId, { modelId: model.id, accountId, mode, at, fittedAt: at });
  });
  return model.id;
}
