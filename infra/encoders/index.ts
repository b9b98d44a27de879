/** Pretrained encoders of a process: one thread with sessions of onnxruntime, which its other threads share. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GraphTensor, WeightsId } from '../../ml/encoders/types.ts';
import { ApiError } from '../contract/errors.ts';
import { FileFault } from '../downloads/fault.ts';
import { createThreadPool, type Services, type ThreadPool } from '../drivers/threads/index.ts';
import { followTasks } from '../observe/tasks.ts';
import type { EncoderTasks } from './entry.ts';
import { moving } from '../drivers/threads/moving.ts';
import type { HeldWeights, SessionOptions } from './sessions.ts';

export type { HeldWeights } from './sessions.ts';

export interface EncoderOptions extends Partial<SessionOptions> {
  /** The weights that lie on this machine. */
  readonly held: readonly HeldWeights[];
  /** Hears that the file of weights is gone, has changed or cannot be read, with what says so. */
  readonly onFileFault?: (weights: HeldWeights, error: Error) => void;
  /** The pool of the thread; tests have their own. */
  readonly pool?: ThreadPool<EncoderTasks>;
  readonly compiledDir?: string | undefined;
}

/** What a part of the process asks of its encoders. */
export interface CallLimits {
  /** How long a call waits for an encoder that is being loaded; absent: until it is. */
  readonly patienceMs?: number;
  /** Calls of the part that may wait or run; one more is refused. Absent: any number. */
  readonly mostCalls?: number;
}

type Tensors = Readonly<Record<string, GraphTensor>>;

/** What a thread asks for: one run of a graph. */
export interface EncodeCall extends WeightsId {
  readonly graph: string;
  readonly inputs: Tensors;
}

export interface ProcessEncoders {
  /** For the `services` of the pools of a part of the process. */
  servicesFor(limits?: CallLimits): Services;
  close(): Promise<void>;
}

/** Encoders take no more than this together. */
const mostBytes = 512 * 1024 * 1024;
/** Lists that are made while weights are read. */
const heapMebibytes = 1024;
/** The longest that loading, or one run of a graph, may take. */
const seconds = 120;

/**
 * Runs graphs in one thread, which is begun when the first is asked for, and gives way to the process; parts of the
 * process share it evenly, with its sessions. A call is refused with POOL_UNAVAILABLE while its encoder is loaded, with
 * POOL_SATURATED where too many wait, and with BACKEND_FAILURE where the encoder cannot be loaded or fails on the
 * trials.
 */
export function createEncoders({
  held,
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
  const loading = new Map<string, Promise<unknown>>();
  let parts = 0;

  const hear = (weights: HeldWeights, error: Error): void => {
    if (error.name === FileFault.name) onFileFault(weights, error);
  };

  /** Resolves once the encoder is loaded; rejects, and may be tried again, where it cannot be. */
  const loaded = (weights: HeldWeights): Promise<unknown> => {
    const key = `${weights.id}@${weights.hash}`;
    const known = loading.get(key) ?? begin().run('load', { held: weights });
    loading.set(key, known);
    known.catch((error: Error) => {
      loading.delete(key);
      hear(weights, error);
    });
    return known;
  };

  const servicesFor = ({ patienceMs, mostCalls = Number.POSITIVE_INFINITY }: CallLimits = {}): Services => {
    const share = `part ${parts++}`;
    let calls = 0;
    const encode = async ({ id, hash, graph, inputs }: EncodeCall): Promise<Tensors> => {
      const weights = held.find((each) => each.id === id && each.hash === hash);
      if (!weights) throw failed(id, `its weights (${hash}) are not installed here`);
      if (calls >= mostCalls)
        throw new ApiError(
          'POOL_SATURATED',
          `The encoder ${id} is at capacity: ${mostCalls} calls wait or run. Send the request again.`,
          { retryAfterSeconds: 1 },
        );
      calls += 1;
      try {
        await within(loaded(weights), id, patienceMs);
        const outputs = await begin()
          .run('run', { held: weights, graph, inputs }, { transfer: buffersOf(inputs), share })
          .catch((cause: Error) => {
            hear(weights, cause);
            throw failed(id, 'it failed on these trials', cause);
          });
        return moving(outputs, buffersOf(outputs));
      } finally {
        calls -= 1;
      }
    };
    return { encode };
  };

  return {
    servicesFor,
    close: async () => pool?.close(),
  };
}

/** Memory of tensors, each once: what crosses from thread to thread is moved. */
const buffersOf = (tensors: Tensors): ArrayBuffer[] => [
  ...new Set(Object.values(tensors).map(({ data }) => data.buffer as ArrayBuffer)),
];

async function within(loaded: Promise<unknown>, id: string, patienceMs: number | undefined): Promise<void> {
  const ready = loaded.then(
    () => true,
    (cause: unknown) => {
      throw failed(id, 'it cannot be loaded', cause);
    },
  );
  if (patienceMs === undefined) return void (await ready);
  if (await Promise.race([ready, sleep(patienceMs, false, { ref: false })])) return;
  throw new ApiError('POOL_UNAVAILABLE', `The encoder ${id} is being loaded. Send the request again.`, {
    retryAfterSeconds: 2,
  });
}

const failed = (id: string, why: string, cause?: unknown): ApiError =>
  new ApiError('BACKEND_FAILURE', `The pretrained encoder ${id} cannot be used: ${why}.`, { cause });
