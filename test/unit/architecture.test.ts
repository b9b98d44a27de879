import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');

const made = /golden|kernels\/(binary|assembly)|clients\/typescript\/src\/types/;
const sources = tracked.filter((name) => /\.tsx?$/.test(name) && !made.test(name));

/** Folders whose lines are all narrow, strings too, which the formatter leaves as they are. */
const narrow = [
  'activities/compute/',
  'activities/lifecycle/',
  'activities/reconcile/',
  'api/pages/',
  'clients/typescript/',
  'infra/admin/',
  'infra/demo/',
  'infra/downloads/',
  'infra/drivers/objects/',
  'infra/drivers/postgres/',
  'infra/drivers/temporal/',
  'infra/drivers/threads/',
  'infra/embedded/',
  'infra/recordings/',
  'infra/weights/',
  'ml/channels/',
  'ml/classify/',
  'ml/encoders/',
  'ml/evidence/',
  'ml/features/',
  'ml/geometry/',
  'ml/kernels/',
  'ml/linalg/',
  'ml/methods/',
  'ml/onnx/',
  'ml/select/',
  'ml/signal/',
  'ml/weights/',
  'test/ml/',
  'test/support/',
  'test/unit/',
  'test/workflows/',
  'workflows/',
];

/** Tables of words and cases, a row a line, and statements of SQL. */
const tables = /^(test\/ml\/task-cases|test\/support\/(bad-bodies|filled-database))/;

it('no line of a narrow folder is wider than 120 columns', () => {
  const wide = sources
    .filter((name) => narrow.some((folder) => name.startsWith(folder)) && !tables.test(name))
    .filter((name) =>
      read(name)
        .split('\n')
        .some((line) => line.length > 120),
    );
  expect(wide).toEqual([]);
});

it('no file outside the tests is longer than 300 lines', () => {
  const long = sources.filter((name) => !name.startsWith('test/') && read(name).trimEnd().split('\n').length > 300);
  expect(long).toEqual([]);
});

it('the map in README or CONTRIBUTING names every folder', () => {
  const map = read('README.md') + read('CONTRIBUTING.md');
  const deep = tracked.filter((name) => name.includes('/')).map((name) => dirname(name).split('/').slice(0, 2));
  const unnamed = new Set(deep.map((parts) => parts.at(-1)!).filter((name) => !map.includes(`\`${name}/\``)));
  expect([...unnamed].filter((name) => name !== '.ci')).toEqual([]);
});
