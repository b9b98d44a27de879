import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { faultOf } from '../../../../infra/recordings/fault.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { startReader, type Reader } from './reader.ts';
import type { FilesSummary } from './summary.ts';

interface Opened {
  readonly summary: FilesSummary | null;
  readonly reading: boolean;
  /** Why the chosen files cannot be read. */
  readonly problem: string | null;
  /** Files that do not say their sampling rate. */
  readonly withoutRate: readonly File[] | null;
  /** The person's answers about the open files. */
  readonly said: Said;
}

/** Recordings that are read in a worker. */
export interface OpenRecordings extends Opened {
  readonly reader: Reader;
  /** Opens files in place of those that are open. Null: they cannot be read, or others were chosen meanwhile. */
  open(files: readonly File[], said: Said): Promise<FilesSummary | null>;
  /** Takes another answer about the open files. Null: it changes nothing, or a later call has replaced it. */
  say(said: Said): Promise<FilesSummary | null>;
  /** Keeps the recordings open until `work` ends, also if the person opens another page of the dashboard meanwhile. */
  whileSending<T>(work: () => Promise<T>): Promise<T>;
  /** False once the page was left. */
  isHere(): boolean;
}

const closed: Opened = { summary: null, reading: false, problem: null, withoutRate: null, said: {} };
const manyWords = (recordings: number): string =>
  `These files are ${recordings} recordings. Choose one of them at a time, with the files that belong to it.`;

/** Opens files in a worker, which ends with the page. `one`: a second recording among the files is refused. */
export function useRecordings({ one = false }: { readonly one?: boolean } = {}): OpenRecordings {
  const reader = useMemo(startReader, []);
  const [state, setState] = useState<Opened>(closed);
  /** The newest answers, and the newest call that reads files. */
  const latest = useRef({ said: closed.said, turn: 0 });
  const use = useRef({ isHere: true, sends: 0 });
  const closeUnused = (): void => {
    if (!use.current.isHere && use.current.sends === 0) reader.close();
  };
  useEffect(
    () => () => {
      use.current.isHere = false;
      closeUnused();
    },
    [],
  );
  const begin = (said: Said): (() => boolean) => {
    const turn = ++latest.current.turn;
    latest.current.said = said;
    return () => turn === latest.current.turn;
  };
  const open = async (files: readonly File[], said: Said): Promise<FilesSummary | null> => {
    const isLatest = begin(said);
    setState({ ...closed, said, reading: true });
    const next = await reader.open(files, said).then(
      (summary): Partial<Opened> =>
        one && summary.files.length > 1 ? { problem: manyWords(summary.files.length) } : { summary },
      (error: Error): Partial<Opened> => ({
        problem: error.message,
        withoutRate: faultOf(error) === 'no_rate' ? files : null,
      }),
    );
    if (!isLatest()) return null;
    setState({ ...closed, said, ...next });
    return next.summary ?? null;
  };
  const say = async (said: Said): Promise<FilesSummary | null> => {
    if (said === latest.current.said) return null;
    const isLatest = begin(said);
    const summary = await reader.describe(said).catch(() => null);
    if (!summary || !isLatest()) return null;
    setState((before) => ({ ...before, said, summary }));
    return summary;
  };
  const whileSending = async <T>(work: () => Promise<T>): Promise<T> => {
    use.current.sends++;
    try {
      return await work();
    } finally {
      use.current.sends--;
      closeUnused();
    }
  };
  return { reader, ...state, open, say, whileSending, isHere: () => use.current.isHere };
}
