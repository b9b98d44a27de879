/** Pretrained encoders of a process: one thread with sessions of onnxruntime, which its other threads share. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncoderId, GraphTensor } from '../../ml/encoders/types.ts';
import { ApiError } from '../contract/errors.ts';
import { FileFault } from '../downloads/fault.ts';
import { createThreadPool } from '../drivers/threads/thread-pool.ts';
import { ThreadLost } from '../drivers/threads/messages.ts';
import type { Asking, Services } from '../drivers/threads/ask.ts';
import type { ThreadPool } from '../drivers/threads/pool-types.ts';
import { followTasks } from '../observe/tasks.ts';
import type { EncoderTasks } from './entry.ts';
import { moving } from '../drivers/threads/moving.ts';
import { keyOf, type EncoderWeights } from './encoder-weights.ts';
import type { EncodeAnswer, SessionOptions } from './sessions.ts';

export interface EncoderOptions extends Partial<SessionOptions> {
  /** The weights that lie on this machine. */
  readonly weights: readonly EncoderWeights[];
  /** Hears that the file of weights is gone, has changed or cannot be read, with what says so. */
  readonly onFileFault?: (weights: EncoderWeights, error: Error) => void;
  /** The pool of the thread; tests have their own. */
  readonly pool?: ThreadPool<EncoderTasks>;
  readonly compiledDir?: string | undefined;
}

/** What a part of the process asks of its encoders. */
export interface CallLimits {
  /** How long calls wait for an encoder that is being loaded, from when that began; absent: until it is. */
  readonly maxWaitMs?: number;
}

type Tensors = Readonly<Record<string, GraphTensor>>;

/** What a thread asks for: one run of a graph. */
export interface EncodeCall extends EncoderId {
  readonly graph: string;
  readonly inputs: Tensors;
}

export interface ProcessEncoders {
  /** For the `services` of the pools of a part of the process. */
  servicesFor(limits?: CallLimits): Services;
  close(): Promise<void>;
}

/** Graphs that are kept, by their bytes; a session takes several times as much, and what its largest run needed. */
const mostBytes = 512 * 1024 * 1024;
/** Lists that are made while weights are read. */
const heapMebibytes = 1024;
/** The longest that loading, or one run of a graph, may take. */
const seconds = 120;

interface Loading {
  readonly ended: Promise<unknown>;
  /** By `performance.now()`. */
  readonly began: number;
}

/**
 * Runs graphs in one thread, which is begun when the first is asked for, and gives way to the process. It is shared out
 * evenly between those whom it is asked for, or the parts of the process, with its sessions. A call is refused with
 * POOL_UNAVAILABLE while its encoder is being loaded, and with BACKEND_FAILURE where the encoder cannot be loaded or
 * fails on the trials; where the thread is lost it rejects with ThreadLost, as tasks do.
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
  /** Encoders that the thread holds, or loads. */
  const loading = new Map<string, Loading>();
  let parts = 0;

  const reportFault = (weights: EncoderWeights, error: Error): void => {
    if (isGone(error)) onFileFault(weights, error);
  };

  /** Ends once the encoder is loaded; rejects, and may be tried again, where it cannot be. */
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
      { account = part, job }: Asking,
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

/** Whether weights are gone, or others lie there: what cannot be read now may be readable again. */
const isGone = ({ name, message }: Error): boolean =>
  name === FileFault.name && !/ cannot be read: (?!ENOENT)/.test(message);

/** Memory of tensors, each once: what crosses from thread to thread is moved. */
const buffersOf = (tensors: Tensors): ArrayBuffer[] => [
  ...new Set(Object.values(tensors).map(({ data }) => data.buffer as ArrayBuffer)),
];

async function within({ ended, began }: Loading, id: string, maxWaitMs: number | undefined): Promise<void> {
  const ready = ended.then(
    () => true,
    (cause: unknown) => {
      // One that takes too long or too much is no better for another attempt.
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
