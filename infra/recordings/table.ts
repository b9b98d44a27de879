import { RecordingFault } from './fault.ts';
import type { Gap, RecordedChannel, Recording, Said } from './recording.ts';
import { numberIn, splitWayOf, splitWays, unquoted, type SplitLine } from './table-cells.ts';
import { isTriggerName } from './trigger-channel.ts';
import { eitherText, latin1Text, shown } from './text.ts';

const mostBytes = 200 * 2 ** 20;
const mostColumns = 512;
const mostLineCharacters = 100_000;
const least = 2;
/** Shorter steps between time stamps are no pause, seconds: some programs write the stamps of many samples at once. */
const leastPause = 0.3;
const clock = /^(?:time ?stamps?|time|seconds|lsl_?time(?:stamp)?)(?:\s*[([].*)?$/i;
const sampleIndex = /^(?:sample ?index|index|sample|packet.*)$/i;
/** Columns that are derived from the signal or belong to the device. */
const other =
  /^(?:(?:delta|theta|alpha|beta|gamma)_|accel|gyro|headband|hsi_|battery|elements|other|analog|not used|optics|ppg)/i;
/** A unit behind the name of a column: `C3 (mV)`, `C4 [uV]`. */
const unitInName = /^(.+?)\s*[([]\s*([munµμ]?v)\s*[)\]]$/i;
/** Electrodes of the Muse, whose tables are in microvolts as those of OpenBCI are. */
const museNames = ['TP9', 'AF7', 'AF8', 'TP10'] as const;
const usualRates = [100, 125, 128, 200, 220, 250, 256, 300, 500, 512, 1000, 1024, 2000, 2048];

/** Whether a file is a table of samples as text: OpenBCI's raw data, Muse and similar CSV files. */
export const isTable = (bytes: Uint8Array): boolean => {
  const start = latin1Text(bytes, 0, Math.min(bytes.length, 2_000)).replace(/^ï»¿/, '');
  if (/^%\s*OpenBCI/i.test(start)) return true;
  const [line] = start.split(/\r?\n/, 1);
  return splitWays.some((each) => {
    const cells = each(line);
    return cells.length > least && cells.some((cell) => clock.test(cell) || sampleIndex.test(cell));
  });
};

interface Head {
  readonly names: readonly string[];
  readonly split: SplitLine;
  readonly rateHz: number | null;
  /** Where the samples begin. */
  readonly at: number;
  readonly isOpenBci: boolean;
}

/**
 * Reads a table of samples, one row each. Texts in a column of markers become annotations. The rate comes from the
 * person, the file or its time stamps. Lines without numbers are left out and counted. Throws a RecordingFault.
 */
export function readTable(bytes: Uint8Array, said: Said): Recording {
  if (bytes.length > mostBytes)
    throw new RecordingFault(
      'not_readable',
      `It has ${Math.ceil(bytes.length / 2 ** 20)} MiB of text, and 200 MiB can be read. Cut it into parts.`,
    );
  const text = eitherText(bytes).replace(/^\uFEFF/, '');
  const head = headOf(text);
  const { columns, skipped, rows, marks } = columnsOf(text, head);
  if (rows < least) throw new RecordingFault('no_data', 'It holds no rows of numbers. Export it again.');
  const timeAt = head.names.findIndex((name) => clock.test(name));
  const stamps = timeAt === -1 ? null : inSeconds(columns[timeAt]);
  const { rateHz, notice } = rateOf(stamps, head, said);
  const inMicrovolts = head.isOpenBci || museNames.every((each) => head.names.some((name) => name.endsWith(each)));
  const channels = head.names.flatMap((name, i): RecordedChannel[] => {
    if (i === timeAt || clock.test(name) || sampleIndex.test(name) || other.test(name)) return [];
    const values = Float32Array.from(columns[i]);
    if (!values.some((value) => value !== 0)) return [];
    const [, label = name, unit] = unitInName.exec(name) ?? [];
    return [{ label: label.replace(/^RAW_/i, ''), rateHz, unit: unit ?? (inMicrovolts ? 'uV' : ''), values }];
  });
  const gaps = gapsOf(stamps, rateHz, rows);
  return {
    channels,
    annotations: marks.map((mark) => ({ onset: mark.row / rateHz, duration: 0, text: mark.text })),
    seconds: rows / rateHz,
    gaps,
    startsAt: null,
    notices: [
      ...notice,
      ...(skipped > 0 ? [`${skipped} lines without a sample are left out.`] : []),
      ...(gaps.length > 0
        ? [
            `Samples are missing at ${gaps.length} places, the first after ${Math.round(gaps[0].at)} s. Trials across them are left out.`,
          ]
        : []),
    ],
  };
}

function headOf(text: string): Head {
  let at = 0;
  let rateHz: number | null = null;
  let count = 8;
  const isOpenBci = text.startsWith('%');
  for (;;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? undefined : end).trim();
    if (!line.startsWith('%') && line !== '') break;
    if (end === -1) break;
    const [, rate] = /sample rate\s*=\s*([\d.]+)/i.exec(line) ?? [];
    if (rate !== undefined) rateHz = Number(rate);
    count = Number(/number of channels\s*=\s*(\d+)/i.exec(line)?.[1] ?? count);
    at = end + 1;
  }
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end === -1 ? undefined : end).trim();
  const isHeader = /[a-z]{2}/i.test(line);
  const next = end === -1 ? '' : (/[^\r\n]+/.exec(text.slice(end, end + mostLineCharacters))?.[0] ?? '');
  const split = splitWayOf(line, isHeader ? next : line);
  const cells = split(line);
  if (cells.length > mostColumns)
    throw new RecordingFault('not_readable', `It has ${cells.length} columns; at most ${mostColumns} can be read.`);
  const names = isHeader
    ? cells
    : cells.map((_, i) => (i === 0 ? 'Sample Index' : i <= count ? `EXG Channel ${i - 1}` : `Other ${i}`));
  return { names, split, rateHz, at: isHeader ? end + 1 || text.length : at, isOpenBci };
}

