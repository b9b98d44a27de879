import type { Slots } from '../../infra/drivers/crash-marks.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { RunOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import type { EndOf } from '../../ml/steps.ts';
import { encodersOfSets } from '../../ml/encoders/ids.ts';
import type { ApiTasks } from './entry.ts';

type Input<K extends keyof ApiTasks> = Parameters<ApiTasks[K]>[0];
type Task<K extends keyof ApiTasks> = (account: string, input: Input<K>) => Promise<EndOf<ReturnType<ApiTasks[K]>>>;

/**
 * The tasks of the API's worker threads, run for an account. The threads are divided evenly between the accounts.
 * Bodies and trials are moved, not copied, so the caller cannot use them afterwards.
 */
export type ApiThreads = { readonly [K in keyof ApiTasks]: Task<K> } & {
  /** Tasks that wait or run now. */
  readonly load: number;
  /** The tasks of one account among these. */
  loadOf(account: string): number;
};

/** Bodies and signals of at most this many bytes take milliseconds. */
export const smallBytes = 1024 * 1024;
/** So do descriptions with at most this many labels. */
const fewLabels = 64;

type OptionsOf<K extends keyof ApiTasks> = (input: Input<K>) => RunOptions;
const moved = ({ trials }: { trials: { data: Float32Array } }): RunOptions => ({
  transfer: [trials.data.buffer as ArrayBuffer],
  quick: trials.data.byteLength <= smallBytes,
});

/** A task that waits for encoders runs in a thread that other tasks do not need. The encoders have their own thread. */
const waitsForEncoders = (readsEncoders = false): RunOptions => (readsEncoders ? { quick: false, waits: true } : {});

/** For each task: which memory is moved, how long it may run, and whether it is short. */
const optionsOf: { readonly [K in keyof ApiTasks]: OptionsOf<K> } = {
  intake: ({ body }) => ({
    transfer: [body.buffer as ArrayBuffer],
    quick: body.byteLength <= smallBytes,
    seconds: 30,
  }),
  hash: ({ body }) => ({ transfer: [body.buffer as ArrayBuffer], quick: body.byteLength <= smallBytes, seconds: 20 }),
  refuse: ({ labels }) => ({ quick: labels.length <= fewLabels, seconds: 20 }),
  match: ({ classes }) => ({ quick: (classes?.length ?? 0) <= fewLabels, seconds: 20 }),
  plan: ({ trialsPerClass }) => ({ quick: Object.keys(trialsPerClass).length <= fewLabels, seconds: 20 }),
  stage: (input) => ({ ...moved(input), seconds: 30 }),
  storeBatch: ({ featureSets = [], readsEncoders = encodersOfSets(featureSets).length > 0, ...input }) => ({
    ...moved(input),
    quick: false,
    ...waitsForEncoders(readsEncoders),
    seconds: 120,
  }),
  predict: (input) => ({ ...moved(input), ...waitsForEncoders(input.readsEncoders) }),
  label: ({ body }) => ({ transfer: [body.buffer as ArrayBuffer], quick: true, seconds: 30 }),
};

/**
 * Client of a thread pool that runs `api/threads/entry.ts`. `slots`: for the marks of models; null: nothing is marked.
 */
export function createThreads(pool: ThreadPool<ApiTasks>, slots: Slots | null = null): ApiThreads {
  const task =
    <K extends keyof ApiTasks>(name: K): Task<K> =>
    (account, input) =>
      pool.run(name, input, { ...optionsOf[name](input), account });
  const marked =
    <In extends object, Out>(run: (account: string, input: In) => Promise<Out>) =>
    async (account: string, input: In): Promise<Out> => {
      if (!slots) return run(account, input);
      const mark = slots.take();
      let lost = false;
      try {
        return await run(account, { ...input, mark });
      } catch (error) {
        lost = error instanceof ThreadLost;
        throw error;
      } finally {
        slots.give(mark, lost);
      }
    };
  return {
    get load() {
      return pool.load;
    },
    loadOf: (account) => pool.loadOf(account),
    intake: task('intake'),
    hash: task('hash'),
    refuse: task('refuse'),
    match: task('match'),
    plan: task('plan'),
    stage: task('stage'),
    storeBatch: task('storeBatch'),
    predict: marked(task('predict')),
    label: marked(task('label')),
  };
}
