import pLimit, { type LimitFunction } from 'p-limit';

/** Runs at most `most` functions at once for each owner, so that one owner cannot block the others. */
export function createTurns(most: number): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, LimitFunction>();
  return async (owner, work) => {
    const limit = limits.get(owner) ?? pLimit(most);
    limits.set(owner, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(owner);
    }
  };
}
