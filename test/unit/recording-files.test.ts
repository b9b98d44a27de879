import { afterAll, describe, expect, it } from 'vitest';
import { cutFiles } from '../../clients/dashboard/models/file/cut.ts';
import { summaryOf } from '../../clients/dashboard/models/file/summary.ts';
import { openRecordings, type GivenFile } from '../../infra/recordings/open-recordings.ts';
import type { Said } from '../../infra/recordings/recording.ts';
import { makeBugInputs } from '../support/bug-inputs.ts';

interface Expected {
  readonly said?: Said;
  /** Electrodes that are read. */
  readonly channels?: readonly string[];
  readonly rateHz?: number;
  /** Text → how often. */
  readonly events?: Readonly<Record<string, number>>;
  /** Trials of 1 s (30 s for stages). */
  readonly trials?: number;
  /** Part of a notice or of a note. */
  readonly told?: readonly string[];
  readonly files?: readonly string[];
}

const three = ['C3', 'C4', 'Cz'];
const ones = { T1: 12, T2: 12 };
const plain: Expected = { channels: three, rateHz: 128, events: ones, trials: 24 };
const stages = { 'Sleep stage W': 24, 'Sleep stage N2': 43, 'Sleep stage N3': 13 };

/** The right answers for files after public bug reports. */
const answers: Readonly<Record<string, Expected>> = {
  'b01_edf_d_gap.edf': { ...plain, told: ['a pause of 11 s in all, the first after 27 s'] },
  'b01_edf_d_nogap.edf': plain,
  'b02_latin1.edf': { ...plain, events: { 'main serrée': 12, 'main relâchée': 12 }, told: ['read as Latin-1'] },
  'b02_latin1_twins.edf': { ...plain, events: { é: 12, è: 12 }, told: ['read as Latin-1'] },
  'b02_utf8.edf': { ...plain, events: { 左手: 12, 右手: 12 } },
  'b03_psg_rates.edf': { channels: ['C3', 'C4'], rateHz: 256, events: ones, trials: 24, told: ['reference (CLE)'] },
  'b03_psg_rates_plain.edf': { channels: ['C3', 'C4'], rateHz: 256, events: ones, trials: 24, told: ['(A2, A1)'] },
  'b04_suffixes.edf': {
    channels: ['Fp1', 'F3', 'C3', 'P3', 'O1', 'F4', 'C4', 'T7', 'Fp2', 'Pz', 'Cz'],
    rateHz: 128,
    trials: 24,
    told: ['taken off the name'],
  },
  'b05_nul_numbers.edf': plain,
  'b06_unit_blank.edf': { ...plain, told: ['C3, C4, Cz: the file gives no unit. The values are read as uV'] },
  'b06_unit_dotV.edf': { ...plain, told: ['the unit ".V". The values are read as uV'] },
  'b06_unit_micro_latin1.edf': plain,
  'b07_records_2s.edf': plain,
  'b07_records_08s.edf': { channels: three, rateHz: 156.25, trials: 24 },
  'b07_rate_250_00025.edf': { channels: three, trials: 24 },
  'b08_records_unknown.edf': plain,
  'b08_records_too_many.edf': { ...plain, told: ['promises 600 data records and 54 are there'] },
  'b09_physical_equal.edf': { ...plain, said: { unit: 'uV' }, told: ['no usable range'] },
  'b09_physical_reversed.edf': plain,
  'b11_biosemi.bdf': { channels: three, rateHz: 128, events: { '1': 12, '257': 12 }, trials: 24 },
  'b12_no_duration.edf': plain,
  'b12_no_sign.edf': plain,
  'b13_subsecond_start.edf': plain,
  'b14_emotiv_offset.edf': { channels: ['AF3', 'F7', 'F3'], rateHz: 128, events: ones, trials: 24 },
  'b15_others.edf': { channels: ['C3', 'C4'], rateHz: 128, events: ones, trials: 24 },
  'b16_stage_runs.edf': { rateHz: 16, events: stages, trials: 80, told: ['12 sleep stages', '80 epochs of 30 s'] },
  'b16_stage_epochs.edf': { rateHz: 16, events: stages, trials: 80 },
  'b17_plus.edf': { ...plain, events: { 'CS+': 12, 'CS-': 12 } },
  'b18_bad_span.edf': {
    ...plain,
    events: { ...ones, BAD_artifact: 1 },
    trials: 20,
    told: ['4 of 24 trials overlap parts'],
  },
  'b21_trigger_channel.edf': { ...plain, events: { '1': 12, '2': 12 }, told: ['the channel "TRIGGER"'] },
  'b22_declared_mV.edf': plain,
  'b23_common_reference.edf': { channels: ['C3', 'C4', 'Cz', 'Pz'], rateHz: 128, trials: 24, told: ['(CPz)'] },
  's1_epochs.set': { channels: three, rateHz: 128, trials: 24, told: ['holds 24 epochs from 0 to 1 s'] },
  'bv1.vhdr': { channels: three, rateHz: 128, files: ['bv1.vhdr', 'bv1.vmrk', 'bv1.eeg'], trials: 32 },
  'b23_common_fz.edf': { channels: ['C3', 'C4', 'Cz', 'Pz'], rateHz: 128, trials: 24, told: ['(Fz)'] },
};

const inputs = await makeBugInputs();
const rows: string[] = [];
afterAll(async () => {
  if (rows.length > 0) process.stdout.write(`\nfile | dashboard and demo\n${rows.join('\n')}\n`);
  await inputs?.remove();
});

/** What the dashboard reads of some files, and the trials that it cuts with every event as a class. */
function answerOf(files: readonly GivenFile[], said: Said) {
  const recordings = openRecordings(files, said);
  const { files: read, channels, events, notices, rateHz } = summaryOf(recordings, said);
  const electrodes = channels.flatMap(({ electrode }) => electrode ?? []);
  const texts = events.filter(({ text }) => !/^bad/i.test(text)).map(({ text }) => text);
  const classes = Object.fromEntries(texts.map((text) => [text, text]));
  const sleeps = texts.some((text) => /sleep/i.test(text));
  const cut = cutFiles(recordings, { classes, window: [0, sleeps ? 30 : 1], electrodes, said });
  return {
    electrodes,
    rateHz,
    events: Object.fromEntries(events.map(({ text, count }) => [text, count])),
    trials: cut.trials.labels.length,
    told: [...read.flatMap((each) => each.notices), ...notices, ...cut.notes].join(' '),
  };
}

describe.skipIf(!inputs)('recordings after public bug reports', () => {
  it.each(Object.entries(answers))('%s', (file, expected) => {
    const { said = {}, files = [file] } = expected;
    if (!inputs!.has(file)) {
      rows.push(`${file} | not made here`);
      return;
    }
    let answer: ReturnType<typeof answerOf>;
    try {
      answer = answerOf(
        files.map((each) => inputs!.read(each)),
        said,
      );
    } catch (error) {
      rows.push(`${file} | refused: ${(error as Error).message}`);
      throw error;
    }
    const { electrodes, rateHz, trials, told, events } = answer;
    rows.push(`${file} | ${trials} trials, ${electrodes.join(' ')} at ${rateHz} Hz; ${told}`);
    expect(electrodes).toEqual(expected.channels ?? electrodes);
    expect(rateHz).toBe(expected.rateHz ?? rateHz);
    expect(events).toEqual(expected.events ?? events);
    expect(trials).toBe(expected.trials ?? trials);
    for (const words of expected.told ?? []) expect(told).toContain(words);
  });
});
