import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { dataSetOf, filesOf, peopleOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { DataSet } from '../../infra/contract/reference-data/data-set-schema.ts';
import { whole } from './file-site.ts';
import { writeEdf } from './write-edf.ts';

const rateHz = 160;

/** Uniform noise, the same for the same seed. */
function noise(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const posterior = /^(P|PO|O|Iz)/;

/**
 * A minute at rest as the EEG Motor Movement/Imagery Database has it, all its electrodes, but `seconds` long: with the
 * eyes closed (run 02) the occipital rhythm at 10 Hz is `ratio` times as large as with the eyes open (run 01).
 */
export function restingRun(person: number, run: '01' | '02', { seconds = 12, ratio = 4 } = {}): Uint8Array {
  const set = dataSetOf('eegmmidb');
  const random = noise(person * 10 + Number(run));
  const rhythm = run === '02' ? ratio : 1;
  const hz = 9 + (person % 3);
  const wave = Array.from({ length: seconds * rateHz }, (_, i) => Math.sin((2 * Math.PI * hz * i) / rateHz));
  return writeEdf({
    rateHz,
    channels: set.electrodes.map((name) => {
      const gain = posterior.test(name) ? 5 * rhythm : 2;
      return { label: name, unit: 'uV', values: wave.map((each) => gain * each + 12 * random()) };
    }),
    annotations: [{ onset: 0, duration: seconds, text: 'T0' }],
  });
}

/**
 * A folder in the official layout with people who rest with the eyes open and closed, their recordings made up; with
 * the data set as a site would publish these files.
 */
export function simulatePeople(
  root: string,
  count: number,
  options: { readonly seconds?: number; readonly ratio?: number } = {},
): { readonly set: DataSet; readonly people: readonly string[]; pathOf(person: string, run: string): string } {
  const set = dataSetOf('eegmmidb');
  const people = peopleOf(set).slice(0, count);
  const rows = filesOf(set, new Set(['01', '02']), new Set(people)).map(
    ({ person, run, path }): DataSet['files'][number] => {
      const bytes = restingRun(Number(person.slice(1)), run as '01' | '02', options);
      const at = join(root, set.folder, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, bytes);
      return [person, run, bytes.length, createHash('sha256').update(bytes).digest('hex')];
    },
  );
  const pathOf = (person: string, run: string): string => join(root, set.folder, person, `${person}R${run}.edf`);
  return { set: { ...set, files: rows }, people, pathOf };
}

/** Serves a folder as a site that pauses `pauseMs` amid each whole file; `asked`: paths with their ranges. */
export async function serveFolder(
  root: string,
  pauseMs: number,
): Promise<{ readonly url: string; readonly asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const { range } = request.headers;
    asked.push([path, range].filter(Boolean).join(' '));
    const at = join(root, path);
    if (!existsSync(at)) return response.writeHead(404).end();
    const content = readFileSync(at);
    if (range !== undefined) return whole(response, content, request);
    const half = content.length >> 1;
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, half));
    return setTimeout(() => response.end(content.subarray(half)), pauseMs);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
