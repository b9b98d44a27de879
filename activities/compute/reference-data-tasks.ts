import { encode } from '../../infra/drivers/codec.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import type { ReferenceTask } from '../../infra/contract/reference-data/data-set-schema.ts';
import { ReferenceFault } from '../../infra/recordings/reference-data/fault.ts';
import { findStretches, readRun, type RunFile, type RunsOf } from '../../infra/recordings/reference-data/run.ts';
import { personInSteps } from '../../ml/reference-fits/person-features.ts';
import type { Steps } from '../../ml/steps.ts';
import type { ReferenceSignal } from '../../ml/reference-fits/types.ts';

/** One person's recordings of a task. */
export interface PersonRuns {
  readonly person: string;
  readonly set: RunsOf;
  readonly task: ReferenceTask;
  readonly files: readonly RunFile[];
}

export type PersonRead =
  /** Encoded `PersonFeatures`, and the classes that have trials. */
  { readonly bytes: Uint8Array; readonly classIds: readonly string[] } | Fault;

interface Fault {
  /** Why a file cannot be used. The text names the file. */
  readonly fault: string;
}

/** How reference recordings become features. */
export const referenceDataTasks = {
  /** Extracts features from a person's recordings. A thread has the signal of one person in memory at a time. */
  async person({ person, set, task, files }: PersonRuns): Promise<Steps<PersonRead> | Fault> {
    try {
      const runs: ReferenceSignal[] = [];
      for (const file of files) {
        const read = await readRun(file, set);
        const { run, electrodes, rateHz, signal } = read;
        runs.push({ run, electrodes, rateHz, signal, stretches: findStretches(read, task) });
      }
      return readPerson(person, runs, task);
    } catch (error) {
      if (!(error instanceof ReferenceFault)) throw error;
      return { fault: error.message };
    }
  },
};

function* readPerson(person: string, runs: readonly ReferenceSignal[], task: ReferenceTask): Steps<PersonRead> {
  const shape = { kind: task.kind, classes: task.classes.map(({ id }) => id) };
  const features = yield* personInSteps(person, runs, shape);
  const broken = [features.values, features.steps].some((table) => !table.every(Number.isFinite));
  if (broken) return { fault: `The recordings of ${person} contain values that are not finite.` };
  const bytes = encode(features);
  return moving({ bytes, classIds: [...new Set(features.classIds)] }, [bytes.buffer as ArrayBuffer]);
}
