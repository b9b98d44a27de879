import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { downloadFile } from '../../infra/downloads/download.ts';
import { openPart } from '../../infra/downloads/part-file.ts';
import { openFileSite } from '../support/file-site.ts';

let folder: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parts-'));
  target = join(folder, 'weights.bin');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const text = (path: string): string => readFileSync(path, 'latin1');
/** Renames the only part to that of a process of another container, where process ids mean other processes. */
function movedElsewhere(): string {
  const [name] = readdirSync(folder);
  const path = join(folder, name.replace(/\.[^.]+\.\d+-/, '.elsewhere.4194000-'));
  renameSync(join(folder, name), path);
  return path;
}
function idle(path: string): void {
  const before = Date.now() / 1000 - 300;
  utimesSync(path, before, before);
}

describe('the part of a file', () => {
  it('of another container is not touched while it is written to', async () => {
    const theirs = await openPart(target);
    await theirs.append(Buffer.from('AAAA'));
    movedElsewhere();
    const ours = await openPart(target);
    expect(ours.size).toBe(0);
    await Promise.all([ours.close(), theirs.close()]);
  });

  it('of another container is resumed when it is idle, and no process writes to the finished file', async () => {
    const theirs = await openPart(target);
    await theirs.append(Buffer.from('AAAA'));
    idle(movedElsewhere());
    const ours = await openPart(target);
    expect(ours.size).toBe(4);
    await ours.append(Buffer.from('BBBB'));
    await ours.finish();
    await theirs.append(Buffer.from('CCCC'));
    expect(text(target)).toBe('AAAABBBB');
    await expect(theirs.finish()).rejects.toThrow('ENOENT');
    await theirs.close();
    expect(text(target)).toBe('AAAABBBB');
    expect(readdirSync(folder)).toEqual(['weights.bin']);
  });

  it('is resumed at once after it was closed here', async () => {
    const before = await openPart(target);
    await before.append(Buffer.from('AAAA'));
    await before.close();
    const after = await openPart(target);
    expect(after.size).toBe(4);
    await after.append(Buffer.from('BBBB'));
    await after.finish();
    expect([text(target), readdirSync(folder)]).toEqual(['AAAABBBB', ['weights.bin']]);
  });

  it('is not that of a file whose name begins in the same way', async () => {
    const longer = await openPart(`${target}.gz`);
    await longer.append(Buffer.from('AAAA'));
    await longer.close();
    const shorter = await openPart(target);
    expect(shorter.size).toBe(0);
    await shorter.close();
  });
});

describe('a download on a full disk', () => {
  /** Every file that is open takes `room` bytes more, all together, and then fails. */
  async function fill(room: number): Promise<void> {
    const any = await open(folder);
    const prototype = Object.getPrototypeOf(any) as typeof any;
    await any.close();
    const { appendFile } = prototype;
    let left = room;
    vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: typeof any, data, options) {
      left -= (data as Uint8Array).length;
      if (left < 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await appendFile.call(this, data, options);
    });
  }

  it('leaves nothing of the file, and says how many bytes it has', async () => {
    const site = await openFileSite(new Map([['weights.bin', Buffer.alloc(3_000_000)]]));
    try {
      await fill(100_000);
      const published = { bytes: 3_000_000, sha256: '0'.repeat(64) };
      const work = downloadFile({
        name: 'weights.bin',
        url: `${site.url}/weights.bin`,
        target,
        published,
        elsewhere: '',
      });
      await expect(work).rejects.toMatchObject({
        fault: 'cannot_write',
        message:
          'weights.bin could not be written: the disk is full (ENOSPC) and the file has 3000000 bytes. ' +
          'Nothing of it was kept.',
      });
      expect([readdirSync(folder), site.asked.length]).toEqual([[], 1]);
    } finally {
      await site.close();
    }
  });
});
