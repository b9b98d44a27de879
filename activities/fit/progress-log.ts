import { recordProgress, type CandidateProgress } from '../../infra/records/task-models/index.ts';
import type { Tools } from '../tools.ts';

/** Between two writes. */
const everyMs = 300;

/** How the candidates of a job stand, written for who waits for it. */
export interface ProgressLog {
  tell(row: CandidateProgress): void;
  /** Writes what is left; throws where that cannot be done. */
  end(): Promise<void>;
  /** Writes no more of its own accord. */
  [Symbol.dispose](): void;
}

/** Writes all that was told meanwhile in one statement, the first at once. A write that fails is made good by the next. */
export function createProgressLog(pool: Tools['pool'], jobId: string): ProgressLog {
  const untold = new Map<string, CandidateProgress>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const rows = [...untold.values()];
    untold.clear();
    if (rows.length === 0) return;
    try {
      await recordProgress(pool, jobId, rows, new Date());
    } catch (error) {
      for (const row of rows) if (!untold.has(row.method)) untold.set(row.method, row);
      throw error;
    }
  };
  const next = (): void => {
    timer = null;
    writing = writing.then(write).catch(() => undefined);
  };
  const close = (): void => {
    closed = true;
    if (timer) clearTimeout(timer);
  };
  let closed = false;
  let first = true;
  return {
    tell(row) {
      untold.set(row.method, row);
      if (!closed) timer ??= setTimeout(next, first ? 0 : everyMs);
      first = false;
    },
    [Symbol.dispose]: close,
    async end() {
      close();
      await writing;
      await write();
    },
  };
}
