import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common';
import { searchAttributes } from '../infra/contract/search-attributes.ts';
import type { PreparationStatus } from '../infra/contract/reference/preparation.ts';
import type { Lifecycle } from '../activities/types.ts';

const keys = {
  accountId: defineSearchAttributeKey(searchAttributes.accountId, 'KEYWORD'),
  status: defineSearchAttributeKey(searchAttributes.status, 'KEYWORD'),
  taskKind: defineSearchAttributeKey(searchAttributes.taskKind, 'KEYWORD'),
  mode: defineSearchAttributeKey(searchAttributes.mode, 'KEYWORD'),
  dataSet: defineSearchAttributeKey(searchAttributes.dataSet, 'KEYWORD'),
  reference: defineSearchAttributeKey(searchAttributes.reference, 'KEYWORD'),
};

export type Labels = Pick<Lifecycle, 'accountId' | 'status' | 'taskKind' | 'mode'>;

export function searchAttributesOf({ accountId, status, taskKind, mode }: Labels): SearchAttributeUpdatePair[] {
  return [
    { key: keys.accountId, value: accountId },
    { key: keys.status, value: status },
    { key: keys.taskKind, value: taskKind },
    { key: keys.mode, value: mode },
  ];
}

/** Of a fit job, as `startOfFit` gives them, too: it has no status of its own. */
export function jobSearchAttributesOf({ accountId, taskKind, mode }: Omit<Labels, 'status'>): SearchAttributePair[] {
  return [
    { key: keys.accountId, value: accountId },
    { key: keys.taskKind, value: taskKind },
    { key: keys.mode, value: mode },
  ];
}

/** Of a preparation or a fit of reference data. `status`: of the task that it stands at. */
export function referenceAttributesOf(dataSet: string, status: PreparationStatus): SearchAttributeUpdatePair[] {
  return [
    { key: keys.dataSet, value: dataSet },
    { key: keys.reference, value: status },
  ];
}
