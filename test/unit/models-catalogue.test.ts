import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue, modelOf, availabilityOf, type CataloguedModel } from '../../ml/encoders/catalogue/index.ts';
import { cataloguedModelSchema } from '../../ml/encoders/catalogue/schema.ts';

const folder = fileURLToPath(new URL('../../ml/encoders/catalogue/', import.meta.url));

describe.each(catalogue.map((model) => [model.id, model] as const))('model %s', (id, model) => {
  it('follows the schema, in a file with its name', () => {
    expect(cataloguedModelSchema.safeParse(model).error?.issues ?? []).toEqual([]);
    expect(existsSync(`${folder}${id}.json`)).toBe(true);
  });

  it('is found by its id', () => {
    expect(modelOf(id)).toBe(model);
  });

  it('has the text of its licence, which has its address', () => {
    const text = model.licence.text.join('\n');
    expect(text).toMatch(
      /^MIT License\n\nCopyright \(c\) 20\d\d .+\n|^Attribution-NonCommercial 4\.0 International\n|^Open Data/,
    );
    expect(text).toMatch(
      /SOFTWARE\.$|Creative Commons may be contacted at creativecommons\.org\.\n*$|eegmmidb\/1\.0\.0\/$/,
    );
  });
});

it('lists every file of the folder, under ids and folders of their own', () => {
  expect(catalogue.map(({ id }) => `${id}.json`).sort()).toEqual(
    readdirSync(folder).filter((name) => name.endsWith('.json')),
  );
  expect(new Set(catalogue.map(({ file }) => file.folder)).size).toBe(catalogue.length);
});

it('lists the known models if an unknown one is requested', () => {
  expect(() => modelOf('x')).toThrow(
    'There is no model "x", but movement, robust-sleep-net, labram-base, dcrnn-tusz, neurorvq-eeg.',
  );
});

describe('the schema', () => {
  const faults = (change: (model: CataloguedModel) => void): string => {
    const model = structuredClone(modelOf('dcrnn-tusz'));
    change(model);
    return (
      cataloguedModelSchema
        .safeParse(model)
        .error?.issues.map(({ message }) => message)
        .join() ?? ''
    );
  };

  it.each<[string, (model: CataloguedModel) => void]>([
    ['licence.why says why', (model) => (model.licence.hostedUse = false)],
    ['is not enabled', (model) => Object.assign(model, { enabled: true, licence: modelOf('neurorvq-eeg').licence })],
    ['whyOff says why', (model) => delete model.whyOff],
    ['whyOff says why', (model) => (model.enabled = true)],
    ['Invalid string', (model) => (model.file.sha256 = 'A'.repeat(64))],
    ['Invalid string', (model) => (model.file.gitBlob = 'abc')],
    ['letters, digits', (model) => (model.file.folder = '..')],
    ['letters, digits', (model) => (model.file.path = 'a/b')],
    ['a sentence', (model) => (model.trainingData = ['something'])],
    ['Invalid URL', (model) => (model.file.address = 'http://example.org/x')],
  ])('refuses: %s', (message, change) => {
    expect(faults(() => undefined)).toBe('');
    expect(faults(change)).toContain(message);
  });
});

describe('the availability of a model', () => {
  const sleep = modelOf('robust-sleep-net');
  const unpinned: CataloguedModel = { ...sleep, file: { ...sleep.file, sha256: null, gitBlob: null } };

  it.each([
    [sleep, null, 'whole', 'ready', null],
    [sleep, null, 'absent', 'not_installed', 'weights not installed'],
    [sleep, null, 'damaged', 'not_installed', 'weights not installed, and what lies in their place cannot be used'],
    [sleep, [], 'whole', 'off', 'switched off: MODELS_ENABLED does not name it'],
    [modelOf('dcrnn-tusz'), null, 'whole', 'off', /^switched off: the terms of its training data are unclear, and/],
    [modelOf('dcrnn-tusz'), ['dcrnn-tusz'], 'whole', 'ready', null],
    [modelOf('neurorvq-eeg'), null, 'whole', 'forbidden', /^its licence forbids it: CC BY-NC 4\.0 permits no use for/],
    [modelOf('neurorvq-eeg'), ['neurorvq-eeg'], 'whole', 'forbidden', /^its licence forbids it/],
    [unpinned, ['robust-sleep-net'], 'whole', 'unusable', 'no hash of its weights is published'],
  ] as const)('%#', (model, enabled, held, status, reason) => {
    const standing = availabilityOf(model, { enabled, file: held });
    expect(standing.status).toBe(status);
    if (reason instanceof RegExp) expect(standing.reason).toMatch(reason);
    else expect(standing.reason).toBe(reason);
  });

  it('is a candidate by a git object id alone, which pins the exact bytes', () => {
    const byBlob: CataloguedModel = { ...sleep, file: { ...sleep.file, sha256: null, gitBlob: 'a'.repeat(40) } };
    expect(availabilityOf(byBlob, { enabled: null, file: 'whole' }).status).toBe('ready');
  });
});
