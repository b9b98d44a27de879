/** Limits of the methods. `infra/contract/limits.ts` spreads them into the limits of the public interface. */
export const mlLimits = {
  /** Rate to which every signal is resampled at intake. */
  workingRateHz: 256,
  /** Trials of each class that a fit needs. */
  minTrialsPerClass: 5,
  /** Trials of each class below which the report calls its scores uncertain. */
  recommendedTrialsPerClass: 20,
  /** Trials that a fit reads. From more it draws a sample. */
  trialsPerFit: 16_384,
  /** Largest distance of an electrode that replaces one of the 19 fixed sites. */
  nearestSiteMillimetres: 60,
} as const;

/** Fewest people for evidence from leaving people out. */
export const fewestPeople = 5;
