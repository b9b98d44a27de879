import { recordProgress, type CandidateProgress } from '../../infra/records/task-models/index.ts';
import type { Tools } from '../tools.ts';

/** Between two writes. */
const everyMs = 300;

/** The progress of a job's candidates, written for callers that wait. */
export interface ProgressLog {
  write(row: CandidateProgress): void;
  /** Writes the remaining rows; throws if that fails. */
  end(): Promise<void>;
  /** Stops the timer. */
  [Symbol.dispose](): void;
}

/** Writes the rows of each interval in one statement, the first at once. Rows of a failed write go with the next. */
export function createProgressLog(pool: Tools['pool'], jobId: string): ProgressLog {
  const unwritten = new Map<string, CandidateProgress>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    const rows = [...unwritten.values()];
    unwritten.clear();
    if (rows.length === 0) return;
    try {
      await recordProgress(pool, jobId, rows, new Date());
    } catch (error) {
      for (const row of rows) if (!unwritten.has(row.method)) unwritten.set(row.method, row);
      throw error;
    }
  };
  const next = (): void => {
    timer = null;
    writing = writing.then(flush).catch(() => undefined);
  };
  const close = (): void => {
    closed = true;
    if (timer) clearTimeout(timer);
  };
  let closed = false;
  let first = true;
  return {
    write(row) {
      unwritten.set(row.method, row);
      if (!closed) timer ??= setTimeout(next, first ? 0 : everyMs);
      first = false;
    },
    [Symbol.dispose]: close,
    async end() {
      close();
      await writing;
      await flush();
    },
  };
}
