import { RecordingFault } from '../fault.ts';
import type { SignalTimes } from '../gap-times.ts';
import type { Annotation, Gap } from '../recording.ts';
import { marksBad } from '../rules.ts';
import { latin1Text, utf8Text, westernText } from '../text.ts';
import type { RecordingHeader } from './header.ts';
import { createClock, type Clock } from './record-clock.ts';

/** Annotations of a file, its pauses, and sentences about what was mended. */
export interface ReadAnnotations {
  readonly gaps: readonly Gap[];
  readonly notices: readonly string[];
}

/**
 * Reads the time-stamped annotation lists of EDF+ and BDF+ (`+onset[\x15duration]\x14text\x14…\0`). The first list of
 * each data record is its time stamp. `add` gets each annotation at its time in the signal, without the pauses.
 */
export function readAnnotations(
  bytes: Uint8Array,
  header: RecordingHeader,
  {
    fastestRateHz,
    encoding,
    add,
  }: { readonly fastestRateHz: number; readonly encoding?: string; readonly add: (each: Annotation) => void },
): ReadAnnotations {
  const { format, headerBytes, recordBytes, records, signals, discontinuous } = header;
  const lists = signals.filter(({ label }) => label === format.annotationLabel);
  if (discontinuous && lists.length === 0)
    throw new RecordingFault(
      'discontinuous',
      `It is discontinuous (${format.name}+D) and no annotation keeps its time.`,
    );
  const visitAll = (visit: (list: number, record: number, from: number, to: number) => void): void => {
    for (let record = 0; record < records; record++)
      for (const [i, { at, perRecord }] of lists.entries()) {
        const from = headerBytes + record * recordBytes + at;
        visit(i, record, from, from + perRecord * format.sampleBytes);
      }
  };
  const clock = createClock(header, Math.max(1e-3, 1 / fastestRateHz));
  let isUtf8 = true;
  visitAll((list, record, from, to) => {
    const begins = readLists(bytes, from, to, (_onset, _duration, textFrom, textTo) => {
      isUtf8 &&= utf8Text(bytes.subarray(textFrom, textTo)) !== null;
    });
    if (list === 0) clock.stamp(record, begins);
  });
  const isWestern = encoding === undefined ? !isUtf8 : encoding !== 'utf-8';
  const decode = (from: number, to: number): string =>
    isWestern ? westernText(bytes.subarray(from, to)) : lenient.decode(bytes.subarray(from, to));
  const lost = addAll(clock.times(), add, (visit) => {
    visitAll((_list, _record, from, to) => {
      readLists(bytes, from, to, (onset, duration, textFrom, textTo) => {
        const text = decode(textFrom, textTo).trim();
        if (text !== '') visit({ onset, duration, text });
      });
    });
  });
  return { gaps: clock.gaps(), notices: noticesOf(clock, { isGuessed: isWestern && encoding === undefined, lost }) };
}

const longSpanSeconds = 4;
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Adds the annotations at their times in the signal; returns how many lie in pauses. */
function addAll(
  times: SignalTimes,
  add: (each: Annotation) => void,
  visitAll: (visit: (each: Annotation) => void) => void,
): number {
  let lost = 0;
  visitAll(({ onset, duration, text }) => {
    const at = times.timeOf(onset);
    if (at === null) lost++;
    else {
      // The length of a short event is the length of its trial, so a pause does not change it.
      const isSpan = marksBad(text) || duration >= longSpanSeconds;
      add({ onset: at, duration: isSpan ? times.lengthOf(onset, duration) : duration, text });
    }
  });
  return lost;
}

function noticesOf(clock: Clock, { isGuessed, lost }: { isGuessed: boolean; lost: number }): string[] {
  const gaps = clock.gaps();
  const paused = gaps.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    ...(isGuessed
      ? ['Its annotations are not valid UTF-8, so they are read as Latin-1. Choose the encoding if letters are wrong.']
      : []),
    ...(gaps.length > 0
      ? [
          `The recording has ${gaps.length === 1 ? 'a pause' : `${gaps.length} pauses`} of ${rounded(paused)} s in all, ` +
            `the first after ${rounded(gaps[0].at)} s. Trials across a pause are left out.`,
        ]
      : []),
    ...(lost > 0
      ? [`${lost} annotation${lost === 1 ? '' : 's'} in a pause ${lost === 1 ? 'is' : 'are'} left out.`]
      : []),
    ...clock.notices(),
  ];
}

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100;

/** An annotation, with the bytes of its text. */
type Visit = (onset: number, duration: number, from: number, to: number) => void;

const endOfList = 0x00;
const endOfText = 0x14;
const longestStamp = 64;

/**
 * Calls back for each list in the annotation bytes of one data record. Skips lists
 * without a time stamp. Returns the onset of the first list, or null.
 */
function readLists(bytes: Uint8Array, from: number, to: number, visit: Visit): number | null {
  let first: number | null = null;
  let at = from;
  while (at < to) {
    if (bytes[at] === endOfList) {
      at++;
      continue;
    }
    const stampEnd = ending(bytes, at, to);
    const stamp = stampEnd - at <= longestStamp ? readStamp(latin1Text(bytes, at, stampEnd)) : null;
    if (stamp && first === null) first = stamp.onset;
    at = stampEnd;
    while (at < to && bytes[at] === endOfText) {
      const textEnd = ending(bytes, at + 1, to);
      if (stamp && textEnd > at + 1) visit(stamp.onset, stamp.duration, at + 1, textEnd);
      at = textEnd;
    }
  }
  return first;
}

/** End of the text that begins at `at`. */
function ending(bytes: Uint8Array, at: number, to: number): number {
  let end = at;
  while (end < to && bytes[end] !== endOfText && bytes[end] !== endOfList) end++;
  return end;
}

function readStamp(text: string): { onset: number; duration: number } | null {
  const [onset, duration = '0', ...more] = text.split('\u0015');
  const read = more.length === 0 && /^[+-]?\d+(?:\.\d*)?$/.test(onset) && /^\d+(?:\.\d*)?$/.test(duration);
  return read ? { onset: Number(onset), duration: Number(duration) } : null;
}
