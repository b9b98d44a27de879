/**
 * What an operator filters by in the Temporal UI, each a keyword. Never the description or a name: search attributes
 * are plaintext.
 */
export const searchAttributes = {
  accountId: 'AccountId',
  status: 'TaskModelStatus',
  taskKind: 'TaskKind',
  mode: 'KeyMode',
  dataSet: 'ReferenceDataSet',
  reference: 'ReferenceStatus',
} as const;
