import { expect, it } from 'vitest';
import { toEnd } from '../../ml/steps.ts';
import { dataTasks } from '../../activities/compute/data-tasks.ts';
import { createFeatureTasks } from '../../api/intake/feature-tasks.ts';
import type { LabelledTrials } from '../../api/intake/store-batch.ts';
import { intake, type IntakeAccepted } from '../../api/intake/intake.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { noEncoders } from '../support/no-encoders.ts';

const shape = [12, 3, 256] as const;

/** Noise of two classes; trial 5 is trial 2 again, trial 0 is flat where asked for. */
function bodyOf({ flat = false } = {}): Uint8Array {
  let state = 1;
  const noise = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const x = Float32Array.from({ length: shape[0] * shape[1] * shape[2] }, () => 20 * noise());
  const size = shape[1] * shape[2];
  x.set(x.subarray(2 * size, 3 * size), 5 * size);
  if (flat) x.fill(1, 0, size);
  const labels = Array.from({ length: shape[0] }, (_, t) => (t % 2 ? 'left hand' : 'right hand'));
  const rest = { channels: ['C3', 'Cz', 'C4'], units: 'uV', sampling_rate_hz: 256 };
  const text = JSON.stringify({
    description: 'imagined movement',
    x: Buffer.from(x.buffer).toString('base64'),
    shape,
    labels,
    ...rest,
  });
  return new TextEncoder().encode(text);
}

async function staged(read: IntakeAccepted, links: LabelledTrials['links']): Promise<Uint8Array> {
  let bytes = new Uint8Array();
  const store = { create: async (_: string, given: Uint8Array) => void (bytes = new Uint8Array(given)) };
  const { labels } = read.envelope as { labels: string[] };
  await createFeatureTasks(store as unknown as ObjectStore, noEncoders).stage({
    name: 'staged',
    trials: read.trials!,
    labels,
    sessions: null,
    links,
  });
  return bytes;
}

it('trials are staged with their links, equal to those from their fingerprints', async () => {
  const read = intake(bodyOf(), 'create') as IntakeAccepted;
  expect(read.links).toMatchObject({ chain: expect.any(Int32Array) });
  const [known, told] = [await staged(read, read.links), await staged(read, undefined)];
  expect(known.length).toBeGreaterThan(told.length);
  const linksOf = (bytes: Uint8Array) =>
    toEnd(dataTasks.unpack({ staged: bytes, featureSets: [] })).data.training.links;
  expect(linksOf(known)).toEqual(linksOf(told));
  expect(linksOf(known)!.chain[5]).toBe(linksOf(known)!.chain[2]);
});

it('a worker does not look for links again where the API found none', async () => {
  const read = intake(bodyOf(), 'create') as IntakeAccepted;
  const bytes = await staged(read, null);
  expect(toEnd(dataTasks.unpack({ staged: bytes, featureSets: [] })).data.training.links).toBeUndefined();
});

it('if a trial is flat, the links come from the fingerprints of the others', () => {
  const read = intake(bodyOf({ flat: true }), 'create') as IntakeAccepted;
  expect([read.trials!.flat, read.links]).toEqual([[0], undefined]);
});
