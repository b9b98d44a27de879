import { encode } from '../../infra/drivers/codec.ts';
import type { ReferenceFitResult } from '../../infra/contract/reference-fits.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { personFeatures } from '../../ml/reference-fits/person-features.ts';
import type { ReferenceEvidence, ReferenceSignal } from '../../ml/reference-fits/types.ts';

/** Evidence that a test expects in an answer. */
export const referenceEvidence: ReferenceEvidence = {
  people: 12,
  trials: 240,
  balancedAccuracy: 0.81234567,
  interval95: [0.74, 0.88],
  onePerson95: [0.55, 1],
  lowerBound: 0.75,
  chance: 0.5,
  quartiles: [0.7, 0.82, 0.91],
  withoutAlignment: 0.62,
  set: 'cov/4-40',
  read: ['O1', 'Oz'],
  notRead: ['O2'],
  seconds: 2,
  notes: ['The filters ran over whole runs.'],
  warnings: [],
};

/** Uniform noise from -0.5 to 0.5, the same for the same seed. */
function noise(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
}

/** Eyes closed: a strong rhythm at 10 Hz; open: a weak one. [microvolts] */
const rhythm = (closed: boolean, row: number, seconds: number): number =>
  (closed ? 14 : 3) * Math.sin(2 * Math.PI * 10 * seconds + row * 0.3);

/** Trials with the eyes closed and open, alternating. */
export function alphaTrials(perClass: number, channelNames: readonly string[], rateHz = 256, seconds = 2) {
  const [trials, samples, channels] = [2 * perClass, rateHz * seconds, channelNames.length];
  const random = noise(7);
  const data = Float32Array.from({ length: trials * channels * samples }, (_, i) => {
    const trial = Math.floor(i / (channels * samples));
    const row = Math.floor(i / samples) % channels;
    return 12 * random() + rhythm(trial % 2 === 0, row, trial * 0.37 + (i % samples) / rateHz);
  });
  return { data, trials, channels, samples, rateHz, sourceRateHz: rateHz, channelNames };
}

/** Half a minute at rest, of one kind. */
function run(electrodes: readonly string[], classId: string, seed: number): ReferenceSignal {
  const [rateHz, samples] = [160, 160 * 24];
  const random = noise(seed);
  const signal = electrodes.map((_, row) =>
    Float32Array.from(
      { length: samples },
      (_, i) => 12 * random() + rhythm(classId === 'eyes_closed', row, i / rateHz),
    ),
  );
  return { run: classId, electrodes, rateHz, signal, stretches: [{ classId, from: 0, samples }] };
}

/** The reference task of the made-up people. */
const task = { kind: 'other', classes: ['eyes_open', 'eyes_closed'] } as const;

const runsOf = (channelNames: readonly string[], person: number): ReferenceSignal[] =>
  task.classes.map((classId, k) => run(channelNames, classId, 10 * person + k + 1));

/** The recordings of one of the made-up people, cut into trials of 2 s: first with the eyes open, then closed. */
export function referencePersonTrials(channelNames: readonly string[], person: number) {
  const [rateHz, samples] = [160, 2 * 160];
  const runs = runsOf(channelNames, person);
  const each = runs.flatMap(({ signal }) =>
    Array.from({ length: signal[0]!.length / samples }, (_, t) =>
      signal.map((row) => row.subarray(t * samples, (t + 1) * samples)),
    ),
  );
  const data = Float32Array.from(each.flat().flatMap((row) => Array.from(row)));
  return { data, trials: each.length, samples, rateHz, perClass: each.length / runs.length };
}

/** A finished fit of eyes closed or open on six made-up people, stored as the workflow stores it. */
export async function storeReferenceFit(
  objects: Pick<ObjectStore, 'put'>,
  channelNames: readonly string[],
): Promise<ReferenceFitResult> {
  const people = Array.from({ length: 6 }, (_, i) => personFeatures(`P${i}`, runsOf(channelNames, i), task));
  const fit = fitReference(people, task, { channelNames, seconds: 2, sourceRateHz: 256 });
  const ref = 'reference/eegmmidb-1.0.0/eyes-open-closed-1/fits/test';
  await objects.put(ref, encode({ format: 1, ...fit }));
  return { ref, pins: fit.pins, evidence: referenceEvidence };
}
