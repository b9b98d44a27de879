import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { summaryOf } from '../../clients/dashboard/models/file/summary.ts';
import { usualLimits } from '../../infra/downloads/download.ts';
import { findElectrodes } from '../../infra/recordings/channel-names.ts';
import { openRecordings } from '../../infra/recordings/open-recordings.ts';
import {
  fetchPublicFiles,
  publicRecordings,
  readPublicFile,
  type PublicRecording,
} from '../support/public-recordings.ts';

const absent = publicRecordings.filter((file) => !readPublicFile(file));
if (absent.length > 0)
  process.stderr.write(
    `\nSKIPPED: ${absent.length} of ${publicRecordings.length} public EDF and BDF files are not on this machine. ` +
      'Fetch them: npm run public-recordings\n',
  );
const rows: string[] = [];
afterAll(() => {
  if (rows.length > 0) process.stdout.write(`\npublic file | dashboard and demo\n${rows.join('\n')}\n`);
});

/** What the dashboard reads of a file, or its error. */
function answerOf(file: PublicRecording): Omit<PublicRecording, 'repository' | 'commit' | 'path' | 'sha256'> | string {
  const bytes = readPublicFile(file)!;
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
  try {
    const recordings = openRecordings([{ name: basename(file.path), bytes }]);
    const { rateHz, files, events } = summaryOf(recordings);
    const { electrodes } = findElectrodes(recordings[0].recording.channels);
    const browser = events.reduce((sum, { count }) => sum + count, 0);
    const [one] = electrodes;
    return {
      electrodes: electrodes.length,
      rateHz,
      seconds: files[0].seconds,
      events: { browser, python: file.events?.python ?? 0 },
      ...(one && { first: [one.name, one.gain * spread(one.channel.values)] as const }),
    };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Root mean square about the mean. */
function spread(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

describe('public EDF and BDF files of other projects', () => {
  const each = publicRecordings.map((file) => [`${file.repository}/${file.path}`, file] as const);
  it.skip.each(each.filter(([, file]) => absent.includes(file)))('%s', () => undefined);
  it.each(each.filter(([, file]) => !absent.includes(file)))('%s', (name, file) => {
    const answer = answerOf(file);
    const { repository: _r, commit: _c, path: _p, sha256: _s, refused, first, ...expected } = file;
    rows.push(`${name} | ${typeof answer === 'string' ? `refused: ${answer}` : JSON.stringify(answer)}`);
    if (typeof answer === 'string') {
      expect(answer).toContain(refused?.browser ?? 'no error is expected');
      return;
    }
    const { first: read, ...others } = answer;
    expect(others).toEqual(expected);
    expect(read?.[0]).toBe(first?.[0]);
    if (read && first) expect(read[1] / first[1]).toBeCloseTo(1, 3);
  });
});

describe('the program that fetches them', () => {
  const content = 'a recording';
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { repository: 'owner/name', commit: 'c'.repeat(40), path: 'data/a b.edf', sha256 };

  it('asks for each file by repository, commit and path, once, and says which ones it did not get', async () => {
    const asked: string[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'public-recordings-'));
    const server = createServer(({ url }, response) => {
      asked.push(url!);
      if (url!.endsWith('gone.edf')) response.writeHead(404).end();
      else response.end(content);
    }).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const options = { base, folder, limits: { ...usualLimits, attempts: 1 } };
      const other = { ...file, path: 'data/other.edf', sha256: '0'.repeat(64) };
      const failed = await fetchPublicFiles(
        [file, { ...file, path: 'gone.edf', sha256: '1'.repeat(64) }, other],
        options,
      );
      expect(asked[0]).toBe(`/owner/name/${file.commit}/data/a%20b.edf`);
      expect(failed).toHaveLength(2);
      expect(failed[0]).toContain('owner/name/gone.edf is not at http://127.0.0.1');
      expect(failed[1]).toContain('owner/name/data/other.edf');
      expect(failed[1]).toContain('is not the published file');
      expect(Buffer.from(readPublicFile(file, folder)!).toString()).toBe(content);
      expect(readPublicFile(other, folder)).toBeNull();
      const before = asked.length;
      expect(await fetchPublicFiles([file], options)).toEqual([]);
      expect(asked.length).toBe(before);
    } finally {
      server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('its table names every file once, by a full commit and hash', () => {
    const hashes = publicRecordings.map(({ repository, path }) => `${repository}/${path}`);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(publicRecordings).toHaveLength(28);
    for (const { commit, sha256: hash } of publicRecordings) {
      expect(commit).toMatch(/^[0-9a-f]{40}$/);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});
