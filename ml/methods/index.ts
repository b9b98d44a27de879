import { augmentedTangentLogistic } from './augmented-tangent-logistic.ts';
import { augmentedTangentSvm } from './augmented-tangent-svm.ts';
import { augmentedTangentTuned } from './augmented-tangent-tuned.ts';
import { averageCovariances } from './average-covariances.ts';
import { averageSsvep } from './average-ssvep.ts';
import { ccaLda } from './cca-lda.ts';
import { cspLda } from './csp-lda.ts';
import { cspTunedLda } from './csp-tuned-lda.ts';
import { erpTangentLogistic } from './erp-tangent-logistic.ts';
import { fgmdm } from './fgmdm.ts';
import { fixedSitesLogistic } from './fixed-sites-logistic.ts';
import { filterBankCcaLda } from './filter-bank-cca-lda.ts';
import { filterBankCsp } from './filter-bank-csp.ts';
import { filterBankNetwork } from './filter-bank-network.ts';
import { filterBankRidge } from './filter-bank-ridge.ts';
import { filterBankTangent } from './filter-bank-tangent.ts';
import { laplacianPowerRidge } from './laplacian-power-ridge.ts';
import { logPowerLogistic } from './log-power-logistic.ts';
import { logPowerRidge } from './log-power-ridge.ts';
import { logSpectrumLogistic } from './log-spectrum-logistic.ts';
import { logSpectrumRidge } from './log-spectrum-ridge.ts';
import { mdm } from './mdm.ts';
import { recentred } from './parts/recentred.ts';
import { powerTrees } from './power-trees.ts';
import { sleepLogistic } from './sleep-logistic.ts';
import { sleepTrees } from './sleep-trees.ts';
import { ssvepMdm } from './ssvep-mdm.ts';
import { ssvepTangentLogistic } from './ssvep-tangent-logistic.ts';
import { ssvepTangentRidge } from './ssvep-tangent-ridge.ts';
import { tangentElasticNet } from './tangent-elastic-net.ts';
import { tangentLogistic } from './tangent-logistic.ts';
import { tangentRidge } from './tangent-ridge.ts';
import { tangentSvm } from './tangent-svm.ts';
import { tangentTuned } from './tangent-tuned.ts';
import { tangentWideLogistic } from './tangent-wide-logistic.ts';
import type { Method } from './types.ts';
import { windowedMeansLda } from './windowed-means-lda.ts';
import { windowedMeansRidge } from './windowed-means-ridge.ts';
import { xdawnTangentLogistic } from './xdawn-tangent-logistic.ts';
import { xdawnTangentRidge } from './xdawn-tangent-ridge.ts';

export type { FitContext, Head, HeadValue, Method } from './types.ts';
export { createWorkspace } from './workspace.ts';
export type { Workspace } from './workspace.ts';

/** The registry: one row per candidate method. */
export const methods: readonly Method[] = [
  tangentLogistic,
  tangentTuned,
  tangentRidge,
  tangentElasticNet,
  tangentSvm,
  fgmdm,
  mdm,
  recentred(tangentLogistic, 2),
  recentred(tangentRidge, 2),
  recentred(cspLda, 8, 'euclidean'),
  tangentWideLogistic,
  cspLda,
  cspTunedLda,
  filterBankCsp,
  filterBankTangent,
  filterBankRidge,
  filterBankNetwork,
  augmentedTangentLogistic,
  augmentedTangentTuned,
  augmentedTangentSvm,
  logPowerLogistic,
  logPowerRidge,
  logSpectrumLogistic,
  logSpectrumRidge,
  fixedSitesLogistic,
  laplacianPowerRidge,
  xdawnTangentLogistic,
  xdawnTangentRidge,
  erpTangentLogistic,
  windowedMeansLda,
  windowedMeansRidge,
  ccaLda,
  filterBankCcaLda,
  ssvepMdm,
  ssvepTangentLogistic,
  ssvepTangentRidge,
  averageSsvep,
  averageCovariances,
  sleepTrees,
  sleepLogistic,
  powerTrees,
];

/** Earlier versions of rows of the registry, newest first, each kept as long as a hosted model is pinned to it. */
export const olderMethods: readonly Method[] = [];

/** Registry row of an id, at a version where one is given; throws where this code does not hold it. */
export function methodOf(id: string, version?: string): Method {
  const rows = [...methods, ...olderMethods].filter((row) => row.id === id);
  const method = version === undefined ? rows[0] : rows.find((row) => row.version === version);
  if (method) return method;
  throw rows.length
    ? new RangeError(
        `This code does not hold version ${version} of the method ${id}; it holds ${rows.map((row) => row.version).join(', ')}.`,
      )
    : new RangeError(`No method "${id}"; there are ${methods.map((row) => row.id).join(', ')}.`);
}

/** Whether this code holds a version of a method. */
export const holdsMethod = (id: string, version: string): boolean =>
  [...methods, ...olderMethods].some((row) => row.id === id && row.version === version);

/** Loads what fitting these methods needs; awaited once per thread before they are fitted. */
export async function prepareMethods(ids: readonly string[]): Promise<void> {
  for (const id of ids) await methodOf(id).prepare?.();
}
