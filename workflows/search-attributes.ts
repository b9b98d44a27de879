import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { searchAttributes as keys } from '../infra/contract/search-attributes.ts';
import type { PreparationStatus } from '../infra/contract/reference-data/preparation.ts';
import type { Lifecycle } from '../activities/activities.ts';

export type Labels = Pick<Lifecycle, 'accountId' | 'status' | 'taskKind' | 'mode'>;

export function searchAttributesOf({ accountId, status, taskKind, mode }: Labels): SearchAttributeUpdatePair[] {
  return [
    { key: keys.accountId, value: accountId },
    { key: keys.status, value: status },
    { key: keys.taskKind, value: taskKind },
    { key: keys.mode, value: mode },
  ];
}

/** Search attributes of a preparation or a fit of reference data. `status`: the status of the current task. */
export function referenceAttributesOf(dataSet: string, status: PreparationStatus): SearchAttributeUpdatePair[] {
  return [
    { key: keys.dataSet, value: dataSet },
    { key: keys.reference, value: status },
  ];
}
