import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { faultOf } from '../../../../infra/recordings/fault.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { startReader, type Reader } from '../file/reader.ts';
import type { FilesSummary } from '../file/summary.ts';

interface Opened {
  readonly summary: FilesSummary | null;
  readonly reading: boolean;
  /** Why the chosen file cannot be read. */
  readonly problem: string | null;
  /** Files that do not say their sampling rate. */
  readonly withoutRate: readonly File[] | null;
  /** What the person said about the open files. */
  readonly said: Said;
}

/** A recording that is read in a worker. */
export interface OpenRecording extends Opened {
  readonly reader: Reader;
  /** Opens a recording: one file, or the files that belong together. */
  open(files: readonly File[], said: Said): Promise<FilesSummary | null>;
  /** Takes another answer about the open files. */
  say(said: Said): Promise<void>;
}

const closed: Opened = { summary: null, reading: false, problem: null, withoutRate: null, said: {} };
const manyWords = (recordings: number): string =>
  `These files are ${recordings} recordings. Choose one of them at a time, with the files that belong to it.`;

/** Reads one recording at a time in a worker, which ends with the page. */
export function useRecording(): OpenRecording {
  const reader = useMemo(startReader, []);
  useEffect(() => () => reader.close(), []);
  const [state, setState] = useState<Opened>(closed);
  const latest = useRef(0);
  const open = async (files: readonly File[], said: Said): Promise<FilesSummary | null> => {
    const turn = ++latest.current;
    setState({ ...closed, said, reading: true });
    const next = await reader.open(files, said).then(
      (summary): Opened =>
        summary.files.length === 1
          ? { ...closed, said, summary }
          : { ...closed, said, problem: manyWords(summary.files.length) },
      (error: Error): Opened => ({
        ...closed,
        said,
        problem: error.message,
        withoutRate: faultOf(error) === 'no_rate' ? files : null,
      }),
    );
    if (turn !== latest.current) return null;
    setState(next);
    return next.summary;
  };
  const say = async (said: Said): Promise<void> => {
    const turn = ++latest.current;
    const summary = await reader.describe(said).catch(() => null);
    if (turn === latest.current && summary) setState((before) => ({ ...before, said, summary }));
  };
  return { reader, ...state, open, say };
}
