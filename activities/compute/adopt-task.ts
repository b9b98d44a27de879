import { encode } from '../../infra/drivers/codec.ts';
import type { NetworkSource } from '../../infra/contract/fit-request.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import { fitNetworkForPeople } from '../../ml/reference-fits/network-fit.ts';
import type { FittedModel, TrainingReport } from '../../ml/train/index.ts';
import { openStoredFit } from './stored-fit.ts';

export interface AdoptTask {
  /**
   * Encoded `StoredReferenceFit`, whose classes are ids of reference classes; or what the movement network is made a
   * model for.
   */
  readonly fit: Uint8Array | NetworkSource;
  /** Class of the model → id of the reference class, in the order of the answered classes. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export interface Adopted {
  /** Encoded `FittedModel`. */
  readonly bytes: Uint8Array;
  readonly method: FittedModel['method'];
  readonly pins: readonly string[];
  readonly report: TrainingReport;
}

type PerClass = Readonly<Record<string, unknown>>;

/** Replaces the class names of a fit on reference recordings by the caller's. */
const networkFit = ({ task, classes, shape }: NetworkSource) =>
  fitNetworkForPeople({ id: task, kind: 'motor', classes }, shape);

export const adoptTasks = {
  adopt({ fit, mapping, warnings }: AdoptTask): Adopted {
    const { model, pins, report } = fit instanceof Uint8Array ? openStoredFit(fit) : networkFit(fit);
    const names = new Map(Object.entries(mapping).map(([name, id]) => [id, name]));
    const nameOf = (id: string): string => {
      const name = names.get(id);
      if (name === undefined) throw new Error(`The fit has a class "${id}" that is none of the classes of the model.`);
      return name;
    };
    const perClass = (values: unknown): PerClass =>
      Object.fromEntries(Object.entries(mapping).map(([name, id]) => [name, (values as PerClass)[id]]));
    const classes = model.classes.map(nameOf);
    const { confusion_matrix: matrix, priors } = report as Readonly<Record<string, PerClass | undefined>>;
    const bytes = encode({ ...model, classes } satisfies FittedModel);
    const adopted = {
      bytes,
      method: model.method,
      pins,
      report: {
        ...report,
        trials_per_class: perClass(report['trials_per_class']),
        recall: perClass(report['recall']),
        confusion_matrix: { ...matrix, labels: (matrix!['labels'] as readonly string[]).map(nameOf) },
        ...(priors
          ? { priors: { ...priors, classes: perClass(priors['classes']), sent: perClass(priors['sent']) } }
          : {}),
        warnings: [...report.warnings, ...warnings],
      },
    };
    return moving(adopted, [bytes.buffer as ArrayBuffer]);
  },
};
