import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import { moving } from '../../infra/drivers/threads/serve.ts';
import type { ReferenceTask } from '../../infra/contract/reference/index.ts';
import { ReferenceFault } from '../../infra/recordings/reference/fault.ts';
import { findStretches, readRun, type RunFile, type RunsOf } from '../../infra/recordings/reference/run.ts';
import { chooseElectrodes } from '../../ml/reference-fits/choose-electrodes.ts';
import { fitReferenceInSteps } from '../../ml/reference-fits/fit.ts';
import { personInSteps } from '../../ml/reference-fits/person-features.ts';
import type { Steps } from '../../ml/steps.ts';
import type {
  PersonFeatures,
  ReferenceEvidence,
  ReferenceShape,
  ReferenceSignal,
  ReferenceTaskShape,
} from '../../ml/reference-fits/types.ts';
import { ReferenceUnfit } from '../../ml/reference-fits/unfit.ts';
import type { StoredReferenceFit } from './stored-fit.ts';

/** One person's recordings of a task. */
export interface PersonRuns {
  readonly person: string;
  readonly set: RunsOf;
  readonly task: ReferenceTask;
  readonly files: readonly RunFile[];
}

export type PersonRead =
  /** Encoded `PersonFeatures`, and the classes that have trials in them. */
  { readonly bytes: Uint8Array; readonly classIds: readonly string[] } | Fault;

interface Fault {
  /** Why a file cannot be used, in words that name it. */
  readonly fault: string;
}

/** The fit of a task's people for one shape of trials. */
export interface PeopleFit {
  readonly people: readonly PersonFeatures[];
  readonly task: ReferenceTaskShape;
  readonly shape: ReferenceShape;
  /** One number, the share that is done. */
  readonly progress: SharedArrayBuffer;
}

export interface PeopleFitted {
  /** A `StoredReferenceFit`, encoded. */
  readonly bytes: Uint8Array;
  readonly pins: readonly string[];
  readonly evidence: ReferenceEvidence;
}

/** What is done with reference recordings. */
export const referenceTasks = {
  /** A person's recordings → their features. A thread holds the signal of one person at a time. */
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

  /** A person's object → their features on the named electrodes, in shared memory. */
  openPerson: ({ bytes, names }: { bytes: Uint8Array; names: readonly string[] }): PersonFeatures =>
    chooseElectrodes(
      decodeFormat<PersonFeatures>(bytes, 1, 'features of a person'),
      names,
      (length) => new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT)),
    ),

  /** Features of all people → a model, its evidence and its prior. */
  *fitReference({ people, task, shape, progress }: PeopleFit): Steps<PeopleFitted | { readonly unfit: string }> {
    const share = new Float64Array(progress);
    const tell = (done: number): void => {
      share[0] = done;
    };
    let fit;
    try {
      fit = yield* fitReferenceInSteps(people, task, shape, tell);
    } catch (error) {
      if (error instanceof ReferenceUnfit) return { unfit: error.message };
      throw error;
    }
    const bytes = encode({ format: 1, ...fit } satisfies StoredReferenceFit);
    return moving({ bytes, pins: fit.pins, evidence: fit.evidence }, [bytes.buffer as ArrayBuffer]);
  },
};

function* readPerson(person: string, runs: readonly ReferenceSignal[], task: ReferenceTask): Steps<PersonRead> {
  const shape = { kind: task.kind, classes: task.classes.map(({ id }) => id) };
  const features = yield* personInSteps(person, runs, shape);
  const broken = [features.values, features.steps].some((table) => !table.every(Number.isFinite));
  if (broken) return { fault: `The recordings of ${person} hold numbers without bound.` };
  const bytes = encode(features);
  return moving({ bytes, classIds: [...new Set(features.classIds)] }, [bytes.buffer as ArrayBuffer]);
}
