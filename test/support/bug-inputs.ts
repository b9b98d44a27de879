import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { GivenFile } from '../../infra/recordings/open-recordings.ts';
import { dependencies } from './python-environment.ts';

const run = promisify(execFile);

/** Folder of the scripts that write odd recordings: `EEG_BUG_INPUTS`, else `../shared/bug-inputs` beside the repository. */
const folder = process.env['EEG_BUG_INPUTS'] ?? fileURLToPath(new URL('../../../shared/bug-inputs', import.meta.url));

export interface BugInputs {
  has(name: string): boolean;
  read(name: string): GivenFile;
  remove(): Promise<void>;
}

/** Writes the odd recordings into a folder of their own; null, with a warning, if the scripts or Python are missing. */
export async function makeBugInputs(): Promise<BugInputs | null> {
  if (!existsSync(folder)) return skipped(`${folder} is missing (set EEG_BUG_INPUTS)`);
  const made = await mkdtemp(join(tmpdir(), 'bug-inputs-'));
  try {
    const python = await dependencies();
    for (const script of ['make_files.py', 'make_more.py']) await run(python, [join(folder, script), made]);
    await run(python, [join(folder, 'make_set.py'), made]).catch(() =>
      process.stderr.write('\nSKIPPED: s1_epochs.set and bv1.vhdr, which need eeglabio and pybv\n'),
    );
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    return skipped(String(error).slice(0, 400));
  }
  return {
    has: (name) => existsSync(join(made, name)),
    read: (name) => ({ name: basename(name), bytes: new Uint8Array(readFileSync(join(made, name))) }),
    remove: () => rm(made, { recursive: true, force: true }),
  };
}

function skipped(why: string): null {
  process.stderr.write(`\nSKIPPED: recordings after public bug reports: ${why}\n`);
  return null;
}
