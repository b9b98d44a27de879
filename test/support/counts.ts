import { execFileSync } from 'node:child_process';

const long = process.env.TEST_LONG === '1';
let printed: number | undefined;

/** How often a random test is run: `short` times by `npm test`, `full` times by `npm run test:long`. */
export const runs = (short: number, full: number): number => (long ? full : short);

/** Every row of a table in `npm run test:long`; in `npm test` each `step`-th row. */
export const someOf = <T>(rows: readonly T[], step: number): readonly T[] =>
  long ? rows : rows.filter((_, at) => at % step === 0);

/** A different seed for each commit, the same on every machine. */
const seedOfCommit = (): number =>
  Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 8), 16) >>> 1;

/**
 * Seed of a file's random tests, printed once: TEST_SEED where it is set, one of the commit in `npm run test:long`,
 * else always the same.
 */
export function seed(): number {
  printed ??= print(Number(process.env.TEST_SEED ?? (long ? seedOfCommit() : 20_261_121)));
  return printed;
}

function print(value: number): number {
  process.stderr.write(`\nrandom tests of this file: TEST_SEED=${value}\n`);
  return value;
}

/**
 * Size of the load in `test/chaos/many-processes`. `TEST_CHAOS=full` is the full required load, which takes longer than
 * a CI run may.
 */
export const chaosCounts = (): { accounts: number; creates: number; predictions: number } =>
  process.env.TEST_CHAOS === 'full'
    ? { accounts: 20, creates: 300, predictions: 5_000 }
    : { accounts: 20, creates: runs(20, 60), predictions: runs(100, 1_000) };
