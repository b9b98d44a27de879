import { describe, expect, it } from 'vitest';
import { createFeatureTasks } from '../../api/intake/feature-tasks.ts';
import { planFit } from '../../api/intake/plan-fit.ts';
import { batchNotes, notesOf } from '../../api/use-cases/batch-notes.ts';
import { ApiError, type ErrorCode } from '../../infra/contract/errors.ts';
import { decodeFormat } from '../../infra/drivers/codec.ts';
import type { StoredBatch } from '../../infra/contract/fit-request.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import type { Encoders } from '../../ml/encoders/types.ts';
import { encodedId } from '../../ml/encoders/ids.ts';
import { storedFormat } from '../../ml/train/index.ts';
import { simulatedNights } from '../support/simulated-nights.ts';
import { standInEncoders } from '../support/stand-in-encoders.ts';

const hash = '1'.repeat(64);
const encoded = ['alone', 'together'].map((name) => encodedId({ id: 'robust-sleep-net', hash, name }));
const written = 'logpower';
const failing =
  (code: ErrorCode): Encoders =>
  () =>
  () =>
    Promise.reject(new ApiError(code, `The encoder says ${code}.`));

/** The tasks with encoders of a test, and what they write. */
function tasksWith(encoders: Encoders) {
  const objects = new Map<string, Uint8Array>();
  const store = {
    create: async (name: string, bytes: Uint8Array) => void objects.set(name, bytes),
    get: async (name: string) => objects.get(name)!,
    deletePrefix: async () => undefined,
  } as unknown as ObjectStore;
  const setsOf = (name: string): string[] =>
    Object.keys(decodeFormat<StoredBatch>(objects.get(name)!, storedFormat, 'batch').features.sets);
  return { objects, store, setsOf, storeBatch: createFeatureTasks(store, encoders).storeBatch };
}
const batch = (name: string) => {
  const { trials, labels, sessions } = simulatedNights({ nights: 1, epochs: 4 });
  return { name, trials, labels, sessions, channels: trials.channelNames };
};

describe('the first batch of a deferred fit', () => {
  it('loses only the sets of an encoder that fails on it; later batches are read without that encoder', async () => {
    const { store, setsOf, storeBatch } = tasksWith(failing('BACKEND_FAILURE'));
    const stored = await storeBatch({ ...batch('first'), featureSets: [written, ...encoded] });
    expect([stored.featureSets, setsOf('first')]).toEqual([[written], [written]]);
    expect(stored.pins.filter((pin) => pin.includes('robust-sleep-net'))).toEqual([]);
    expect(stored.notes).toEqual([
      'This model is fitted without robust-sleep-net, because all batches have the features of the first one, and it ' +
        'failed there. The encoder says BACKEND_FAILURE.',
    ]);
    const { storeBatch: withWeights } = createFeatureTasks(store, standInEncoders);
    const later = await withWeights({ ...batch('later'), like: 'first' });
    expect([later.featureSets, setsOf('later'), later.notes]).toEqual([[written], [written], []]);
  });

  it.each(['POOL_UNAVAILABLE', 'POOL_SATURATED'] as const)(
    'is refused with %s, and may be sent again',
    async (code) => {
      const { objects, storeBatch } = tasksWith(failing(code));
      await expect(storeBatch({ ...batch('first'), featureSets: [written, ...encoded] })).rejects.toMatchObject({
        code,
      });
      expect(objects.size).toBe(0);
    },
  );

  it('determines the sets of later ones: a batch on which an encoder of the first one fails is refused', async () => {
    const { store, setsOf, storeBatch } = tasksWith(standInEncoders);
    const stored = await storeBatch({ ...batch('first'), featureSets: [written, ...encoded] });
    expect([stored.featureSets, setsOf('first'), stored.notes]).toEqual([
      [written, ...encoded],
      [written, ...encoded],
      [],
    ]);
    const { storeBatch: failed } = createFeatureTasks(store, failing('BACKEND_FAILURE'));
    await expect(failed({ ...batch('later'), like: 'first' })).rejects.toMatchObject({ code: 'BACKEND_FAILURE' });
  });

  it('records its sets for the later fit, so that methods of a missing encoder are not tried', () => {
    const noted = batchNotes({
      create: { missing_channels: 'nearest' },
      featureSets: ['sleep', 'logpower', 'loudness'],
      sessions: null,
      recordings: null,
    });
    expect(noted.featureSets).toEqual(['sleep', 'logpower', 'loudness']);
    const { skipped } = planFit({
      ...notesOf([noted]),
      description: 'sleep stages of nights: N3 or W',
      trialsPerClass: { N3: 20, W: 20 },
      channelNames: ['Fz', 'Cz', 'C3', 'C4'],
      sourceRateHz: 256,
      samples: 30 * 256,
      seconds: 30,
      storedFeaturesOnly: true,
      encoders: { 'robust-sleep-net': { hash } },
    });
    expect(skipped.find(({ id }) => id === 'robust-sleep-net-logistic')!.reason).toBe(
      'needs what robust-sleep-net makes of the trials, and the first batch was stored without it',
    );
  });
});
