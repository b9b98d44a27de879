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
  open(file: File): Promise<FilesSummary | null>;
}

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
  const open = async (file: File): Promise<FilesSummary | null> => {
    const turn = ++latest.current;
    setState({ summary: null, reading: true, problem: null });
    const next = await reader.open([file]).then(
      (summary) => ({ summary, reading: false, problem: null }),
      (error: Error) => ({ summary: null, reading: false, problem: error.message }),
    );
    if (turn !== latest.current) return null;
    setState(next);
    return next.summary;
  };
  return { reader, ...state, open };
}
