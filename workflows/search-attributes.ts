import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common';
import type { PreparationStatus } from '../infra/contract/reference/preparation.ts';
import type { Lifecycle } from '../activities/types.ts';

/** What an operator filters by in the Temporal UI. Never the description or a name: search attributes are plaintext. */
const keys = {
  accountId: defineSearchAttributeKey('AccountId', 'KEYWORD'),
  status: defineSearchAttributeKey('TaskModelStatus', 'KEYWORD'),
  taskKind: defineSearchAttributeKey('TaskKind', 'KEYWORD'),
  mode: defineSearchAttributeKey('KeyMode', 'KEYWORD'),
  dataSet: defineSearchAttributeKey('ReferenceDataSet', 'KEYWORD'),
  reference: defineSearchAttributeKey('ReferenceStatus', 'KEYWORD'),
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

/** Of a fit job: it has no status of its own. */
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
