import { RecordingFault } from '../../../../infra/recordings/fault.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import type { Envelope } from '../label/envelope.ts';
import type { LabelChoice, LabelPlan } from '../label/parts.ts';
import type { Details } from './body.ts';
import type { Choice } from './cut.ts';
import type { Preview, PreviewOf } from './preview.ts';
import type { FilesSummary } from './summary.ts';
import type { CutSummary, Tasks } from './tasks.ts';
import type { Question, Reply } from './worker.ts';

/**
 * Reads recordings in a worker, so that the page stays responsive. Each call may throw an Error with a text for people;
 * a `RecordingFault` says what a file lacks.
 */
export interface Reader {
  open(files: readonly File[], said?: Said): Promise<FilesSummary>;
  describe(said: Said): Promise<FilesSummary>;
  preview(of: PreviewOf): Promise<Preview>;
  eventBeside(...of: Parameters<Tasks['eventBeside']>): Promise<number | null>;
  cut(choice: Choice): Promise<CutSummary>;
  create(details: Details, dryRun: boolean, batch?: number): Promise<string>;
  batch(index: number): Promise<string>;
  planLabels(choice: LabelChoice): Promise<LabelPlan>;
  labelBody(part: number): Promise<string>;
  envelope(electrode: string, columns: number): Promise<Envelope>;
  /** Ends the worker. Pending and later calls fail. */
  close(): void;
}

export function startReader(): Reader {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const failAll = (words: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(words));
    waiting.clear();
  };
  let isClosed = false;
  const closedWords = 'The recording is no longer open.';
  const started = import('./worker.ts').then(({ address }) => {
    const worker = new Worker(address, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if ('message' in data)
        asked?.reject(data.fault ? new RecordingFault(data.fault, data.message) : new Error(data.message));
      else asked?.resolve(data.value);
    });
    worker.addEventListener('error', () =>
      failAll('The files are too large for this browser, or it stopped reading them.'),
    );
    return worker;
  });
  let last = 0;
  const ask = async <T>(task: Question['task'], ...given: unknown[]): Promise<T> => {
    const worker = await started;
    if (isClosed) throw new Error(closedWords);
    return await new Promise<T>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      worker.postMessage({ id, task, given } satisfies Question, []);
    });
  };
  return {
    open: (files, said) => ask('open', files, said),
    describe: (said) => ask('describe', said),
    preview: (of) => ask('preview', of),
    eventBeside: (...of) => ask('eventBeside', ...of),
    cut: (choice) => ask('cut', choice),
    create: (...of) => ask('create', ...of),
    batch: (index) => ask('batch', index),
    planLabels: (choice) => ask('planLabels', choice),
    labelBody: (part) => ask('labelBody', part),
    envelope: (electrode, columns) => ask('envelope', electrode, columns),
    close() {
      isClosed = true;
      failAll(closedWords);
      void started.then(
        (worker) => worker.terminate(),
        () => undefined,
      );
    },
  };
}
