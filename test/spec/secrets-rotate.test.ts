import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectNames } from '../../infra/contract/object-names.ts';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { loadConfig } from '../../infra/drivers/config.ts';
import { createObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { loadSecrets, renewSecrets } from '../../infra/drivers/secrets.ts';
import { openAdmin } from '../support/admin.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'rotate-'));
const url = pathToFileURL(join(folder, 'objects')).href;
const config = loadConfig({ DATA_DIR: folder });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const day = 86_400_000;
const modelId = `clf_${'a'.repeat(32)}`;
const [model, batch] = [objectNames.model({ modelId, jobId: '1' }), objectNames.batch(modelId, '1')];
const run = (at: Date) => {
  const open = openAdmin(database.pool);
  return runAdmin(['secrets', 'rotate'], async () => ({
    ...(await open()),
    async renewSecrets() {
      const { made } = await renewSecrets(config, at);
      return { made, objects: createObjectStore({ url, keys: (await loadSecrets(config)).dataEncryptionKeys }) };
    },
  }));
};
const rotate = async (at: Date) => {
  const { out, errors } = await run(at);
  expect(errors).toEqual([]);
  return JSON.parse(out!) as Record<string, unknown>;
};

it('makes a key, seals every object with it, and forgets a former key ninety days after its successor', async () => {
  const first = await loadSecrets(config);
  const store = createObjectStore({ url, keys: first.dataEncryptionKeys });
  for (const name of [model, batch]) await store.put(name, new Uint8Array([1, 2]));

  expect(await rotate(new Date(0))).toMatchObject({ new_key: true, objects: 2, resealed: 2 });
  const second = await loadSecrets(config);
  expect(second.dataEncryptionKeys).toHaveLength(2);
  expect(second.dataEncryptionKeys[1]).toEqual(first.dataEncryptionKeys[0]);
  expect(second.sessionSecret).not.toBe(first.sessionSecret);
  const newest = createObjectStore({ url, keys: second.dataEncryptionKeys.slice(0, 1) });
  expect([...(await newest.get(model))]).toEqual([1, 2]);

  await rotate(new Date(89 * day));
  expect((await loadSecrets(config)).dataEncryptionKeys).toHaveLength(3);
  await rotate(new Date(91 * day));
  const kept = (await loadSecrets(config)).dataEncryptionKeys;
  expect(kept).toHaveLength(3);
  expect(kept).not.toContainEqual(first.dataEncryptionKeys[0]);
});

it('skips objects of other applications, and names them with those that cannot be decrypted', async () => {
  const at = new Date(92 * day);
  const path = (name: string) => join(folder, 'objects', name);
  for (const name of ['.listed', 'models/notes.txt']) writeFileSync(path(name), 'of somebody else');
  expect(await rotate(at)).toMatchObject({
    objects: 2,
    resealed: 2,
    damaged: 0,
    foreign: 2,
    first_foreign: ['.listed', 'models/notes.txt'],
  });

  truncateSync(path(batch), 20);
  const { out, errors, exitCode } = await run(at);
  expect(JSON.parse(out!)).toMatchObject({ objects: 2, resealed: 1, damaged: 1, foreign: 2 });
  expect(errors).toEqual([expect.stringContaining(`The object ${batch} cannot be opened`)]);
  expect(exitCode).toBe(1);
});

it('leaves keys from the environment to the operator', async () => {
  const set = loadConfig({ DATA_DIR: folder, DATA_ENCRYPTION_KEY: `${'a'.repeat(64)}, ${'b'.repeat(64)}` });
  expect(await renewSecrets(set, new Date())).toEqual({ made: false });
  const { dataEncryptionKeys } = await loadSecrets(set);
  expect(dataEncryptionKeys.map((key) => Buffer.from(key).toString('hex').slice(0, 2))).toEqual(['aa', 'bb']);
});
