import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodersOfSets } from '../../ml/encoders/index.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { standInAvailability } from '../support/stand-in-encoders.ts';
import { currentVersions, familyOf, loudnessSet } from '../../ml/features/index.ts';
import { families } from '../../ml/features/families.ts';
import type { Recipe, RecipeFamily } from '../../ml/features/recipe.ts';
import { controls, methodOf, methods, olderMethods } from '../../ml/methods/index.ts';
import { pinsOf, missingPins } from '../../ml/pins/index.ts';
import { currentResampler, resamplers } from '../../ml/signal/index.ts';
import { answers, currentAnswer } from '../../ml/train/answers.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import {
  answersOf,
  isOpen,
  shapeRead,
  largestMove,
  modelOf,
  readRecorded,
  recordModels,
  recordedFolder,
  recordedNames,
  recordedOf,
  sentTrials,
} from './recorded.ts';
import { requested } from './replayed-request.ts';
import { raiseAnswer, raiseFamily } from '../support/raise-versions.ts';

/** Largest move of a probability that passes: of our own kernels, and of methods that onnxruntime runs. */
const tolerance = { own: 1e-9, onnxruntime: 1e-4 };
const runByOnnxruntime = methods
  .filter((row) => encodersOfSets(row.featureSets(shapeRead)).length > 0)
  .map(({ id }) => id);

const toleranceOf = ({ method }: Pick<FittedModel, 'method'>): number =>
  tolerance[runByOnnxruntime.includes(method.id) ? 'onnxruntime' : 'own'];

/** Ids of methods, with commas between: a model is recorded of these alone, since bytes differ between machines. */
const toRecord = process.env['RECORD_MODELS'];
if (toRecord)
  await recordModels(
    recordedFolder,
    toRecord.split(',').map((id) => methodOf(id)),
  );

/** What moved, in words; null where nothing moved by more than it may. */
async function moved(
  name: string,
  change: (model: FittedModel) => FittedModel = (model) => model,
): Promise<string | null> {
  const recorded = readRecorded(name);
  const model = modelOf(recorded);
  const move = largestMove(await answersOf(change(model), sentTrials(recorded.trials)), recorded);
  const most = toleranceOf(model);
  return move <= most
    ? null
    : `${model.method.id} version ${model.method.version}: a probability moved by ${move.toExponential(2)}, at ` +
        `most ${most} is allowed`;
}

test.each(recordedNames())('%s answers as it was recorded', async (name) => {
  expect(await moved(name)).toBeNull();
});

test.each(recordedNames())('%s answers a request as it was recorded', async (name) => {
  const recorded = readRecorded(name);
  const { positions: _, ...sent } = sentTrials(recorded.trials);
  expect(largestMove(await requested(recorded, sent), recorded)).toBeLessThanOrEqual(toleranceOf(modelOf(recorded)));
});

describe('the recorded models', () => {
  const models = recordedNames().map((name) => modelOf(readRecorded(name)));

  test('are of every row of the registry at its current pins', () => {
    const pinned = new Set(models.map((model) => pinsOf(model).join()));
    const missing = methods.filter(({ id, version }) => {
      const model = models.find(({ method }) => method.id === id && method.version === version);
      if (!model) return true;
      const { shape, featureSets } = model;
      const now = { ...model, answer: currentAnswer(), featureVersions: currentVersions(featureSets) };
      return !pinned.has(pinsOf({ ...now, shape: { ...shape, resampler: currentResampler() } }).join());
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('together need every version of all code that answers', () => {
    const ofControls = controls.map(({ set }) => familyOf(set({ baselineSeconds: 0.2 })!));
    const answering = Object.entries(families).filter(([family]) => ![...ofControls, loudnessSet].includes(family));
    const held = [
      ...answering.flatMap(([family, versions]) =>
        Object.keys(versions).map((version) => `features:${family}@${version}`),
      ),
      ...Object.keys(resamplers).map((version) => `resampler@${version}`),
      ...Object.keys(answers).map((version) => `answer@${version}`),
      ...[...methods, ...olderMethods].map(({ id, version }) => `method:${id}@${version}`),
    ];
    const needed = new Set(models.flatMap((model) => pinsOf(model)));
    expect(held.filter((pin) => !needed.has(pin))).toEqual([]);
  });

  test('of methods that read positions include one with positions from the caller', () => {
    const placed = models.filter(({ shape }) => shape.positions).map(({ method }) => method.id);
    expect(placed).toEqual(['fixed-sites-logistic', 'laplacian-power-ridge']);
  });

  test('need only versions that this code has', () => {
    setInstalledWeights(Object.entries(standInAvailability).map(([id, { hash }]) => ({ id, hash })));
    onTestFinished(() => setInstalledWeights([]));
    for (const model of models) expect(missingPins(pinsOf(model)), model.method.id).toEqual([]);
  });

  test('gave answers far enough from 0 and 1 to show a change', () => {
    for (const name of recordedNames()) expect(isOpen(readRecorded(name).none), name).toBe(true);
  });

  test('went through the resampler', () => {
    for (const { shape } of models) expect(shape).toMatchObject({ rateHz: 256, sourceRateHz: 250, resampler: 1 });
  });
});

describe('recording', () => {
  const id = 'log-power-logistic';
  const inFolder = (folder: string) =>
    new Map(readdirSync(folder).map((name) => [name, readFileSync(`${folder}${name}`).toString('base64')]));

  test('twice writes the same files, and keeps the models of older pins', async () => {
    const folder = `${mkdtempSync(`${tmpdir()}/recorded-`)}/`;
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const record = async () => {
      await recordModels(folder, [methodOf(id)]);
      return inFolder(folder);
    };
    const first = await record();
    expect(first.size).toBe(2);
    expect(await record()).toEqual(first);

    for (const raise of [() => raiseFamily('logpower'), () => raiseAnswer()]) {
      const before = inFolder(folder);
      onTestFinished(raise());
      const after = await record();
      expect(after.size).toBe(before.size + 1);
      for (const [name, bytes] of before) expect(after.get(name)).toBe(bytes);
    }
  });
});

describe('the replay', () => {
  const [name = ''] = recordedOf('log-power-logistic', '1');

  const scaledBy = (value: unknown, factor: number): unknown => {
    if (value instanceof Float64Array) return value.map((v) => v * factor);
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, scaledBy(part, factor)]));
  };

  test('detects a head that changed by a fraction of 1e-7', async () => {
    const change = (model: FittedModel) => ({ ...model, head: scaledBy(model.head, 1 + 1e-7) as FittedModel['head'] });
    expect(await moved(name, change)).toMatch(/^log-power-logistic version 1: a probability moved by \d/);
  });

  describe('of a recipe', () => {
    const patched: RecipeFamily = (args): Recipe => {
      const recipe = families['logpower']![1]!(args);
      return {
        ...recipe,
        write(source, out, at) {
          recipe.write(source, out, at);
          for (let i = at; i < at + recipe.dimension(source.shape); i += 1) out[i]! *= 1 + 1e-6;
        },
      };
    };
    beforeAll(() => {
      Object.assign(families['logpower']!, { 99: patched });
      return () => delete (families['logpower'] as Record<number, RecipeFamily>)[99];
    });

    test('detects a recipe whose values are larger by a fraction of 1e-6', async () => {
      const change = (model: FittedModel) => ({ ...model, featureVersions: { logpower: 99 } });
      expect(await moved(name, change)).toMatch(/moved by \d/);
    });
  });
});
