import { scopes } from '../../../../infra/contract/scopes.ts';

type Scope = (typeof scopes)[number];

/** What a key with each scope may do. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  predictions: 'Create models, predict, list, rename and delete',
  'models:read': 'List and read models',
  'usage:read': 'Read usage and limits',
};

/** What a key with these scopes may do. */
export const mayWords = (of: readonly Scope[]): string =>
  scopes.every((each) => of.includes(each)) ? 'Everything' : of.map((each) => scopeWords[each]).join('; ');
