import { recordProgress, type CandidateProgress } from '../../infra/records/task-models/progress.ts';
import type { Candidate } from '../../infra/contract/fit-request.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../activities.ts';

/** Pause between two writes. */
const everyMs = 300;

/** Progress rows of a job's candidates, for the caller that waits. */
export interface ProgressLog {
  add(row: CandidateProgress): void;
  /** Writes the remaining rows. Throws if that fails. */
  end(): Promise<void>;
  /** Stops the automatic writes. */
  [Symbol.dispose](): void;
}

/** Writes the first row at once and later rows in batches, one statement each. A later write repeats a failed one. */
export function createProgressLog(pool: Tools['pool'], jobId: string): ProgressLog {
  const unwritten = new Map<string, CandidateProgress>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
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
    writing = writing.then(write).catch(() => undefined);
  };
  const close = (): void => {
    closed = true;
    if (timer) clearTimeout(timer);
  };
  let closed = false;
  let first = true;
  return {
    add(row) {
      unwritten.set(row.method, row);
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

export const runningRow = ({ id, title }: Pick<Candidate, 'id' | 'title'>): CandidateProgress => ({
  method: id,
  title,
  status: 'running',
  balancedAccuracy: null,
  reason: null,
  seconds: null,
});

export const endedRow = ({ ref: _ref, ...row }: Scored): CandidateProgress => row;
