import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { filesOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { DataSet } from '../../infra/contract/reference-data/data-set-schema.ts';
import { readRun } from '../../infra/recordings/reference-data/run.ts';
import { findTrials } from './reference-trials.ts';
import { httpClient, type HttpReply } from './http-client.ts';

/** A caller that waits for reference recordings as the service requests. */
export function referenceCaller(url: string, key: string) {
  const { send } = httpClient(url, key);
  const waitOf = ({ headers }: HttpReply): number => Number(headers.get('retry-after'));

  /** Sends what is answered 503 again, as the threads may still be loading, and what was too much at once. */
  async function post(path: string, body?: object, headers: Record<string, string> = {}): Promise<HttpReply> {
    for (;;) {
      const reply = await send('POST', path, body, headers);
      if (reply.status !== 503 && reply.body.code !== 'RATE_LIMITED') return reply;
      await sleep(waitOf(reply) * 1000);
    }
  }

  /** Repeats the estimate until no preparation is running, and returns all answers. */
  async function estimated(body: object): Promise<any[]> {
    const said: any[] = [];
    for (;;) {
      const reply = await post('/v1/task-models', { ...body, dry_run: true });
      expect(reply.status, JSON.stringify(reply.body).slice(0, 400)).toBe(200);
      said.push(reply.body);
      const { preparation } = reply.body.prior ?? reply.body;
      if (!['queued', 'running'].includes(preparation?.status)) return said;
      // A labelled estimate is never unready, so no answer asks its caller to retry.
      const wait = reply.body.prior ? 1 : waitOf(reply);
      expect(wait).toBeGreaterThan(0);
      await sleep(Math.min(wait, 1) * 1000);
    }
  }

  return { send, post, estimated };
}

/** Trials of one person, with the names of their reference classes. */
export interface StrangersTrials {
  /** [trials][channels][samples], microvolts. */
  readonly x: number[][][];
  readonly classIds: string[];
}

/** All trials that a person's recordings hold of a task, in time order; `root`: a folder in the official layout. */
export async function trialsOf(
  root: string,
  set: DataSet,
  { person, runs, task: taskId }: { readonly person: string; readonly runs: readonly string[]; readonly task: string },
  channels: readonly string[],
  seconds: number,
): Promise<StrangersTrials> {
  const task = set.tasks.find(({ id }) => id === taskId)!;
  const x: number[][][] = [];
  const classIds: string[] = [];
  for (const { path, run } of filesOf(set, new Set(runs), new Set([person]))) {
    const read = await readRun({ at: join(root, set.folder, path), person, run, published: true }, set);
    const rows = channels.map((name) => read.signal[read.electrodes.indexOf(name)]);
    for (const { classId, from } of findTrials(read, task, seconds)) {
      x.push(rows.map((row) => [...row.subarray(from, from + seconds * set.rateHz)]));
      classIds.push(classId);
    }
  }
  return { x, classIds };
}

/** Balanced accuracy: mean over the classes of the fraction of their trials that were labelled correctly. */
export function balancedAccuracy(truth: readonly string[], { data }: { readonly data: readonly any[] }): number {
  const recalls = [...new Set(truth)].map((name) => {
    const rows = truth.flatMap((label, row) => (label === name ? [row] : []));
    return rows.filter((row) => data[row].label === name).length / rows.length;
  });
  return recalls.reduce((sum, each) => sum + each, 0) / recalls.length;
}
