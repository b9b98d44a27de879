import { describe, expect, it } from 'vitest';
import { createFeatureTasks } from '../../api/intake/feature-tasks.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createRandom } from '../../ml/random.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import type { Trials } from '../../ml/types.ts';
import { windows } from '../ml/noise-designs.ts';
import { pick } from '../ml/simulated.ts';
import { noEncoders } from '../support/no-encoders.ts';
import { mergedHere, storedBatch } from '../support/stored-batches.ts';

const at = (trials: Trials, rows: readonly number[]): Trials =>
  pick({ trials, labels: rows.map(String), sessions: rows.map(String) }, rows).trials;

describe('a deferred fit', () => {
  const whole = windows(createRandom(10), { trials: 20, step: 48 });
  const objects = new Map<string, Uint8Array>();
  /** Stores a batch of these trials and returns its name. */
  const stored = (rows: readonly number[], more: object = {}): string => {
    const trials = at(whole, rows);
    const rest = {
      labels: rows.map((row) => `class ${row % 2}`),
      sessions: null,
      fingerprints: fingerprintsOf(trials),
      ...more,
    };
    const name = `batch ${objects.size}`;
    for (const [key, bytes] of storedBatch(name, extractFeatures(trials, ['logpower']), rest, 7))
      objects.set(key, bytes);
    return name;
  };
  const even = Array.from({ length: 10 }, (_, t) => 2 * t);
  const odd = even.map((row) => row + 1);
  const linksOfFit = async (...names: readonly string[]) =>
    (await mergedHere(objects, names, ['logpower'])).training.links;

  it('finds trials that overlap between batches, although none overlap within a batch', async () => {
    expect(await linksOfFit(stored(even))).toBeUndefined();
    expect(new Set((await linksOfFit(stored(even), stored(odd)))!.chain).size).toBe(1);
  });

  it('reads the stored fingerprints of each batch, even if its channels had another order', async () => {
    const { storeBatch } = createFeatureTasks(
      {
        create: async (name: string, bytes: Uint8Array) => void objects.set(name, bytes),
        get: async (name: string) => objects.get(name)!,
      } as unknown as ObjectStore,
      noEncoders,
    );
    const sent = (rows: readonly number[]) => {
      const trials = at(whole, rows);
      const labels = rows.map((row) => `class ${row % 2}`);
      return { trials: { ...trials, fingerprints: fingerprintsOf(trials) }, labels, sessions: null };
    };
    const channels = whole.channelNames.toReversed();
    await storeBatch({ name: 'first', ...sent(even), featureSets: ['logpower'], channels });
    await storeBatch({ name: 'second', ...sent(odd), like: 'first', channels });
    expect(new Set((await linksOfFit('first', 'second'))!.chain).size).toBe(1);
  });

  it('leaves flat trials out', async () => {
    const links = (await linksOfFit(stored(even, { flat: [0] }), stored(odd, { flat: [9] })))!;
    expect([links.chain.length, new Set(links.chain).size]).toEqual([18, 1]);
  });
});
