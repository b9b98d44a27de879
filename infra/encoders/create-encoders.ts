/** Pretrained encoders of a process: one thread runs onnxruntime for all other threads. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncoderId, GraphTensor } from '../../ml/encoders/types.ts';
import { ApiError } from '../contract/errors.ts';
import { FileFault } from '../downloads/fault.ts';
import { createThreadPool } from '../drivers/threads/thread-pool.ts';
import { ThreadLost } from '../drivers/threads/messages.ts';
import type { TaskOwner, Services } from '../drivers/threads/ask.ts';
import type { ThreadPool } from '../drivers/threads/pool-types.ts';
import { followTasks } from '../observe/tasks.ts';
import type { EncoderTasks } from './entry.ts';
import { moving } from '../drivers/threads/moving.ts';
import { keyOf, type EncoderWeights } from './encoder-weights.ts';
import type { EncodeAnswer, SessionOptions } from './sessions.ts';

export interface EncoderOptions extends Partial<SessionOptions> {
  /** The weights that are installed on this machine. */
  readonly weights: readonly EncoderWeights[];
  /** Called with the error when the file of weights is missing, has changed or cannot be read. */
  readonly onFileFault?: (weights: EncoderWeights, error: Error) => void;
  /** Pool with the encoder thread; tests pass their own. */
  readonly pool?: ThreadPool<EncoderTasks>;
  readonly compiledDir?: string | undefined;
}

/** Limits of the calls from one part of the process. */
export interface CallLimits {
  /** Longest wait for an encoder that is being loaded, from the start of the loading. Absent: no limit. */
  readonly maxWaitMs?: number;
}

type Tensors = Readonly<Record<string, GraphTensor>>;

/** A request of a thread: one run of a graph. */
export interface EncodeCall extends EncoderId {
  readonly graph: string;
  readonly inputs: Tensors;
}

export interface ProcessEncoders {
  /** Services for the thread pools of one part of the process. */
  servicesFor(limits?: CallLimits): Services;
  close(): Promise<void>;
}

/**
 * Limit of the bytes of all cached graphs. A session takes several times as much, plus the memory of its largest run.
 */
const mostBytes = 512 * 1024 * 1024;
/** Heap for the objects that reading weights creates. */
const heapMebibytes = 1024;
/** Timeout of loading an encoder and of one run of a graph. */
const seconds = 120;

interface Loading {
  readonly ended: Promise<unknown>;
  /** Time of `performance.now()`. */
  readonly began: number;
}

/**
 * Runs graphs in one thread, which starts with the first call and has a low priority. The thread's time is divided
 * evenly between the accounts, or between the parts of the process for calls without an account. A call fails with
 * POOL_UNAVAILABLE while its encoder is being loaded, with BACKEND_FAILURE if the encoder cannot be loaded or fails on
 * the trials, and with ThreadLost if the thread ends.
 */
export function createEncoders({
  weights: installed,
  threads = 1,
  compiledDir,
  onFileFault = () => undefined,
  ...options
}: EncoderOptions): ProcessEncoders {
  let pool = options.pool;
  const begin = (): ThreadPool<EncoderTasks> =>
    (pool ??= createThreadPool<EncoderTasks>({
      entry: new URL('./entry.ts', import.meta.url),
      size: 1,
      workerData: { threads, mostBytes: options.mostBytes ?? mostBytes } satisfies SessionOptions,
      heapMebibytes,
      seconds,
      compiledDir,
      follow: followTasks('encoders'),
    }));
  /** Encoders that the thread has loaded or is loading. */
  const loading = new Map<string, Loading>();
  let parts = 0;

  const reportFault = (weights: EncoderWeights, error: Error): void => {
    if (isGone(error)) onFileFault(weights, error);
  };

  /** Resolves when the encoder is loaded. Rejects if loading fails; the next call then tries again. */
  const loadingOf = (weights: EncoderWeights): Loading => {
    const key = keyOf(weights);
    const known = loading.get(key);
    if (known) return known;
    const begun = { ended: begin().run('load', { encoder: weights }), began: performance.now() };
    loading.set(key, begun);
    begun.ended.catch((error: Error) => {
      if (error instanceof ThreadLost) loading.clear();
      else if (loading.get(key) === begun) loading.delete(key);
      reportFault(weights, error);
    });
    return begun;
  };

  const servicesFor = ({ maxWaitMs }: CallLimits = {}): Services => {
    const part = `part ${parts++}`;
    const encode = async (
      { id, hash, version, graph, inputs }: EncodeCall,
      { account = part, job }: TaskOwner,
    ): Promise<EncodeAnswer> => {
      const here = installed.find((each) => each.id === id && each.hash === hash);
      if (!here) throw failed(id, `its weights (${hash}) are not installed here`);
      const weights = version === undefined ? here : { ...here, version };
      await within(loadingOf(weights), id, maxWaitMs);
      const encoded = await begin()
        .run(
          'run',
          { encoder: weights, graph, inputs },
          { transfer: buffersOf(inputs), account, ...(job !== undefined && { job }) },
        )
        .catch((cause: Error) => {
          reportFault(weights, cause);
          if (!(cause instanceof ThreadLost)) throw failed(id, 'it failed on these trials', cause);
          loading.clear();
          throw cause;
        });
      return moving(encoded, buffersOf(encoded.outputs));
    };
    return { encode };
  };

  return {
    servicesFor,
    close: async () => pool?.close(),
  };
}

/** Whether the weights are missing or have changed. A file that is only unreadable now may become readable again. */
const isGone = ({ name, message }: Error): boolean =>
  name === FileFault.name && !/ cannot be read: (?!ENOENT)/.test(message);

/** The distinct buffers of the tensors: they are moved between threads instead of copied. */
const buffersOf = (tensors: Tensors): ArrayBuffer[] => [
  ...new Set(Object.values(tensors).map(({ data }) => data.buffer as ArrayBuffer)),
];

async function within({ ended, began }: Loading, id: string, maxWaitMs: number | undefined): Promise<void> {
  const ready = ended.then(
    () => true,
    (cause: unknown) => {
      // Another attempt does not help an encoder that exceeds its time or memory limit.
      if (cause instanceof ThreadLost && cause.reason === 'lost') throw cause;
      throw failed(id, 'it cannot be loaded', cause);
    },
  );
  if (maxWaitMs === undefined) return void (await ready);
  const left = Math.max(0, began + maxWaitMs - performance.now());
  if (await Promise.race([ready, sleep(left, false, { ref: false })])) return;
  throw new ApiError('POOL_UNAVAILABLE', `The encoder ${id} is being loaded. Send the request again.`, {
    retryAfterSeconds: 2,
  });
}

const failed = (id: string, why: string, cause?: unknown): ApiError =>
  new ApiError('BACKEND_FAILURE', `The pretrained encoder ${id} cannot be used: ${why}.`, { cause });
