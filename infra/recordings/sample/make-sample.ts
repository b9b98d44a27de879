import { readFileSync, writeFileSync } from 'node:fs';
import { readRecording } from '../edf/read-recording.ts';
import type { Recording } from '../recording.ts';
import { sampleElectrodes, sampleEvents, sampleNames } from './sample.ts';

/**
 * Makes the files of this folder again from the published ones: `node infra/recordings/sample/make-sample.ts FOLDER`,
 * where FOLDER holds `S001R06.edf`, `S001R10.edf` and `S001R14.edf` of the EEG Motor Movement/Imagery Database 1.0.0.
 * Samples keep their published values. README.md says what is left out.
 */

const runs = ['06', '10', '14'] as const;
const rateHz = 160;
/** Data records of one second that are kept. */
const seconds = 100;
const annotationBytes = 64;

const cell = (text: string | number, width: number): string => String(text).padEnd(width).slice(0, width);

/** The name of an electrode as published (`Fc3.`) and as written here (`FC3`). */
const isChannel = (published: string, name: string): boolean =>
  published.replaceAll('.', '').toUpperCase() === name.toUpperCase();

function edfOf(recording: Recording, run: string): Buffer {
  const channels = sampleElectrodes.map((name) => recording.channels.find(({ label }) => isChannel(label, name))!);
  const signals = [...sampleElectrodes, 'EDF Annotations'];
  const column = (width: number, of: (isSignal: boolean, i: number) => string | number): string =>
    signals.map((_, i) => cell(of(i < channels.length, i), width)).join('');
  const header = [
    cell('0', 8),
    cell('X X X X', 80),
    cell(`Startdate X X X EEGMMIDB_1.0.0_S001R${run}_extract_ODC-BY_1.0`, 80),
    cell('01.01.01', 8),
    cell('00.00.00', 8),
    cell(256 * (signals.length + 1), 8),
    cell('EDF+C', 44),
    cell(seconds, 8),
    cell(1, 8),
    cell(signals.length, 4),
    column(16, (_, i) => signals[i]),
    column(80, () => ''),
    column(8, (isSignal) => (isSignal ? 'uV' : '')),
    column(8, (isSignal) => (isSignal ? -8092 : -1)),
    column(8, (isSignal) => (isSignal ? 8092 : 1)),
    column(8, (isSignal) => (isSignal ? -8092 : -32_768)),
    column(8, (isSignal) => (isSignal ? 8092 : 32_767)),
    column(80, () => ''),
    column(8, (isSignal) => (isSignal ? rateHz : annotationBytes / 2)),
    column(32, () => ''),
  ].join('');
  const records = Array.from({ length: seconds }, (_, second) => {
    const samples = channels.map(({ values }) =>
      Int16Array.from(values.subarray(second * rateHz, (second + 1) * rateHz)),
    );
    return Buffer.concat([...samples.map(({ buffer }) => Buffer.from(buffer)), notesOf(recording, second)]);
  });
  return Buffer.concat([Buffer.from(header, 'latin1'), ...records]);
}

/** Time-stamped annotation lists of one data record. */
function notesOf({ annotations }: Recording, second: number): Buffer {
  const lists = annotations
    .filter(({ onset }) => Math.floor(onset) === second)
    .map(({ onset, duration, text }) => `+${onset}\u0015${duration}\u0014${sampleEvents[text as 'T0']}\u0014\0`);
  const bytes = Buffer.alloc(annotationBytes);
  if (bytes.write([`+${second}\u0014\u0014\0`, ...lists].join(''), 'latin1') >= annotationBytes)
    throw new Error(`The annotations of second ${second} need more than ${annotationBytes} bytes.`);
  return bytes;
}

/** The files by name. */
export const makeSample = (folder: string): Record<string, Buffer> =>
  Object.fromEntries(
    runs.map((run, i) => [sampleNames[i], edfOf(readRecording(readFileSync(`${folder}/S001R${run}.edf`)), run)]),
  );

if (import.meta.main)
  for (const [name, bytes] of Object.entries(makeSample(process.argv[2])))
    writeFileSync(new URL(name, import.meta.url), bytes);
