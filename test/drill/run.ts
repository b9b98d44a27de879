import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { drill } from './drill.ts';
import { findPrograms } from './programs.ts';
import { reportText } from './report.ts';

/** `npm run drill [-- --short]`: see README.md. Ends with 1 at the first fault. */
// Each process of the cluster is ended when this one ends.
process.setMaxListeners(0);
const short = process.argv.includes('--short');
// The S3 server is built as in `npm run test:long`.
process.env['TEST_LONG'] = '1';
const say = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const programs = await findPrograms(true);
if ('missing' in programs) throw new Error(`The drill cannot run: ${programs.missing}.`);
say(`Built the programs in ${programs.buildSeconds.toFixed(0)} s.`);
const text = reportText(await drill(programs, short, say), programs, availableParallelism());
if (short) say(text);
else {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}drill.md`, text);
  say(`${text}\n→ test/drill/results/drill.md`);
}
// Sockets of ended servers may stay open for a while.
process.exit(0);
