import { describe, expect, it } from 'vitest';
import { base64Of } from '../../clients/dashboard/models/file/body.ts';
import { filledIn } from '../../clients/dashboard/models/file/choice-of.ts';
import { batchesOf, cutFiles } from '../../clients/dashboard/models/file/cut.ts';
import { emptyDraft, saidOfOtherFiles, type Draft } from '../../clients/dashboard/models/file/draft.ts';
import { summaryOf, type NamedRecording } from '../../clients/dashboard/models/file/summary.ts';
import { createTasks } from '../../clients/dashboard/models/file/tasks.ts';
import { readRecording } from '../../infra/recordings/edf/read-recording.ts';
import { cutTrials } from '../../infra/recordings/epochs.ts';
import { faultOf } from '../../infra/recordings/fault.ts';
import { openRecordings } from '../../infra/recordings/open-recordings.ts';
import { writeEdf } from '../support/write-edf.ts';

const rateHz = 16;
const seconds = 24;
const ramp = (slope: number) => Array.from({ length: rateHz * seconds }, (_, i) => slope * (i % 500));
const bytes = writeEdf({
  rateHz,
  channels: [
    { label: 'EEG C3-REF', unit: 'uV', values: ramp(1) },
    { label: 'Cz..', unit: 'mV', values: ramp(0.5) },
    { label: 'EOG left', unit: 'uV', values: ramp(2) },
    { label: 'C4', unit: 'degC', values: ramp(1) },
  ],
  annotations: [
    ...Array.from({ length: 10 }, (_, i) => ({ onset: 2 * i, duration: 1.5, text: i % 2 ? 'T2' : 'T1' })),
    { onset: 23.5, duration: 1, text: 'T1' },
    { onset: 1, duration: 0, text: '<img src=x onerror=alert(1)>' },
  ],
});
const recording = readRecording(bytes);
const files: NamedRecording[] = [{ name: 'one.edf', recording }];

describe('a recording that is chosen in the browser', () => {
  it('its events are counted, and its channels are read as by the service, or have a reason', () => {
    const summary = summaryOf(files);
    expect(summary.events.map(({ text, count, seconds }) => [text, count, seconds])).toEqual([
      ['T1', 6, 1],
      ['T2', 5, 1.5],
      ['<img src=x onerror=alert(1)>', 1, 0],
    ]);
    expect(summary.channels.map(({ label, electrode }) => [label, electrode])).toEqual([
      ['EEG C3-REF', 'C3'],
      ['Cz..', 'Cz'],
      ['EOG left', null],
      ['C4', null],
    ]);
    expect(summary.channels[2].reason).toContain('an eye channel (EOG)');
    expect(summary.channels[3].reason).toBe('Its unit is "degC": uV, mV and V can be read.');
    expect(summary).toMatchObject({ rateHz, files: [{ name: 'one.edf', seconds, events: 12 }] });
  });

  it('a later file that says no unit asks for it, and says how its values are read', () => {
    const channels = recording.channels.map((channel) => ({ ...channel, unit: '' }));
    const later = { name: 'two.edf', recording: { ...recording, channels } };
    expect(summaryOf(files).needs.unit).toEqual(['C4']);
    const summary = summaryOf([...files, later]);
    expect(summary.needs.unit).toEqual(['C4', 'EEG C3-REF', 'Cz..']);
    expect(summary.files[0]!.notices).toEqual([]);
    expect(summary.files[1]!.notices.join(' ')).toContain('the file gives no unit');
    expect(summaryOf([...files, later], { unit: 'uV' }).needs.unit).toEqual([]);
  });

  it('other files are asked again for their unit and rate; names of channels stay', () => {
    const said = { unit: 'mV', rateHz: 250, names: { A: 'C3' }, cap: 'BioSemi32' };
    expect(saidOfOtherFiles(said)).toEqual({ names: { A: 'C3' }, cap: 'BioSemi32' });
  });

  it('a table without a rate asks for it', () => {
    const rows = Array.from({ length: 400 }, (_, i) => `${i},${Math.sin(i) * 20},${Math.cos(i) * 20}`);
    const table = [
      { name: 'table.csv', bytes: new TextEncoder().encode(['Sample Index,C3,C4', ...rows, ''].join('\n')) },
    ];
    const faults = [null, 250].map((rateHz) => {
      try {
        return openRecordings(table, rateHz === null ? {} : { rateHz })[0]!.recording.channels[0]!.rateHz;
      } catch (error) {
        return faultOf(error);
      }
    });
    expect(faults).toEqual(['no_rate', 250]);
  });

  it('its trials are those that the demo cuts, with the chosen channels only', () => {
    const choice = { classes: { T1: 'left', T2: 'right' }, window: [0, 1] as const, electrodes: ['Cz'] };
    const { trials, notes, batches, windowsPerTrial } = cutFiles(files, choice);
    const demo = cutTrials(recording, { labels: choice.classes, window: choice.window, session: 'one.edf' }).trials;
    expect(trials.labels).toEqual(demo.labels);
    expect(trials.channels).toEqual(['Cz']);
    const size = demo.samples;
    const own = demo.channels.indexOf('Cz');
    trials.labels.forEach((_, i) => {
      const from = (i * demo.channels.length + own) * size;
      expect(trials.x.subarray(i * size, (i + 1) * size)).toEqual(demo.x.subarray(from, from + size));
    });
    expect(notes).toEqual(['1 of 11 trials reach past the beginning or end of one.edf and are left out.']);
    expect([batches.length, windowsPerTrial]).toEqual([1, 1]);
  });

  it('two files are two sessions; one that lacks a channel or every event is named', () => {
    const other = { name: 'two.edf', recording };
    const choice = { classes: { T1: 'left', T2: 'right' }, window: [0, 1] as const, electrodes: ['C3', 'Cz'] };
    expect(new Set(cutFiles([...files, other], choice).trials.sessions)).toEqual(new Set(['one.edf', 'two.edf']));
    const bare = { name: 'bare.edf', recording: { ...recording, channels: recording.channels.slice(1) } };
    expect(() => cutFiles([...files, bare], choice)).toThrow('bare.edf lacks C3');
    const still = { name: 'still.edf', recording: { ...recording, annotations: [] } };
    expect(cutFiles([...files, still], choice).notes).toContain('still.edf has none of the chosen events.');
    expect(() => cutFiles([still], choice)).toThrow('No trial lies within the recording');
  });

  it('the request has the signal in microvolts as base64, labels, and sessions if there are two', async () => {
    const tasks = createTasks();
    await tasks.open([new File([bytes as Uint8Array<ArrayBuffer>], 'a.edf')]);
    const cut = tasks.cut({ classes: { T1: 'l', T2: 'r' }, window: [0, 1], electrodes: ['C3', 'Cz'] });
    expect(cut).toMatchObject({ trialsPerClass: { l: 5, r: 5 }, samples: 16, channels: 2, batches: [10], windows: 10 });
    const details = { name: null, description: 'fists', expires_at: null, baselineSeconds: null };
    const body = JSON.parse(tasks.create(details, true));
    expect(body).toMatchObject({ shape: [10, 2, 16], units: 'uV', dry_run: true, channels: ['C3', 'Cz'] });
    expect(body).not.toHaveProperty('sessions');
    expect(body).not.toHaveProperty('defer_fit');
    const x = new Float32Array(Uint8Array.from(Buffer.from(body.x, 'base64')).buffer);
    expect(x).toHaveLength(10 * 2 * 16);
    expect(x[16 + 3] / x[3]).toBeCloseTo(500, 0);
  });

  it('a file that is no recording is refused with its name and the message of the reader', async () => {
    await expect(createTasks().open([new File(['no recording'], '<b>.edf')])).rejects.toThrow(
      '<b>.edf cannot be read. This is not an EDF or BDF file',
    );
  });
});

