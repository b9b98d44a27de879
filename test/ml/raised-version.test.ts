import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tasks } from '../../activities/compute/tasks.ts';
import { createFeatureTasks } from '../../api/intake/feature-tasks.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { describePin, pinsOf, resamplerOf, missingPins } from '../../ml/pins/index.ts';
import { trainClassifier, trainingData } from '../../ml/train/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { mergeFeatures } from '../support/merge-features.ts';
import { mergedHere } from '../support/stored-batches.ts';
import { createWorkspace, methodOf, olderMethods } from '../../ml/methods/index.ts';
import type { Method } from '../../ml/methods/index.ts';
import { raiseAnswer, raiseFamily, raiseMethod, raiseResampler } from '../support/raise-versions.ts';
import { answersOf, modelOf, readRecorded, received, recordedOf, sentTrials } from './recorded.ts';
import { toEnd } from '../../ml/steps.ts';
import { decode } from '../../infra/drivers/codec.ts';
import { simulated } from './simulated.ts';
import { noEncoders } from '../support/no-encoders.ts';

const method = 'log-power-logistic';
const old = ['answer@1', 'features:logpower@1', 'format@2', 'method:log-power-logistic@1', 'resampler@1'];
const raised = ['answer@2', 'features:logpower@2', 'format@2', 'method:log-power-logistic@2', 'resampler@2'];
const [name = ''] = recordedOf(method, '1');

const sample = simulated({ count: 40, samples: 250 });
const sent = { ...sample.trials, rateHz: 250, sourceRateHz: 250 };

const objects = new Map<string, Uint8Array>();
const store = {
  create: async (name: string, bytes: Uint8Array) => void objects.set(name, bytes),
  get: async (name: string) => objects.get(name)!,
} as unknown as ObjectStore;
const { storeBatch } = createFeatureTasks(store, noEncoders);
const batch = (name: string, resampler?: number) => ({
  name,
  trials: received(sent, resampler),
  labels: sample.labels,
  sessions: null,
  channels: sent.channelNames,
});

const created = (): FittedModel =>
  trainClassifier(received(sent), sample.labels, null, { kind: 'motor', candidates: [method] }).model;

type Job = Pick<Parameters<typeof tasks.refit>[0], 'jobId' | 'data'>;

/** The refit of what was chosen, part by part. */
async function refit(job: Job, { choice, parts }: ReturnType<typeof tasks.choose>) {
  const fitted = await Promise.all(parts.map(async (part) => toEnd(await tasks.refit({ ...job, choice, part }))));
  return tasks.assemble({ ...job, choice, parts: fitted });
}

describe('a version of a method, of a recipe, of the resampler and of the answer that is raised', () => {
  const recorded = readRecorded(name);
  const hosted = modelOf(recorded);
  const trials = sentTrials(recorded.trials);
  const model = created();
  let before: { answers: Awaited<ReturnType<typeof answersOf>>; model: typeof model };
  let firstPins: readonly string[] = [];

  beforeAll(async () => {
    before = { answers: await answersOf(hosted, trials), model };
    firstPins = (await storeBatch({ ...batch('first'), featureSets: ['logpower'] })).pins;
    const undo = [raiseMethod(method), raiseFamily('logpower'), raiseResampler(), raiseAnswer()];
    return () => undo.forEach((takeBack) => takeBack());
  });

  test('leaves a model hosted before as it was, bit for bit', async () => {
    expect(pinsOf(hosted)).toEqual(old);
    expect(missingPins(pinsOf(hosted))).toEqual([]);
    const after = await answersOf(hosted, trials);
    expect([...after.none]).toEqual([...before.answers.none]);
    expect([...after.batch]).toEqual([...before.answers.batch]);
  });

  test('leaves a model that was stored before answers were pinned as it was, bit for bit', async () => {
    const { answer: _, ...stored } = hosted;
    expect(pinsOf(stored)).toEqual(old);
    const after = await answersOf(stored, trials);
    expect([...after.none]).toEqual([...before.answers.none]);
    expect([...after.batch]).toEqual([...before.answers.batch]);
  });

  test('is used by a new create, whose model gives other answers', async () => {
    const model = created();
    expect(pinsOf(before.model)).toEqual(old);
    expect(pinsOf(model)).toEqual(raised);
    expect(missingPins(pinsOf(model))).toEqual([]);
    expect([...(await answersOf(model, trials)).none]).not.toEqual([...(await answersOf(before.model, trials)).none]);
  });

  test('is not used by a deferred model whose first batch was stored before', async () => {
    expect(firstPins).toEqual(['features:logpower@1', 'format@2', 'resampler@1']);
    const later = await storeBatch({ ...batch('later', resamplerOf(firstPins)), like: 'first' });
    expect(later.pins).toEqual(firstPins);
    const featuresOf = (name: string) => decode<{ features: object }>(objects.get(name)!).features;
    expect(featuresOf('later')).toEqual(featuresOf('first'));

    const data = await mergedHere(objects, ['first', 'later'], ['logpower']);
    const scored = toEnd(await tasks.score({ jobId: 'job', data, method }));
    const job = { jobId: 'job', data };
    const refitted = await refit(job, tasks.choose({ ...job, scores: [scored.bytes] }));
    expect(refitted.method).toMatchObject({ id: method, version: '2' });
    expect(refitted.pins).toEqual([
      'answer@2',
      'features:logpower@1',
      'format@2',
      'method:log-power-logistic@2',
      'resampler@1',
    ]);
    const model = modelOf({ model: refitted.bytes });
    expect([...(await answersOf(model, trials)).none].every((value) => value > 0 && value < 1)).toBe(true);
  });

  test('never mixes with another in one set of features, nor in the batches of one model', async () => {
    const at = (logpower: number) => extractFeatures(received(sent, 1), ['logpower'], { logpower });
    expect(() => mergeFeatures([at(1), at(2)])).toThrow('Batches differ');
    await expect(storeBatch({ ...batch('other', 2), like: 'first' })).rejects.toThrow('version 2 of the resampler');
  });
});

