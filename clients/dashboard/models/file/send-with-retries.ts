import { ask, asFailure, type Answer, type Failure } from '../../fetch.ts';

const attempts = 5;
const again = new Set(['RATE_LIMITED', 'CONCURRENCY_LIMITED', 'CONFLICT']);

/** Retries while the create is running, and after failures of the service or the connection (spec, "Retry rules"). */
const retries = ({ status, error }: Failure): boolean => status === 0 || status >= 500 || again.has(error.code);

/**
 * Failures that time, credit, a new sign-in or deleting a model fixes. The same request then continues where it
 * stopped.
 */
export const isResumable = (failure: Failure): boolean =>
  retries(failure) ||
  failure.status === 401 ||
  failure.status === 402 ||
  failure.error.code === 'USAGE_CAP_EXCEEDED' ||
  failure.error.details.quota !== undefined;

const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends a POST below `/v1/task-models`, again after failures that pass. Throws a Failure. */
export async function sendWithRetries<T>(
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask<T>('POST', `/v1/task-models${path}`, { body, headers });
    } catch (error) {
      const failure = asFailure(error);
      const running = failure.error.code === 'CONFLICT';
      if (!retries(failure) || (attempt >= attempts && !running)) throw failure;
      await pause(running ? 3 : 2 ** (attempt - 1));
    }
  }
}
