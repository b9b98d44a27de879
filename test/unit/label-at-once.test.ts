import { expect, it } from 'vitest';
import { labelAtOnce } from '../../api/use-cases/label-at-once.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import { readsEncoders } from '../../ml/pins/index.ts';

const caller = { mode: 'test', at: new Date(), funds: { capped: false, available: 0n } } as Parameters<
  typeof labelAtOnce
>[0];
const record = {
  mode: 'test',
  status: 'active',
  classes: ['a', 'b'],
  channels: ['Cz'],
  modelRef: 'models/1',
} as unknown as TaskModelRecord;

it('a model with encoders labels trials in a separate task, even a few', () => {
  expect(labelAtOnce(caller, { ...record, readsEncoders: false })).toMatchObject({ modelRef: 'models/1' });
  expect(labelAtOnce(caller, { ...record, readsEncoders: true })).toBeNull();
});

it('pins say whether encoders read the trials', () => {
  const classical = ['method:csp-lda@1', 'features:cov@1', 'resampler@1'];
  expect(readsEncoders(classical)).toBe(false);
  expect(readsEncoders([...classical, `weights:labram-base@${'0'.repeat(64)}`])).toBe(true);
});
