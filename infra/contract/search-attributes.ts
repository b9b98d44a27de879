const keyword = (name: string) => ({ name, type: 'KEYWORD' }) as const;

/** Filters for an operator in the Temporal UI. Never the description or a name: search attributes are not encrypted. */
export const searchAttributes = {
  accountId: keyword('AccountId'),
  status: keyword('TaskModelStatus'),
  taskKind: keyword('TaskKind'),
  mode: keyword('KeyMode'),
  dataSet: keyword('ReferenceDataSet'),
  reference: keyword('ReferenceStatus'),
};
