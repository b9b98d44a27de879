import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  electrodeNames,
  fillSites19,
  headPositionOf,
  mniToHead,
  positionOf,
  resolveChannels,
  sites19,
} from '../../ml/channels/index.ts';
import { biosemi64 } from '../../ml/channels/not-electrodes.ts';

/** Made by test/ml/golden/make-electrode-template.py with MNE 1.13.2. */
const golden = JSON.parse(readFileSync(new URL('golden/electrode-head-frame.json', import.meta.url), 'utf8')) as {
  head: Record<string, number[]>;
  nearest_of_C3_Cz_C4_metres: Record<string, number>;
  biosemi64: string[];
};
const only = (name: string, others: string[] = []) =>
  resolveChannels([name, ...others]).errors.find((error) => error.index === 0)!;

describe('the electrode template', () => {
  it('is the pinned file', () => {
    const bytes = readFileSync(new URL('../../ml/channels/template.json', import.meta.url));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '8a1dbb5f7eb0fd31f73d6cddc33d561d8ae91dd06154345d316e850d7c32376a',
    );
  });

  it('holds 335 electrodes, no fiducial and no reference', () => {
    expect(electrodeNames).toHaveLength(335);
    for (const name of ['A1', 'A2', 'M1', 'M2', 'Nz', 'LPA', 'RPA']) expect(positionOf(name)).toBeUndefined();
  });

  it('gives positions in metres, legacy names and any case included', () => {
    expect(positionOf('Cz')).toEqual([0.0004009, -0.009167, 0.100244]);
    expect(positionOf('t3')).toEqual(positionOf('T7'));
    expect(positionOf('FPZ')).toEqual(positionOf('Fpz'));
  });

  it.each(Object.entries(golden.head))('puts %s where MNE puts it in the head frame', (name, expected) => {
    headPositionOf(name)!.forEach((value, axis) => expect(value).toBeCloseTo(expected[axis], 6));
    mniToHead(positionOf(name)!).forEach((value, axis) => expect(value).toBeCloseTo(expected[axis], 6));
  });

  it('knows the 64-channel BioSemi cap as MNE lists it', () => expect(biosemi64).toEqual(golden.biosemi64));
});

