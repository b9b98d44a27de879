import { RecordingFault } from '../fault.ts';
import { eitherText, latin1Text, shown } from '../text.ts';

/** Differences between EDF (Kemp et al. 1992), EDF+ (Kemp & Olivan 2003), BDF and BDF+ (BioSemi). */
interface RecordingFormat {
  readonly name: 'EDF' | 'BDF';
  /** The first eight bytes. */
  readonly magic: string;
  /** Bytes of one sample: a little-endian two's complement integer. */
  readonly sampleBytes: 2 | 3;
  /** Label of the signals that contain annotations. */
  readonly annotationLabel: string;
  /** Label, in lower case, of the signal whose low 16 bits are triggers; null: the format has none. */
  readonly statusLabel: string | null;
}

const formats: readonly RecordingFormat[] = [
  { name: 'EDF', magic: '0       ', sampleBytes: 2, annotationLabel: 'EDF Annotations', statusLabel: null },
  { name: 'BDF', magic: '\u00FFBIOSEMI', sampleBytes: 3, annotationLabel: 'BDF Annotations', statusLabel: 'status' },
];

export interface RecordedSignal {
  /** As written in the file. */
  readonly label: string;
  readonly unit: string;
  /** Samples in one data record. */
  readonly perRecord: number;
  /** Where its samples begin in a data record, bytes. */
  readonly at: number;
  /** Physical value = digital value × gain + offset. null: the file gives no usable range. */
  readonly scale: { readonly gain: number; readonly offset: number } | null;
}

export interface RecordingHeader {
  readonly format: RecordingFormat;
  /** EDF+D or BDF+D: data records may be apart in time. */
  readonly discontinuous: boolean;
  readonly headerBytes: number;
  readonly records: number;
  readonly recordSeconds: number;
  readonly recordBytes: number;
  readonly signals: readonly RecordedSignal[];
  /** Seconds from 1970 on the recorder's clock; null: not a date. */
  readonly startsAt: number | null;
  /** Sentences about the parts of the header that are wrong. */
  readonly notices: readonly string[];
}

const fixedBytes = 256;
const highestRateHz = 1e6;
const longestRecordSeconds = 86_400;
/** Values are stored as 32-bit floats. */
const largestValue = 3.4e38;

/**
 * Reads the header of an EDF, EDF+, BDF or BDF+ file of `bytes.length` bytes and compares it with that length. Throws a
 * RecordingFault.
 */
export function readHeader(bytes: Uint8Array): RecordingHeader {
  const raw = (at: number, length: number): string => latin1Text(bytes, at, at + length);
  const format = formats.find(({ magic }) => raw(0, 8).replaceAll('\0', ' ') === magic);
  if (!format)
    throw new RecordingFault(
      'not_a_recording',
      'This is not an EDF or BDF file. Export it as EDF+ from your recording software.',
    );
  if (bytes.length < fixedBytes)
    throw new RecordingFault(
      'cut_short',
      `It is cut short: a header has ${fixedBytes} bytes and the file ${bytes.length}.`,
    );
  const count = wholeNumber(raw(252, 4), 'the number of signals', 1);
  const headerBytes = wholeNumber(raw(184, 8), 'the length of the header', fixedBytes);
  if (headerBytes !== fixedBytes * (count + 1))
    throw damaged(`${count} signals need ${fixedBytes * (count + 1)} header bytes and ${headerBytes} are declared`);
  if (headerBytes > bytes.length)
    throw new RecordingFault(
      'cut_short',
      `It is cut short: its header has ${headerBytes} bytes and the file ${bytes.length}.`,
    );
  const recordSeconds = decimal(raw(244, 8), 'the length of a data record');
  if (recordSeconds < 0 || recordSeconds > longestRecordSeconds)
    throw damaged(`its data records last ${recordSeconds} s (0 to ${longestRecordSeconds} s is possible)`);
  const signals = readSignals(bytes, raw, count, format, recordSeconds);
  const recordBytes = signals.reduce((sum, { perRecord }) => sum + perRecord * format.sampleBytes, 0);
  const { records, notices } = countRecords(raw(236, 8), bytes.length - headerBytes, recordBytes);
  return {
    format,
    discontinuous: raw(192, 5) === `${format.name}+D`,
    headerBytes,
    records,
    recordSeconds,
    recordBytes,
    signals,
    startsAt: startOf(raw(168, 8), raw(176, 8)),
    notices,
  };
}

