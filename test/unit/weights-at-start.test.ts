import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../infra/drivers/config.ts';
import { findWeights } from '../../infra/main/encoders.ts';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { missingPins } from '../../ml/pins/index.ts';
import { call, named, text } from '../ml/pickles.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';
import { publishedAs } from '../support/weights-file.ts';

const { file } = modelOf('robust-sleep-net');
const pin = `weights:robust-sleep-net@${file.sha256}`;
const root = mkdtempSync(join(tmpdir(), 'weights-at-start-'));
const sign = join(root, 'executed');
let folder: string;
let count = 0;

beforeEach(() => {
  folder = join(root, `${count++}`);
  mkdirSync(join(folder, file.folder), { recursive: true });
});
afterAll(() => {
  setInstalledWeights([]);
  rmSync(root, { recursive: true, force: true });
});

/** What a process finds that begins now, and what it logs. */
async function start(modelsEnabled: readonly string[] | null = null, at = folder) {
  const warned: string[] = [];
  const config = { modelStoreUrl: pathToFileURL(at).href, modelsEnabled, cacheDir: root } as unknown as Config;
  const standings = await findWeights(config, { warn: (line: string) => void warned.push(line) });
  return { sleep: standings.find(({ id }) => id === 'robust-sleep-net')!, warned };
}

describe('the place of published weights', () => {
  const size = file.bytes!;
  it.each([
    ['of the right size, with other bytes', Buffer.alloc(size, 'w'), /not the published file: its SHA-256 is/],
    ['cut short', Buffer.alloc(size - 1), /not the published file: it has \d+ bytes/],
    [
      'a pickle that calls os.system',
      publishedAs('robust-sleep-net', call(named('posix', 'system'), text(`touch ${sign}`))),
      /not the published file/,
    ],
    ['empty', Buffer.alloc(0), /not the published file/],
  ])('is named with the reason and not used where it is %s; nothing of it is executed', async (_, bytes, why) => {
    const at = join(folder, file.folder, file.path);
    writeFileSync(at, bytes);
    const { sleep, warned } = await start();
    const reason = 'weights not installed, and what lies in their place cannot be used';
    expect(sleep).toMatchObject({ status: 'not_installed', reason, weights: null });
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain(`The weights of robust-sleep-net are not used. ${at}`);
    expect(warned[0]).toMatch(why);
    expect(existsSync(sign)).toBe(false);
    expect(missingPins([pin])).toEqual([pin]);
  });

  it('may be empty, without folder and file', async () => {
    for (const at of [folder, join(folder, 'absent')]) {
      const { sleep, warned } = await start(null, at);
      expect(sleep).toMatchObject({ reason: 'weights not installed', weights: null });
      expect(warned).toEqual([]);
    }
  });
});

describe.skipIf(modelMissing('robust-sleep-net'))('the published weights', () => {
  const published = (): Buffer => readFileSync(join(modelsFolder, file.folder, file.path));

  it('are used, and serve pinned models, until they are removed, whatever MODELS_ENABLED says', async () => {
    const at = join(folder, file.folder, file.path);
    writeFileSync(at, published());
    expect((await start()).sleep).toMatchObject({ status: 'ready', weights: { path: at, sha256: file.sha256 } });
    expect(missingPins([pin, 'features:robust-sleep-net@1'])).toEqual([]);
    expect(missingPins([`weights:robust-sleep-net@${'0'.repeat(64)}`])).toHaveLength(1);
    expect((await start([])).sleep).toMatchObject({ status: 'off', weights: { path: at } });
    expect(missingPins([pin])).toEqual([]);
    rmSync(at);
    await start();
    expect(missingPins([pin])).toEqual([pin]);
  });

  it('are not used if one byte differs', async () => {
    const bytes = published();
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(folder, file.folder, file.path), bytes);
    const { sleep, warned } = await start();
    expect(sleep.weights).toBeNull();
    expect(warned[0]).toMatch(/best_model\.gz is not the published file: its SHA-256 is/);
  });
});
