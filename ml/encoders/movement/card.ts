import cardJson from './card.json' with { type: 'json' };

/** Id of the network, in the catalogue, in feature sets and in pins. */
export const movementId = 'movement';

/** A task that the network tells apart: two classes, one log-odds. */
export interface MovementHead {
  /** Ids of reference tasks (`infra/contract/reference-data`), each with the class of positive log-odds. */
  readonly tasks: Readonly<Record<string, string>>;
  /** True if exchanging the left and the right electrodes exchanges its classes. */
  readonly mirrored: boolean;
  /** People whose trials of the task it was trained on. */
  readonly people: number;
  /**
   * Temperatures of log-odds of people who were left out, for trials that are aligned as a batch and for single ones.
   */
  readonly temperature: { readonly batch: number; readonly alone: number };
}

/** Score of a head on left-out people, read from some electrodes. Scores are fractions from 0 to 1. */
export interface MovementScore {
  readonly head: string;
  readonly montage: string;
  readonly electrodes: readonly string[];
  /** `own15`, `own30`: the last run, recentred on the person's first 15 or 30 trials. */
  readonly align: 'batch' | 'alone' | 'own15' | 'own30';
  readonly people: number;
  readonly trials: number;
  readonly balancedAccuracy: number;
  readonly interval95: readonly [number, number];
  readonly onePerson95: readonly [number, number];
  readonly lowerBound95: number;
  readonly quartiles: readonly [number, number, number];
  /** Trials by true class (row) and answer (column): negative, then positive log-odds. */
  readonly confusion: readonly (readonly [number, number])[];
  readonly logLoss: number;
  readonly calibrationError: number;
}

/** Model card: what the network reads, how it was trained, and what it reaches. `trainer/` writes it. */
export interface MovementCard {
  readonly version: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly parameters: number;
  /** Electrodes that the filters read, in their order, and the same by preference. */
  readonly sites: readonly string[];
  readonly preference: readonly string[];
  /** Most electrodes that are read at once. */
  readonly mostSites: number;
  /** Pass bands, Hz. */
  readonly bands: readonly (readonly [number, number])[];
  /** Windows of a trial in the bank, fractions of its length. */
  readonly windows: readonly (readonly [number, number])[];
  /** Lengths of trials that are read, seconds. */
  readonly seconds: readonly [number, number];
  readonly networks: number;
  /** Spatial filters of each band. */
  readonly filters: number;
  /** Added to powers before their logarithm. */
  readonly eps: number;
  /** Shrinkage of a mean covariance towards its mean variance before recentring. */
  readonly lambda: number;
  /** How much a single trial of an unknown person counts for its own recentring. */
  readonly ownWeight: number;
  readonly heads: Readonly<Record<string, MovementHead>>;
  /** People of each fold; the network of a fold has not seen them. */
  readonly folds: readonly (readonly string[])[];
  /** File with sketches of the training people, beside the weights, and their names in its order. */
  readonly people: { readonly sha256: string; readonly bytes: number; readonly names: readonly string[] };
  readonly scores: readonly MovementScore[];
}

export const movementCard = cardJson as unknown as MovementCard;