describe('trials beyond one request', () => {
  const labels = Array.from({ length: 103 }, (_, i) => (i < 90 ? 'a' : 'b'));

  it('are shuffled and divided so that each request has every class, each trial once', () => {
    const batches = batchesOf(labels, 25);
    expect(batches).toHaveLength(5);
    expect(batches.flat().sort((a, b) => a - b)).toEqual(labels.map((_, i) => i));
    for (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(25);
      expect(new Set(batch.map((row) => labels[row]))).toEqual(new Set(['a', 'b']));
      expect(batch).not.toEqual([...batch].sort((a, b) => a - b));
    }
    expect(batchesOf(labels, 25)).toEqual(batches);
  });

  it('are unchanged if they fit into one request', () => {
    expect(batchesOf(labels, 103)).toEqual([labels.map((_, i) => i)]);
  });
});

describe('the form of a create', () => {
  const summary = summaryOf(files);
  const draft = (changes: Partial<Draft> = {}): Draft => ({
    ...emptyDraft,
    classes: { T1: 'left', T2: ' right ' },
    from: '-0.5',
    to: '2',
    leftOut: ['C3'],
    description: 'fists',
    mode: 'live',
    ...changes,
  });

  it('becomes classes, a window and details', () => {
    expect(filledIn(draft(), summary)).toEqual({
      choice: { classes: { T1: 'left', T2: 'right' }, window: [-0.5, 2], electrodes: ['Cz'], said: {} },
      details: { name: null, description: 'fists', expires_at: null, baselineSeconds: 0.5 },
      mode: 'live',
    });
    expect(filledIn(draft({ hasBaseline: false, mode: 'test' }), summary)).toMatchObject({
      details: { baselineSeconds: null },
      mode: 'test',
    });
  });

  it.each([
    ['class-0', { classes: { T1: 'left', T2: 'left' } }, 'at least 2 classes; so far there are 1'],
    ['from', { from: '' }, 'has to be a number'],
    ['to', { to: '-1' }, 'not after its beginning'],
    ['electrodes', { leftOut: ['C3', 'Cz'] }, 'at least one channel'],
    ['description', { description: ' ' }, 'what the task is'],
  ])('is refused at the field %s', (field, changes, words) => {
    try {
      filledIn(draft(changes), summary);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ error: { field, message: expect.stringContaining(words) } });
    }
  });
});

it('base64 is that of the bytes, however many', () => {
  const values = Float32Array.from({ length: 40_000 }, (_, i) => Math.sin(i));
  expect(base64Of(values)).toBe(Buffer.from(values.buffer).toString('base64'));
});
