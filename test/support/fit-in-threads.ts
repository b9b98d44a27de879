import { readFileSync } from 'node:fs';
import { firstFoldInParts } from '../../activities/compute/first-fold-in-parts.ts';
import type { Compute } from '../../activities/compute/compute.ts';
import type { JobData } from '../../activities/compute/job-data.ts';
import { refitInParts, type Refit } from '../../activities/compute/refit-in-parts.ts';
import type { Plan } from '../../api/threads/plan.ts';

/** Scores the candidates of a plan on the features of a job and refits the best, as a worker does. */
export async function fitInThreads(
  compute: Compute,
  jobId: string,
  data: JobData,
  { candidates, skipped }: Pick<Plan, 'candidates' | 'skipped'>,
): Promise<Refit> {
  const { signal } = new AbortController();
  const scores = new Map<string, Uint8Array>();
  for (const { score, bytes } of await firstFoldInParts(compute, { jobId, data, candidates }, signal))
    scores.set(score.method, bytes);
  const running = new Map<string, Promise<void>>();
  for (const { id: method, family, members: named = [] } of candidates) {
    if (scores.has(method)) continue;
    const scored = async (): Promise<void> => {
      await Promise.all(named.flatMap((id) => running.get(id) ?? []));
      const members = named.flatMap((id) => scores.get(id) ?? []);
      const own = { signal, affinity: `${jobId}/${family}` };
      scores.set(method, (await compute('score', { jobId, data, method, members }, own)).bytes);
    };
    running.set(method, scored());
  }
  await Promise.all(running.values());
  return refitInParts(compute, { jobId, data, scores: [...scores.values()], skipped, warnings: [] }, signal);
}

/** The most memory that was resident so far, bytes. */
export const peakBytes = (): number =>
  1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);

/** Processor time of all threads so far, seconds. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