describe('channel names', () => {
  it('reads 10-20, 10-10, 10-05 and legacy names in any case', () => {
    const { names, renamed, errors } = resolveChannels([
      'Fp1',
      'cz',
      'FPZ',
      'T3',
      't4',
      'T5',
      'T6',
      'FCC5h',
      'poz',
      'ttp7H',
      'AFp3',
      'O9',
    ]);
    expect(errors).toEqual([]);
    expect(names).toEqual(['Fp1', 'Cz', 'Fpz', 'T7', 'T8', 'P7', 'P8', 'FCC5h', 'POz', 'TTP7h', 'AFp3', 'I1']);
    expect(renamed).toEqual({
      cz: 'Cz',
      FPZ: 'Fpz',
      T3: 'T7',
      t4: 'T8',
      T5: 'P7',
      T6: 'P8',
      poz: 'POz',
      ttp7H: 'TTP7h',
      O9: 'I1',
    });
  });

  it('reads its own spelling of every electrode as itself', () => {
    expect(resolveChannels(electrodeNames)).toEqual({ names: [...electrodeNames], renamed: {}, errors: [] });
  });

  it.each([
    ['EOG', 'eye channel'],
    ['HEOG', 'eye channel'],
    ['VEOGL', 'eye channel'],
    ['ROC', 'eye channel'],
    ['EOG left', 'eye channel'],
    ['ECG', 'heart'],
    ['EKG1', 'heart'],
    ['EMG Chin', 'muscle'],
    ['STI 014', 'trigger'],
    ['Status', 'trigger'],
    ['TRIGGER', 'trigger'],
    ['Event marker', 'trigger'],
    ['A1', 'reference'],
    ['a2', 'reference'],
    ['M1', 'reference'],
    ['EEG A2', 'reference'],
    ['CMS', 'reference'],
    ['Fp1-F7', 're-reference'],
    ['EEG Fpz-Cz', 're-reference'],
    ['T3-T5', 're-reference'],
    ['C3-A1', 're-reference'],
    ['Fp1 - F7', 're-reference'],
    ['C17', 'cap-position'],
    ['D3', 'cap-position'],
    ['E17', 'amplifier or net'],
    ['EEG 003', 'amplifier or net'],
    ['12', 'amplifier or net'],
    ['Resp nasal', 'auxiliary'],
    ['Nz', 'landmark'],
    ['', 'empty'],
    ['CB1', 'cerebellum'],
    ['foo', 'not a 10-20'],
    ['P07', 'not a 10-20'],
    ['FCzz', 'not a 10-20'],
    ['CP33', 'not a 10-20'],
    ['E128', 'geodesic sensor net'],
    ['A12', 'BioSemi'],
    ['B7', 'BioSemi'],
    ['D32', 'BioSemi'],
  ])('explains %j and offers no name that would mislabel it', (name, words) => {
    expect(only(name).message).toContain(words);
    expect(only(name).alternatives).toEqual([]);
  });

  it.each([
    ['EEG Fpz-REF', 'Fpz'],
    ['EEG Fpz', 'Fpz'],
    ['EEG FP1-LE', 'Fp1'],
    ['Cz-Ref', 'Cz'],
    ['Fc5.', 'FC5'],
    ['C3..', 'C3'],
    ['Iz.', 'Iz'],
    [' F8', 'F8'],
    ['EEG T3-REF', 'T7'],
    ['POL C3', 'C3'],
    ['POL T3-Ref', 'T7'],
    ['EEG Fz REF', 'Fz'],
    ['Ｃ３', 'C3'],
    ['C\u200b3', 'C3'],
    ['0z', 'Oz'],
    ['P0z', 'POz'],
  ])('offers for %j the name %s', (name, site) => {
    const { message, alternatives } = only(name);
    expect(message).toContain(`\`${name}\``);
    expect(message).toContain(`\`${site}\``);
    expect(alternatives[0]).toBe(site);
  });

  it('reads A1 as a cap position among cap positions, but as a reference among electrodes', () => {
    expect(only('A1', ['A3', 'B7']).message).toContain('BioSemi');
    expect(only('A1', ['Cz', 'C3']).message).toContain('reference');
  });

  it('reads E1 as an electrode of a net among others of the net and as an eye channel among electrodes', () => {
    const net = Array.from({ length: 128 }, (_, at) => `E${at + 1}`);
    expect(resolveChannels(net).errors.map(({ message }) => message.includes('geodesic sensor net'))).toEqual(
      net.map(() => true),
    );
    expect(only('E1', ['C3', 'Cz']).message).toContain('eye channel');
  });

  it('offers the sites of a BioSemi cap of 64 where all its labels are sent, and nothing of a larger cap', () => {
    const cap = (banks: string) =>
      Array.from(banks).flatMap((bank) => Array.from({ length: 32 }, (_, at) => `${bank}${at + 1}`));
    expect(resolveChannels(cap('AB')).errors.map(({ alternatives }) => alternatives[0])).toEqual(biosemi64);
    const larger = resolveChannels(cap('ABCD')).errors;
    expect(larger).toHaveLength(128);
    for (const { alternatives, message } of larger) {
      expect(message).toContain('BioSemi');
      expect(alternatives).toEqual([]);
    }
  });

  it('names both rows of an electrode sent twice, also under its legacy name', () => {
    const { errors } = resolveChannels(['T3', 'Cz', 'T7', 'CZ']);
    expect(errors.map((error) => error.index)).toEqual([2, 3]);
    expect(errors[0].message).toContain('`T3` and `T7` are the electrode `T7` twice, in rows 0 and 2');
  });

  it('never offers a name that is taken, nor one name twice', () => {
    const { errors } = resolveChannels(['Pz', 'EEG Pz', 'EEG P3', 'P3-Ref']);
    expect(errors.map(({ alternatives }) => alternatives)).toEqual([[], ['P3'], []]);
  });

  it('answers 20,000 strange names in under two seconds', () => {
    const started = performance.now();
    const { errors } = resolveChannels(Array.from({ length: 20_000 }, (_, i) => `strange-name-${i}-${'x'.repeat(60)}`));
    expect(errors).toHaveLength(20_000);
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

describe('the 19 fixed sites', () => {
  it('takes sites by name, legacy names included', () => {
    const filled = fillSites19(['T3', 'Cz']);
    expect(filled.exact).toEqual(['T7', 'Cz']);
    expect(filled.rows[sites19.indexOf('T7')]).toBe(0);
  });

  it('feeds three of the 19 sites from C3, Cz, C4: every other site is more than 60 mm away', () => {
    const filled = fillSites19(['C3', 'Cz', 'C4']);
    expect(filled.rows.filter((row) => row >= 0)).toHaveLength(3);
    for (const site of filled.silent) expect(golden.nearest_of_C3_Cz_C4_metres[site]).toBeGreaterThan(0.06);
  });

  it('borrows from the nearest electrode within 60 mm and says how far it is', () => {
    const filled = fillSites19(['FC3', 'C1', 'Oz']);
    expect(filled.borrowed.C3).toEqual({ from: 'FC3', millimetres: 35.8 });
    expect(filled.borrowed.O1.from).toBe('Oz');
    expect(filled.silent).toContain('F8');
  });

  it('borrows nothing with reject', () => {
    const filled = fillSites19(['FC3', 'C1', 'Cz'], undefined, 'reject');
    expect(filled.rows.filter((row) => row >= 0)).toHaveLength(1);
    expect(filled.borrowed).toEqual({});
  });

  it('measures from the positions a caller sends', () => {
    const atF8 = headPositionOf('F8')!;
    expect(fillSites19(['FT8'], [atF8]).borrowed.F8).toEqual({ from: 'FT8', millimetres: 0 });
    expect(fillSites19(['FT8'], [[0, 0, 1]]).silent).toHaveLength(19);
  });
});
