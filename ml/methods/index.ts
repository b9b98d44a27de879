import { augmentedMethods } from './augmented.ts';
import { averageMethods } from './averages.ts';
import { cspMethods } from './csp.ts';
import { erpMethods } from './erp.ts';
import { filterBankNetwork } from './filter-bank-network.ts';
import { filterBankMethods } from './filter-bank.ts';
import { movementMethods } from './movement.ts';
import { phaseLockedMethods } from './phase-locked.ts';
import { powerMethods, powerTrees } from './power.ts';
import { pretrainedMethods } from './pretrained.ts';
import { recentredMethods } from './recentred.ts';
import { referenceMethods } from './reference.ts';
import { sleepMethods } from './sleep.ts';
import { ssvepMethods } from './ssvep.ts';
import { tangentMethods, tangentWideLogistic } from './tangent.ts';
import type { Method } from './types.ts';

export { controls, controlSets, covarianceControl } from './controls.ts';
export type { Control } from './controls.ts';
export type { Head, Method } from './types.ts';
export { fitInSteps } from './fit-in-steps.ts';
export { createWorkspace, onceInSteps } from './workspace.ts';
export type { Workspace } from './workspace.ts';

/** The registry: one row per candidate method. An average follows its members, because it uses their scores. */
export const methods: readonly Method[] = [
  ...tangentMethods,
  ...recentredMethods,
  tangentWideLogistic,
  ...cspMethods,
  ...filterBankMethods,
  filterBankNetwork,
  ...augmentedMethods,
  ...powerMethods,
  ...erpMethods,
  ...ssvepMethods,
  ...phaseLockedMethods,
  ...averageMethods,
  ...sleepMethods,
  powerTrees,
  ...referenceMethods,
  ...movementMethods,
  ...pretrainedMethods,
];

/** Earlier versions of rows, newest first. Each stays as long as a hosted model is pinned to it. */
export const olderMethods: readonly Method[] = [];

/** Registry row of an id, and of a version if given. Throws if this code does not have it. */
export function methodOf(id: string, version?: string): Method {
  for (const table of [methods, olderMethods])
    for (const row of table) if (row.id === id && (version === undefined || row.version === version)) return row;
  const rows = [...methods, ...olderMethods].filter((row) => row.id === id);
  throw rows.length
    ? new RangeError(
        `This code does not hold version ${version} of the method ${id}; it holds ` +
          `${rows.map((row) => row.version).join(', ')}.`,
      )
    : new RangeError(`No method "${id}"; there are ${methods.map((row) => row.id).join(', ')}.`);
}

/** True if this code has a version of a method. */
export function hasMethodVersion(id: string, version: string): boolean {
  const isIt = (row: Method): boolean => row.id === id && row.version === version;
  return methods.some(isIt) || olderMethods.some(isIt);
}

/** Loads the dependencies of fitting these methods; awaited once per thread. */
export async function prepareMethods(rows: readonly Pick<Method, 'prepare'>[]): Promise<void> {
  for (const row of rows) await row.prepare?.();
}