/** Seconds from 1970 of a date (`dd.mm.yy`, 1985 to 2084) and a time (`hh.mm.ss`). */
function startOf(date: string, time: string): number | null {
  const [, day, month, year] = /^(\d\d)[.:/-](\d\d)[.:/-](\d\d)/.exec(date) ?? [];
  const [, hours, minutes, seconds] = /^(\d\d)[.:](\d\d)[.:](\d\d)/.exec(time) ?? [];
  if (day === undefined || hours === undefined) return null;
  const whole = Number(year) + (Number(year) >= 85 ? 1900 : 2000);
  return Date.UTC(whole, Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds)) / 1000;
}

/**
 * Number of data records of a file, by its length: recorders write -1 if they did not know the number, and crashed
 * ones leave another. Bytes of a last record that is not whole are ignored.
 */
function countRecords(field: string, dataBytes: number, recordBytes: number): { records: number; notices: string[] } {
  const declared = wholeNumber(field, 'the number of data records', -1);
  const records = recordBytes === 0 ? Math.max(0, declared) : Math.floor(dataBytes / recordBytes);
  if (records === 0)
    throw new RecordingFault(
      declared > 0 ? 'cut_short' : 'no_data',
      `It holds no data: ${declared} data records are declared and ${records} are there. Record or export it again.`,
    );
  if (declared === -1 || declared === records) return { records, notices: [] };
  return {
    records,
    notices: [
      `Its header promises ${declared} data records and ${records} are there, so the recorder was probably not ` +
        `stopped properly. The ${records} that are there are read.`,
    ],
  };
}

function readSignals(
  bytes: Uint8Array,
  raw: (at: number, length: number) => string,
  count: number,
  format: RecordingFormat,
  recordSeconds: number,
): RecordedSignal[] {
  let at = 0;
  return Array.from({ length: count }, (_, i) => {
    const field = (bytesBefore: number, width: number): string =>
      raw(fixedBytes + bytesBefore * count + i * width, width);
    const words = (bytesBefore: number, width: number): string => {
      const from = fixedBytes + bytesBefore * count + i * width;
      return untilNul(eitherText(bytes.subarray(from, from + width))).trim();
    };
    const label = words(0, 16);
    const named = `signal ${i + 1} (${shown(label)})`;
    const perRecord = wholeNumber(field(216, 8), `the samples in a data record of ${named}`, 1);
    const signal = { label, unit: words(96, 8), perRecord, at };
    at += perRecord * format.sampleBytes;
    if (label === format.annotationLabel) return { ...signal, scale: null };
    if (!(perRecord / recordSeconds <= highestRateHz))
      throw damaged(`${named} has ${perRecord} samples in data records of ${recordSeconds} s`);
    const [low, high, digitalLow, digitalHigh] = [104, 112, 120, 128].map((before) =>
      decimal(field(before, 8), `the range of ${named}`),
    );
    const gain = (high - low) / (digitalHigh - digitalLow);
    const offset = low - digitalLow * gain;
    const largest = Math.abs(offset) + Math.abs(gain) * 2 ** (8 * format.sampleBytes - 1);
    return { ...signal, scale: gain !== 0 && largest < largestValue ? { gain, offset } : null };
  });
}

const damaged = (what: string): RecordingFault =>
  new RecordingFault('damaged_header', `Its header is damaged: ${what}.`);

/** Some recorders fill their cells with NUL instead of blanks. */
const untilNul = (text: string): string => text.split('\0', 1)[0];

/** A number of at most eight characters; some recorders write a decimal comma. */
function decimal(field: string, what: string): number {
  const text = untilNul(field).trim().replace(',', '.');
  const value = Number(text);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) || !Number.isFinite(value))
    throw damaged(`${what} is "${shown(field)}", not a number`);
  return value;
}

function wholeNumber(field: string, what: string, least: number): number {
  const value = decimal(field, what);
  if (!Number.isInteger(value) || value < least)
    throw damaged(`${what} is ${shown(field)} (whole numbers from ${least} are possible)`);
  return value;
}