describe('a fit during which a method is raised', () => {
  const training = trainingData(extractFeatures(received(sent), ['logpower']), sample.labels, null);
  const data = { format: 2, training } as const;
  const scored = tasks.score({ jobId: 'spans', data, method }).then(toEnd);
  const chosenAfter = async () => tasks.choose({ jobId: 'spans', data, scores: [(await scored).bytes] });

  test('ends with the version that was scored', async () => {
    await scored;
    onTestFinished(raiseMethod(method));
    const chosen = await chosenAfter();
    const { choice } = chosen;
    expect(choice).toMatchObject({ method, version: '1' });
    const job = { jobId: 'spans', data };
    const refitted = await refit(job, chosen);
    expect(refitted.pins).toContain(`method:${method}@1`);
    const before = methodOf(method, '1');
    const { training } = data;
    const rows = Int32Array.from({ length: training.labels.length }, (_, i) => i);
    const { head } = modelOf({ model: refitted.bytes });
    expect(head).toEqual(before.fit({ data: training, rows, workspace: createWorkspace() }));
    const [{ method: index, fraction }] = chosen.curve as [(typeof chosen.curve)[number]];
    const point = toEnd(await tasks.curve({ ...job, choice, method: index, fraction }));
    expect(point).toMatchObject({ table: expect.anything() });
  });

  test('fails on the service side if the version that was scored no longer exists', async () => {
    await scored;
    onTestFinished(raiseMethod(method));
    const [old] = (olderMethods as Method[]).splice(0, 1);
    onTestFinished(() => void (olderMethods as Method[]).unshift(old!));
    await expect(chosenAfter()).rejects.toMatchObject({ code: 'BACKEND_FAILURE' });
    await expect(chosenAfter()).rejects.toThrow(`no longer has version 1 of the method ${method}`);
  });
});

describe('a version that this code does not have', () => {
  const hosted = modelOf(readRecorded(name));
  const trials = sentTrials(readRecorded(name).trials);

  test('is refused with its name in plain words', async () => {
    const without = { ...hosted, method: { ...hosted.method, version: '7' } };
    await expect(answersOf(without, trials)).rejects.toThrow(`does not hold version 7 of the method ${method}`);
    await expect(answersOf({ ...hosted, featureVersions: { logpower: 7 } }, trials)).rejects.toThrow(
      'does not hold version 7 of the features logpower',
    );
    await expect(answersOf({ ...hosted, shape: { ...hosted.shape, resampler: 7 } }, trials)).rejects.toThrow(
      'does not hold version 7 of the resampler',
    );
    await expect(answersOf({ ...hosted, answer: 7 }, trials)).rejects.toThrow('does not hold version 7 of the answer');
  });

  test('is listed among the missing pins, and described', () => {
    const pins = [
      `method:${method}@7`,
      'features:logpower@1',
      'features:none@1',
      'resampler@7',
      'what is this',
      'format@1',
      'format@2',
      'answer@1',
      'answer@7',
    ];
    expect(missingPins(pins)).toEqual([pins[0], pins[2], pins[3], pins[4], pins[5], pins[8]]);
    expect(pins.map(describePin)).toEqual([
      `version 7 of the method ${method}`,
      'version 1 of the features logpower',
      'version 1 of the features none',
      'version 7 of the resampler',
      '"what is this"',
      'version 1 of the storage format',
      'version 2 of the storage format',
      'version 1 of the answer',
      'version 7 of the answer',
    ]);
  });
});