/** Every column as numbers; lines that lack a number of the signal are skipped. */
function columnsOf(text: string, { names, split, at: begin }: Head) {
  const lines = Math.ceil((text.length - begin) / Math.max(1, 2 * names.length)) + 1;
  const signal = names.flatMap((name, i) =>
    clock.test(name) || sampleIndex.test(name) || other.test(name) || isTriggerName(name) ? [] : [i],
  );
  const columns = names.map(() => new Float64Array(Math.min(lines, 1_024)));
  const markers = names.flatMap((name, i) => (isTriggerName(name) || /^elements$/i.test(name) ? [i] : []));
  const marks: { row: number; text: string }[] = [];
  const before = new Map<number, string>();
  let rows = 0;
  let skipped = 0;
  for (let at = begin; at < text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? undefined : end);
    at = end === -1 ? text.length : end + 1;
    if (line.trim() === '') continue;
    const cells = split(line);
    for (const i of markers) {
      const word = unquoted(cells[i] ?? '');
      const isWord = word !== '' && !Number.isFinite(numberIn(word)) && !/^(?:none|null|nan)$/i.test(word);
      if (isWord && before.get(i) !== word) marks.push({ row: rows, text: word });
      before.set(i, isWord ? word : '');
    }
    const values = names.map((name, i) =>
      clock.test(name) ? secondsOf(cells[i]) : isTriggerName(name) ? numberIn(cells[i]) || 0 : numberIn(cells[i]),
    );
    if (!signal.every((i) => Number.isFinite(values[i]))) {
      skipped++;
      continue;
    }
    if (rows === columns[0].length) columns.forEach((column, i) => (columns[i] = grown(column)));
    values.forEach((value, i) => (columns[i][rows] = value));
    rows++;
  }
  return { columns: columns.map((column) => column.subarray(0, rows)), skipped, rows, marks };
}

function grown(column: Float64Array): Float64Array<ArrayBuffer> {
  const next = new Float64Array(2 * column.length);
  next.set(column);
  return next;
}

/** A time stamp: seconds, or a date and time. */
function secondsOf(cell: string | undefined): number {
  const value = numberIn(cell);
  return Number.isFinite(value) || cell === undefined
    ? value
    : Date.parse(`${unquoted(cell).replace(' ', 'T').replace(',', '.')}Z`) / 1000;
}

/**
 * Time stamps in seconds. Samples of EEG follow each other in less than 0.05 s, so longer mean steps are milliseconds,
 * and still longer ones microseconds.
 */
function inSeconds(stamps: Float64Array): Float64Array {
  const step = (stamps[stamps.length - 1] - stamps[0]) / Math.max(1, stamps.length - 1);
  if (!(step >= 0.05)) return stamps;
  const by = step < 50 ? 1e3 : 1e6;
  return stamps.map((each) => each / by);
}

function rateOf(stamps: Float64Array | null, { rateHz }: Head, said: Said): { rateHz: number; notice: string[] } {
  if (said.rateHz !== undefined)
    return { rateHz: said.rateHz, notice: [`The rate is ${said.rateHz} Hz, as you said.`] };
  if (rateHz !== null && rateHz > 0) return { rateHz, notice: [] };
  // Steps over a pause are no sampling intervals.
  const steps = stamps
    ? [...stamps.subarray(1)].map((each, i) => each - stamps[i]).filter((each) => each >= 0 && each <= leastPause)
    : [];
  const measured = steps.length / steps.reduce((sum, each) => sum + each, 0);
  if (!(measured > 1 && measured < 100_000))
    throw new RecordingFault(
      'no_rate',
      'It does not say its sampling rate, and its time stamps do not show it. Say how many samples it has in a second, or ' +
        'add a column of time stamps.',
    );
  const distance = (rate: number): number => Math.abs(rate / measured - 1);
  const usual = usualRates.reduce((best, each) => (distance(each) < distance(best) ? each : best));
  const rounded = distance(usual) < 0.03 ? usual : Math.round(measured * 100) / 100;
  return {
    rateHz: rounded,
    notice: [
      `The file does not say its sampling rate. It is read at ${rounded} Hz, because its time stamps show ${shown(measured.toFixed(1))} Hz.`,
    ],
  };
}

/** Places where the time stamps jump by a pause and by more than ten samples. */
function gapsOf(stamps: Float64Array | null, rateHz: number, rows: number): Gap[] {
  const gaps: Gap[] = [];
  if (!stamps) return gaps;
  const most = Math.max(leastPause, 10 / rateHz);
  for (let i = 1; i < rows; i++) {
    const step = stamps[i] - stamps[i - 1];
    if (step > most) gaps.push({ at: i / rateHz, seconds: step });
  }
  return gaps;
}
