import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common';
import type { Lifecycle } from '../activities/types.ts';

/** What an operator filters by in the Temporal UI. Never the description or a name: search attributes are plaintext. */
const keys = {
  accountId: defineSearchAttributeKey('AccountId', 'KEYWORD'),
  status: defineSearchAttributeKey('TaskModelStatus', 'KEYWORD'),
  taskKind: defineSearchAttributeKey('TaskKind', 'KEYWORD'),
  mode: defineSearchAttributeKey('KeyMode', 'KEYWORD'),
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
