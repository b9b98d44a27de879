import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { ledgerHead } from '../../infra/records/ledger/check-seals.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { forgeries } from '../support/forgeries.ts';
import { poolInside, problemsAfter } from '../support/planted.ts';
import { later, sealedBooks, type Books } from '../support/sealed-books.ts';

const options = { at: later(91) };
let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await sealedBooks(database);
});
afterAll(async () => await database.drop());

test.each([
  { name: 'the untouched books', forgery: null },
  ...forgeries.map((forgery) => ({ name: forgery.name, forgery })),
])('$name', async ({ forgery }) => {
  const problems = await problemsAfter(
    database.admin,
    async (sql) => await sql.query(forgery ? forgery.sql(books) : 'SELECT 1'),
    options,
  );
  if (!forgery) return expect(problems).toEqual([]);
  const found = problems.filter(({ invariant }) => forgery.invariant.test(invariant));
  expect(found.map(({ row }) => row)).toContainEqual(expect.stringContaining(forgery.row(books)));
});

test('untouched books pass when every sealed transaction is checked again', async () => {
  expect(await checkLedger(database.pool, { ...options, all: true })).toMatchObject({ ok: true, unsealed: 1 });
});

test('a noted head belongs to the chain, also after later seals', async () => {
  const head = await ledgerHead(database.pool);
  expect(await checkLedger(database.pool, { sinceHead: head!.hash })).toMatchObject({ ok: true, ancestor: 2, head });
  await sealLedger(database.pool);
  expect(await checkLedger(database.pool, { sinceHead: head!.hash })).toMatchObject({
    ok: true,
    ancestor: 2,
    unsealed: 0,
  });
});

test('a rebuilt chain does not contain the noted head', async () => {
  const head = await ledgerHead(database.pool);
  const problems = await problemsAfter(
    database.admin,
    async (sql) => {
      await sql.query(forgeries.find(({ name }) => name.includes('deleted with all that it left'))!.sql(books));
      await sql.query('DELETE FROM ledger_seals');
      await sealLedger(poolInside(sql));
    },
    { ...options, sinceHead: head!.hash },
  );
  expect(problems).toEqual([
    expect.objectContaining({ invariant: 'the noted head belongs to this chain', row: `ledger_seals ${head!.hash}` }),
  ]);
});
