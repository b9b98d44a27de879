import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { heavyQueueOf, temporalNames } from '../../contract/workflow-names.ts';
import { codeOf, grpc, readDeployment } from './deployments.ts';
import { missingSearchAttributes, registerSearchAttributes } from './search-attributes.ts';

/** Numbers of Temporal's enums TaskQueueType and WorkerVersioningMode. */
const workflowTasks = 1;
const activityTasks = 2;
const versioned = 2;

/** Errors of a server without this call, or of an identity that may not use it: then nothing is known. */
const unknowable: readonly unknown[] = [grpc.unimplemented, grpc.permissionDenied];
const orNull = (error: unknown): null => {
  if (unknowable.includes(codeOf(error))) return null;
  throw error;
};

/**
 * Why a create would not be done now, as a sentence; null: it would. Registers missing search attributes again. A
 * create needs workers of the current build (or workers without a build, if none is current) on both task queues.
 * Temporal lists a worker for five minutes after its last poll.
 */
export async function whyNoCreate(client: Client, taskQueue: string = temporalNames.taskQueue): Promise<string | null> {
  const { namespace } = client.options;
  await registerSearchAttributes(client, namespace).catch(() => undefined);
  const missing = await missingSearchAttributes(client, namespace).catch(orNull);
  if (missing?.length) return `Temporal lacks the search attributes ${missing.join(', ')}.`;
  const current = (await readDeployment(client).catch(orNull))?.current ?? null;
  const queues = [
    [taskQueue, workflowTasks],
    [taskQueue, activityTasks],
    [heavyQueueOf(taskQueue), activityTasks],
  ] as const;
  for (const [name, taskQueueType] of queues) {
    const answer = await client.workflowService
      .describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType })
      .catch(orNull);
    const builds = (answer?.pollers ?? []).map(({ deploymentOptions: options }) =>
      Number(options?.workerVersioningMode) === versioned ? (options?.buildId ?? '') : null,
    );
    if (answer === null || builds.includes(current)) continue;
    const polling = [...new Set(builds)].map((build) => (build === null ? 'no build' : `build ${build}`)).join(', ');
    return (
      `New work goes to workers ${current === null ? 'without a build' : `of build ${current}`}, and none takes tasks of ` +
      `the queue ${name}${polling && `: the workers there have ${polling}`}.`
    );
  }
  return null;
}

/** A question that is asked at intervals. */
export interface Watched {
  /** The last answer: why not, as a sentence; null: all is well. */
  readonly reason: string | null;
}

/** Times in milliseconds. */
export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Interval after the answer null. */
  readonly everyMs?: number;
  /** Interval after any other answer, and after an error. */
  readonly retryMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** Asks `look` until `signal` aborts. `first`: the answer before the first one. An error leaves the last answer. */
export function watch(first: string | null, look: () => Promise<string | null>, options: WatchOptions): Watched {
  const { signal, everyMs = 60_000, retryMs = 2_000, onError = () => undefined } = options;
  let reason = first;
  void (async () => {
    while (!signal.aborted) {
      let pause = retryMs;
      try {
        reason = await look();
        if (reason === null) pause = everyMs;
      } catch (error) {
        onError(error);
      }
      await sleep(pause, undefined, { ref: false, signal });
    }
  })().catch(() => undefined);
  return {
    get reason() {
      return reason;
    },
  };
}
