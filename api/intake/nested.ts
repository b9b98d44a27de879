import { count } from '../../infra/contract/quote.ts';
import { limits } from '../../infra/contract/limits.ts';
import { showValue } from '../contract/describe-issue.ts';
import { tooLarge, tooManyTrials, type Numbers, type NumbersInput, type Shape } from './shape.ts';
import { times, type Problem } from './problems.ts';

/** If `x` has more problems, the last one gives the number of the rest. */
const listedFaults = 50;

const deep = 'x must be nested three deep: trials × channels × samples';
const limit = (problems: Problem[], total: number): Problem[] =>
  total <= listedFaults
    ? problems
    : [
        ...problems,
        { field: 'x', message: `x has ${count(total)} such faults; the first ${listedFaults} are listed.` },
      ];

/** The most frequent length of `lists`, or of the lists inside them; if several are equally frequent, the first. */
function usualLength(lists: readonly unknown[], inside: boolean): number {
  const seen = new Map<number, number>();
  const see = (list: unknown) => {
    if (Array.isArray(list)) seen.set(list.length, (seen.get(list.length) ?? 0) + 1);
  };
  for (const list of lists) {
    if (!inside) see(list);
    else if (Array.isArray(list)) for (const row of list) see(row);
  }
  let usual = 0;
  for (const [length, times] of seen) if (times > (seen.get(usual) ?? 0)) usual = length;
  return usual;
}

const unlikeMost = (usual: number, what: string) =>
  `most have ${count(usual)}: every ${what} must have the same number`;

/**
 * Shape of nested lists, and every list that does not have it. The most frequent length is taken as the intended one.
 */
function shapeOf(x: readonly unknown[]): { shape: Shape | null; problems: Problem[] } {
  if (x.length === 0)
    return { shape: null, problems: [{ field: 'x', message: 'x has 0 trials; at least 1 is needed.' }] };
  if (x.length > limits.windowsPerRequest) return { shape: null, problems: [tooManyTrials(x.length)] };
  const channels = usualLength(x, false);
  const samples = usualLength(x, true);
  const problems: Problem[] = [];
  let total = 0;
  const fault = (field: string, message: string) => {
    total += 1;
    if (total <= listedFaults) problems.push({ field, message: `${field} ${message}.` });
  };
  for (let t = 0; t < x.length; t++) {
    const trial = x[t];
    if (!Array.isArray(trial)) fault(`x[${t}]`, `is ${showValue(trial)}; ${deep}`);
    else if (trial.length === 0) fault(`x[${t}]`, 'has 0 channels; at least 1 is needed');
    else {
      if (trial.length !== channels)
        fault(`x[${t}]`, `has ${count(trial.length)} channels and ${unlikeMost(channels, 'trial')}`);
      for (let c = 0; c < trial.length; c++) {
        const row: unknown = trial[c];
        if (!Array.isArray(row)) fault(`x[${t}][${c}]`, `is ${showValue(row)}; ${deep}`);
        else if (row.length === 0) fault(`x[${t}][${c}]`, 'has 0 samples; at least 1 is needed');
        else if (row.length !== samples)
          fault(`x[${t}][${c}]`, `has ${count(row.length)} samples and ${unlikeMost(samples, 'row of every trial')}`);
      }
    }
  }
  return { shape: total === 0 ? [x.length, channels, samples] : null, problems: limit(problems, total) };
}

/** Reads nested lists of finite numbers. The result is in microvolts. */
export function readNested(x: readonly unknown[], input: NumbersInput): Numbers {
  const { shape, problems } = shapeOf(x);
  if (!shape) return { shape, data: null, problems };
  const large = tooLarge(shape);
  if (large) return { shape, data: null, problems: [large] };
  const declared: Problem[] =
    input.shape && input.shape.some((size, axis) => size !== shape[axis])
      ? [
          {
            field: 'shape',
            message: `shape says ${times(input.shape)} and x has ${times(shape)}. Nested lists need no \`shape\`.`,
            alternatives: [shape, null],
          },
        ]
      : [];
  const [trials, channels, samples] = shape;
  const data = new Float32Array(trials * channels * samples);
  const bad: Problem[] = [];
  let faults = 0;
  let at = 0;
  for (let t = 0; t < trials; t++) {
    for (let c = 0; c < channels; c++) {
      const row = (x[t] as unknown[][])[c];
      for (let s = 0; s < samples; s++) {
        const value = row[s];
        const microvolts = typeof value === 'number' ? Math.fround(value * input.scale) : Number.NaN;
        if (!Number.isFinite(microvolts)) {
          faults += 1;
          const field = `x[${t}][${c}][${s}]`;
          if (faults <= listedFaults)
            bad.push({ field, message: `${field} is ${notFinite(value)}; every value must be a finite number.` });
        }
        data[at++] = microvolts;
      }
    }
  }
  return { shape, data: faults === 0 ? data : null, problems: [...limit(bad, faults), ...declared] };
}

const bare = new Set(['NaN', 'Infinity', '-Infinity']);

function notFinite(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length} (x is nested more than three deep)`;
  if (typeof value === 'string' && bare.has(value)) return value;
  if (typeof value === 'number') return `${value}, beyond what float32 holds in microvolts`;
  return showValue(value);
}
