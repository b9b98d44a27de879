import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { silentLog, type Log } from '../../observe/log.ts';
import { codeOf, grpc, isDrained, makeCurrent, readDeployment } from './deployments.ts';

/** Status of a worker's build in the deployment. */
export interface BuildStatus {
  /** Why its workers get no new workflows yet, as one sentence; null: there is no reason to wait. */
  readonly waits: string | null;
}

export interface BuildStatusOptions {
  readonly signal: AbortSignal;
  readonly log?: Log;
  readonly pollMs?: number;
  /** Milliseconds between two looks at a settled build. */
  readonly everyMs?: number;
}

const usualPollMs = 1_000;
const usualEveryMs = 60_000;

/** Errors of a server without deployments, or without access to them for this client. */
const withoutDeployments: readonly unknown[] = [
  grpc.unimplemented,
  grpc.invalidArgument,
  grpc.permissionDenied,
  grpc.failedPrecondition,
];

/**
 * Makes a new build current as soon as its workers poll every queue. A build that was replaced does not become current
 * again when one of its workers restarts. Without a build it waits until no build is current. Retries after every
 * error. Looks again every minute, until `signal`: if the server has lost its record of builds, the build that was
 * current makes itself current again.
 */
export function followBuild(client: Client, build: string | null, options: BuildStatusOptions): BuildStatus {
  const { signal, log = silentLog, pollMs = usualPollMs, everyMs = usualEveryMs } = options;
  let waits: string | null =
    build === null ? 'Temporal has not yet said which build is current.' : `Build ${build} is not the current one yet.`;
  let before: Seen = { waits };
  const look = build === null ? () => seeNone(client) : () => seeOwn(client, build, before);
  let lastReported: unknown = null;
  const isNews = (about: unknown): boolean => about !== lastReported && ((lastReported = about), true);
  const follow = async (): Promise<void> => {
    for (; !signal.aborted; await pause(waits === null ? everyMs : pollMs, signal)) {
      try {
        const seen = (before = await look());
        waits = seen.waits;
        if (waits !== null && isNews(waits)) log.warn(waits);
        if (seen.message !== undefined && isNews(seen.message)) log.info(seen.message);
      } catch (error) {
        const words = wordsOf(error);
        if (words !== null) waits = `Build ${build} is not the current one yet: ${words}`;
        else if (codeOf(error) === grpc.notFound) waits = `Build ${build} is not the current one yet.`;
        // The server does not know a build before its first worker polls.
        if (signal.aborted || codeOf(error) === grpc.notFound || !isNews(codeOf(error) ?? 'unknown')) continue;
        if (words !== null) log.info(waits!);
        else log.warn('It is not settled yet which build is current.', { error });
      }
    }
  };
  void follow();
  return {
    get waits() {
      return waits;
    },
  };
}

interface Seen {
  readonly waits: string | null;
  readonly message?: string;
  /** The build was current before, and another one is now. */
  readonly replaced?: boolean;
}

async function seeOwn(client: Client, build: string, before: Seen): Promise<Seen> {
  const { current, former } = await readDeployment(client);
  if (current !== build && (before.replaced || former.includes(build)))
    return {
      waits: null,
      replaced: true,
      message:
        `Build ${build} was current before; new workflows stay with ` +
        `${current === null ? 'workers without a build' : `build ${current}`}: ` +
        `go back with \`npm run -s admin -- deployment current --build ${build}\`.`,
    };
  const wasCurrent = before.waits === null;
  if (current === build && wasCurrent) return before;
  if (current !== build) await makeCurrent(client, build);
  const again = current !== build && wasCurrent ? ' again: Temporal had lost its record of builds' : '';
  return { waits: null, message: `New workflows go to build ${build}${again}.` };
}

async function seeNone(client: Client): Promise<Seen> {
  const current = await readDeployment(client).then(
    (deployment) => deployment.current,
    (error: unknown) => {
      if (withoutDeployments.includes(codeOf(error))) return null;
      throw error;
    },
  );
  if (current === null) return { waits: null };
  return {
    waits:
      `New workflows go to build ${current}, and this worker has no DEPLOYMENT_BUILD, so that it gets none: give it ` +
      'one, or run `npm run -s admin -- deployment current --none`.',
  };
}

/** The server's message about queues without pollers; null for every other error. */
const wordsOf = (error: unknown): string | null =>
  codeOf(error) === grpc.failedPrecondition ? (error as { details?: string }).details || null : null;

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Longest wait for running fits; longer ones continue after `admin deployment release`. */
const longestMs = 600_000;

/** Times in milliseconds. */
export interface DrainOptions {
  readonly log?: Log;
  readonly pollMs?: number;
  /** Longest outage of Temporal. */
  readonly awayMs?: number;
}

/** Waits until workers of `build` may end (`isDrained`); gives up soon if Temporal does not answer. */
export async function whenDrained(client: Client, build: string, options: DrainOptions = {}): Promise<void> {
  const { log = silentLog, pollMs = usualPollMs, awayMs = 30_000 } = options;
  const until = performance.now() + longestMs;
  for (let answered = performance.now(); performance.now() < until; await sleep(pollMs)) {
    try {
      if (await client.withDeadline(Date.now() + awayMs / 3, () => isDrained(client, build))) return;
      answered = performance.now();
    } catch (error) {
      if (performance.now() - answered < awayMs) continue;
      log.warn(`Temporal does not say whether fits of build ${build} still run; the worker ends.`, { error });
      return;
    }
  }
}
