import { execFileSync } from 'node:child_process';

const long = process.env.TEST_LONG === '1';
let printed: number | undefined;

/** How often a random test is run: `short` times by `npm test`, `full` times by `npm run test:long`. */
export const runs = (short: number, full: number): number => (long ? full : short);

/** Every row of a table in `npm run test:long`; in `npm test` each `step`-th row. */
export const someOf = <T>(rows: readonly T[], step: number): readonly T[] =>
  long ? rows : rows.filter((_, at) => at % step === 0);

/** Of the commit that is tested, so that a run of it can be repeated anywhere; without git of the time. */
function seedOfCommit(): number {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(hash.toString().slice(0, 7), 16);
  } catch {
    return Date.now() % 2 ** 31;
  }
}

/**
 * Seed of a file's random tests, printed once: TEST_SEED where it is set, one of its own for each commit in
 * `npm run test:long`, else always the same.
 */
export function seed(): number {
  printed ??= print(Number(process.env.TEST_SEED ?? (long ? seedOfCommit() : 20_261_121)));
  return printed;
}

function print(value: number): number {
  process.stderr.write(`\nrandom tests of this file: TEST_SEED=${value}\n`);
  return value;
}
