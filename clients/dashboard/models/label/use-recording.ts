import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { startReader, type Reader } from '../file/reader.ts';
import type { FilesSummary } from '../file/summary.ts';

/** One recording that the browser has read. */
export interface OpenRecording {
  readonly reader: Reader;
  readonly summary: FilesSummary | null;
  readonly reading: boolean;
  /** Why the chosen file cannot be read. */
  readonly problem: string | null;
  /** Opens a recording: one file, or the files that belong together. */
  open(files: readonly File[]): Promise<FilesSummary | null>;
}

const manyWords = (recordings: number): string =>
  `These files are ${recordings} recordings. Choose one of them at a time, with the files that belong to it.`;

/** Reads one recording at a time in a worker, which ends with the page. */
export function useRecording(): OpenRecording {
  const reader = useMemo(startReader, []);
  useEffect(() => () => reader.close(), []);
  const [state, setState] = useState<Pick<OpenRecording, 'summary' | 'reading' | 'problem'>>({
    summary: null,
    reading: false,
    problem: null,
  });
  const latest = useRef(0);
  const open = async (files: readonly File[]): Promise<FilesSummary | null> => {
    const turn = ++latest.current;
    setState({ summary: null, reading: true, problem: null });
    const next = await reader.open(files).then(
      (summary) =>
        summary.files.length === 1
          ? { summary, reading: false, problem: null }
          : { summary: null, reading: false, problem: manyWords(summary.files.length) },
      (error: Error) => ({ summary: null, reading: false, problem: error.message }),
    );
    if (turn !== latest.current) return null;
    setState(next);
    return next.summary;
  };
  return { reader, ...state, open };
}
