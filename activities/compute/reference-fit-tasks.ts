import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import { chooseElectrodes } from '../../ml/reference-fits/choose-electrodes.ts';
import { fitReferenceInSteps } from '../../ml/reference-fits/fit.ts';
import type { Steps } from '../../ml/steps.ts';
import type {
  PersonFeatures,
  ReferenceEvidence,
  ReferenceShape,
  ReferenceTaskShape,
} from '../../ml/reference-fits/types.ts';
import { ReferenceUnfit } from '../../ml/reference-fits/unfit.ts';
import { withoutRecognised } from '../../ml/reference-fits/without-recognised.ts';
import type { JobData } from './job-data.ts';
import type { StoredReferenceFit } from './stored-fit.ts';

/** Input of a fit on a task's people, for one shape of trials. */
export interface PeopleFit {
  readonly people: readonly PersonFeatures[];
  readonly task: ReferenceTaskShape;
  readonly shape: ReferenceShape;
  /** One number: the fraction that is done. */
  readonly progress: SharedArrayBuffer;
}

export interface PeopleFitted {
  /** Encoded `StoredReferenceFit`. */
  readonly bytes: Uint8Array;
  readonly pins: readonly string[];
  readonly evidence: ReferenceEvidence;
}

/** How models are fitted on reference recordings. */
export const referenceFitTasks = {
  /** Decodes a person's features on the named electrodes into shared memory. */
  openPerson: ({ bytes, names }: { bytes: Uint8Array; names: readonly string[] }): PersonFeatures =>
    chooseElectrodes(
      decodeFormat<PersonFeatures>(bytes, 1, 'features of a person'),
      names,
      (length) => new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT)),
    ),

  /** The job without anything that was learned from its own trials. */
  compareWithPeople({ data }: { data: JobData }): JobData {
    const { data: training, warnings } = withoutRecognised(data.training);
    return { ...data, training, warnings: [...(data.warnings ?? []), ...warnings] };
  },

  /** Fits a model on the features of all people. Returns it with its evidence and its prior. */
  *fitReference({ people, task, shape, progress }: PeopleFit): Steps<PeopleFitted | { readonly unfit: string }> {
    const fraction = new Float64Array(progress);
    const onProgress = (done: number): void => {
      fraction[0] = done;
    };
    let fit;
    try {
      fit = yield* fitReferenceInSteps(people, task, shape, onProgress);
    } catch (error) {
      if (error instanceof ReferenceUnfit) return { unfit: error.message };
      throw error;
    }
    const bytes = encode({ format: 1, ...fit } satisfies StoredReferenceFit);
    return moving({ bytes, pins: fit.pins, evidence: fit.evidence }, [bytes.buffer as ArrayBuffer]);
  },
};
