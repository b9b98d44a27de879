import { describe, expect, it } from 'vitest';
import {
  dataSetOf,
  dataSets,
  filesOf,
  officialAddress,
  peopleOf,
  runsOf,
} from '../../infra/contract/reference-data/data-sets.ts';
import { type DataSet, dataSetSchema } from '../../infra/contract/reference-data/data-set-schema.ts';
import { resolveChannels } from '../../ml/channels/index.ts';

describe.each(dataSets.map((set) => [set.id, set] as const))('data set %s', (id, set) => {
  it('is as the schema says', () => {
    expect(dataSetSchema.safeParse(set).error?.issues ?? []).toEqual([]);
  });

  it('is found by its id, and names electrodes of the 10-05 system in canonical spelling, each once', () => {
    expect(dataSetOf(id)).toBe(set);
    expect(resolveChannels(set.electrodes)).toMatchObject({ names: set.electrodes, errors: [] });
  });

  it('has every run of every task of every person', () => {
    const people = peopleOf(set);
    for (const task of set.tasks) expect(filesOf(set, runsOf(task))).toHaveLength(people.length * runsOf(task).size);
  });
});

it('contains the movement database as its site stores it, without the four people with known faults', () => {
  const set = dataSetOf('eegmmidb');
  expect(peopleOf(set)).toHaveLength(105);
  expect(set.excluded.map(({ person }) => person)).toEqual(['S088', 'S089', 'S092', 'S100']);
  const [file] = filesOf(set, new Set(['06']), new Set(['S001']));
  expect(file).toEqual({
    person: 'S001',
    run: '06',
    path: 'S001/S001R06.edf',
    bytes: 2_596_896,
    sha256: '5369364f2c4e81ca141679d6dd2ba6ece61c7eb53d7fae31241b308876e1b6b3',
  });
  expect(officialAddress(set, file)).toBe('https://physionet.org/files/eegmmidb/1.0.0/S001/S001R06.edf');
});

it('contains a P300 set whose addresses are the hashes of its files', () => {
  const set = dataSetOf('brain-invaders-2014a');
  expect(peopleOf(set)).toHaveLength(64);
  expect(officialAddress(set, filesOf(set)[0])).toBe(
    'https://nemar.s3.us-east-2.amazonaws.com/nm000244/objects/' +
      'SHA256E-s20166336--5776df430e5589e8d7558ba7295b38c907efd98f22a37b602941700d61c8d0fd.bdf',
  );
});

it('lists the known data sets if an unknown one is requested', () => {
  expect(() => dataSetOf('none')).toThrow('There is no data set "none", but eegmmidb and brain-invaders-2014a.');
});

describe('the schema', () => {
  const good = structuredClone(dataSetOf('eegmmidb')) as DataSet;
  const faults = (change: (set: DataSet) => void): string => {
    const set = structuredClone({ ...good, files: good.files.slice(0, 14) }) as DataSet;
    change(set);
    return (
      dataSetSchema
        .safeParse(set)
        .error?.issues.map(({ message }) => message)
        .join() ?? ''
    );
  };

  it.each<[string, (set: DataSet) => void]>([
    ['S001 is excluded and has files', (set) => (set.excluded[0].person = 'S001')],
    ['run 01 of S001 stands twice', (set) => set.files.push(set.files[0])],
    ['takes run 99, of which there is no file', (set) => (set.tasks[0].classes[0].takes[0].runs[0] = '99')],
    [
      'one annotation of eyes-open-closed is of two classes',
      (set) => (set.tasks[0].classes[1] = { ...set.tasks[0].classes[0], id: 'x' }),
    ],
    ['share an id', (set) => (set.tasks[0].classes[1].id = 'eyes_open')],
    ['the address speaks of {name}', (set) => (set.address += '{name}')],
    ['Invalid', (set) => (set.files[0][3] = 'A'.repeat(64))],
    ['a sentence', (set) => (set.tasks[0].classes[0].does = 'sits')],
  ])('refuses: %s', (message, change) => {
    expect(faults(() => undefined)).toBe('');
    expect(faults(change)).toContain(message);
  });
});
