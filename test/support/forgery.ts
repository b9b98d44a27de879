import type { Books } from './sealed-books.ts';

export interface Forgery {
  readonly name: string;
  /** Statements of a database writer with every right, who bypasses triggers. */
  readonly sql: (books: Books) => string;
  /** Part of the row that the check must name, and of an invariant that it must name it by. */
  readonly row: (books: Books) => string;
  readonly invariant: RegExp;
}
