import { RecordingFault } from './fault.ts';
import type { RecordingHeader } from './header.ts';
import { latin1Text, utf8Text } from './text.ts';

export interface Annotation {
  /** Seconds from the first sample. */
  readonly onset: number;
  /** Seconds; 0 if the file gives none. */
  readonly duration: number;
  readonly text: string;
}

/** More annotations than these are refused: 10,000, and one more for each 64 bytes of the file. */
export const mostAnnotations = (fileBytes: number): number => 10_000 + Math.floor(fileBytes / 64);

/** A list that throws when it has more entries than a file of that size can have. */
export function createAnnotationList(fileBytes: number): { readonly all: Annotation[]; add(each: Annotation): void } {
  const most = mostAnnotations(fileBytes);
  const all: Annotation[] = [];
  return {
    all,
    add(each) {
      if (all.length === most)
        throw new RecordingFault(
          'too_many_annotations',
          `It holds more than ${most} annotations, which is the most that a file of ${fileBytes} bytes may have.`,
        );
      all.push(each);
    },
  };
}

/**
 * Reads the time-stamped annotation lists of EDF+ and BDF+ (`+onset[\x15duration]\x14text\x14…\0`). The first list of
 * each data record is its time stamp. Throws if a discontinuous file has a gap between data records.
 */
export function readAnnotations(
  bytes: Uint8Array,
  header: RecordingHeader,
  fastestRateHz: number,
  add: (each: Annotation) => void,
): void {
  const { format, headerBytes, recordBytes, records, signals, discontinuous, recordSeconds } = header;
  const lists = signals.filter(({ label }) => label === format.annotationLabel);
  if (discontinuous && lists.length === 0)
    throw new RecordingFault(
      'discontinuous',
      `It is discontinuous (${format.name}+D) and no annotation keeps its time.`,
    );
  const slack = Math.max(1e-3, 1 / fastestRateHz);
  let start = 0;
  for (let record = 0; record < records; record++) {
    for (const [i, { at, perRecord }] of lists.entries()) {
      const from = headerBytes + record * recordBytes + at;
      const keepsTime = i === 0;
      const begins = readLists(bytes, from, from + perRecord * format.sampleBytes, {
        onFirst: (onset) => {
          if (keepsTime && record === 0) start = onset;
        },
        onText: (onset, duration, text) => add({ onset: onset - start, duration, text }),
      });
      const follows = start + record * recordSeconds;
      if (!keepsTime || !discontinuous || recordSeconds === 0) continue;
      if (begins === null || Math.abs(begins - follows) > slack)
        throw new RecordingFault(
          'discontinuous',
          `It is discontinuous (${format.name}+D): data record ${record + 1} of ${records} begins at ` +
            `${begins === null ? 'no known time' : `${begins} s`} where ${follows} s would follow on; ` +
            `only recordings without gaps are read.`,
        );
    }
  }
}

interface Visitor {
  /** The onset of the first list. */
  onFirst(onset: number): void;
  onText(onset: number, duration: number, text: string): void;
}

const endOfList = 0x00;
const endOfText = 0x14;
const longestStamp = 64;

/**
 * Calls back for each list in the annotation bytes of one data record; copies at most one text at a time. Skips lists
 * without a time stamp. Returns the onset of the first list, or null.
 */
function readLists(bytes: Uint8Array, from: number, to: number, visitor: Visitor): number | null {
  let first: number | null = null;
  let at = from;
  while (at < to) {
    if (bytes[at] === endOfList) {
      at++;
      continue;
    }
    const stampEnd = ending(bytes, at, to);
    const stamp = stampEnd - at <= longestStamp ? readStamp(latin1Text(bytes, at, stampEnd)) : null;
    if (stamp && first === null) {
      first = stamp.onset;
      visitor.onFirst(first);
    }
    at = stampEnd;
    while (at < to && bytes[at] === endOfText) {
      const textEnd = ending(bytes, at + 1, to);
      const text = stamp && textEnd > at + 1 ? utf8Text(bytes, at + 1, textEnd).trim() : '';
      if (stamp && text !== '') visitor.onText(stamp.onset, stamp.duration, text);
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
  const read = more.length === 0 && /^[+-]\d+(?:\.\d*)?$/.test(onset) && /^\d+(?:\.\d*)?$/.test(duration);
  return read ? { onset: Number(onset), duration: Number(duration) } : null;
}
