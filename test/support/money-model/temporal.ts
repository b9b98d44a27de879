import { WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../../infra/contract/fit-request.ts';
import { currentProcess } from './faulty-pool.ts';
import type { How } from './actions.ts';

/** A job that a workflow was started for. */
export interface StartedJob {
  readonly request: FitRequest;
  /** Its outcome, and when the workflow decided it (Unix milliseconds); afterwards the workflow only repeats it. */
  fate: { readonly how: How; readonly at: number } | null;
  /** Ends the callers' wait. */
  end(): void;
  readonly ended: Promise<void>;
}

export interface FakeTemporal {
  readonly client: Client;
  /** Jobs that run, by model. */
  readonly jobs: Map<string, StartedJob>;
  /** Ends the workflow of a model's job, and its callers' wait. */
  end(modelId: string): void;
  /** Starts, or finds, the workflow of a job. */
  start(request: FitRequest): StartedJob;
}

const fitRunning = (): Error =>
  new WorkflowUpdateFailedError(
    'refused',
    ApplicationFailure.create({ type: 'FitRunning', message: 'A fit is running already.', nonRetryable: true }),
  );

/** The part of a Temporal server that the service uses. A test lets the jobs end. */
export function createFakeTemporal(): FakeTemporal {
  const jobs = new Map<string, StartedJob>();
  const start = (request: FitRequest): StartedJob => {
    const found = jobs.get(request.modelId);
    if (found) return found;
    const { promise, resolve } = Promise.withResolvers<void>();
    const job = { request, fate: null, end: resolve, ended: promise };
    jobs.set(request.modelId, job);
    return job;
  };
  const end = (modelId: string): void => {
    jobs.get(modelId)?.end();
    jobs.delete(modelId);
  };
  /** Its caller only has to wait. */
  const started = (request: FitRequest): { result(): Promise<void> } => {
    const { ended } = start(request);
    const process = currentProcess();
    if (process) process.fault = null;
    process?.parked();
    return { result: () => ended };
  };
  const client = {
    withDeadline: (_at: number, call: () => Promise<unknown>) => call(),
    workflow: {
      async startUpdateWithStart(_name: string, { args: [request] }: { args: [FitRequest] }) {
        const running = jobs.get(request.modelId);
        if (running && running.request.jobId !== request.jobId) throw fitRunning();
        return started(request);
      },
      start: async (_name: string, { args: [request] }: { args: [FitRequest] }) => ({
        ...started(request),
        describe: async () => ({ historyLength: Infinity }),
      }),
      signalWithStart: async () => undefined,
      getHandle: (workflowId: string) => ({
        async cancel() {
          end(workflowId.split('/')[0]!);
        },
      }),
      list: async function* list() {},
    },
  };
  return { client: client as unknown as Client, jobs, start, end };
}
