import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractFeatures } from '../../ml/features/index.ts';
import { logm, meanRiemann, tangentVectors } from '../../ml/geometry/index.ts';
import { gramOfGroups, scope } from '../../ml/kernels/index.ts';
import { eighRows, gram } from '../../ml/linalg/index.ts';
import { matrixAt, matrixOf, squaresOf } from '../../ml/matrix.ts';
import { bandpassSos, groupsAt, resample, sosfiltfilt } from '../../ml/signal/index.ts';
import type { Trials } from '../../ml/types.ts';
import { covariances } from '../ml/noise.ts';
import { runPeer } from './python.ts';
import { publish, table } from './tables.ts';

/** CPU time, so that other processes on the machine disturb less. */
const now = (): number => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;

function least(work: () => void, runs: number): number {
  for (let i = 0; i < 3; i++) work();
  const times = Array.from({ length: runs }, () => {
    const started = now();
    work();
    return now() - started;
  });
  return Math.min(...times);
}

function uniform(count: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 20;
  });
}

/** Milliseconds of each step, named as in peers/kernels.py. */
function measure(): Record<string, number> {
  const out: Record<string, number> = {};
  for (const [channels, samples] of [
    [22, 1024],
    [64, 1024],
    [64, 256],
  ]) {
    const x = uniform(20 * channels * samples);
    const one = (i: number): Float32Array => x.subarray(i * channels * samples, (i + 1) * channels * samples);
    const each = (work: (trial: Float32Array) => void) => () => {
      for (let i = 0; i < 20; i++) work(one(i));
    };
    out[`covariance ${channels} × ${samples}`] =
      least(
        each((trial) => scope(() => gramOfGroups(groupsAt(trial, channels, samples), channels, samples))),
        20,
      ) / 20;
    const sos = bandpassSos(8, 32, 4, 256);
    out[`filter ${channels} × ${samples}`] =
      least(
        each((trial) => sosfiltfilt(sos, trial, channels, samples)),
        10,
      ) / 20;
  }
  for (const side of [8, 22, 64]) {
    const c = squaresOf(covariances(uniform(20 * side * 256), 20, side, 256, 'scm'), side);
    out[`eigenvectors ${side}`] = least(() => eighRows(c), 30) / 20;
    out[`logarithm ${side}`] = least(() => logm(c), 30) / 20;
  }
  for (const side of [22, 64]) {
    const c = squaresOf(covariances(uniform(200 * side * 256), 200, side, 256, 'oas'), side);
    out[`mean and tangent vectors 200 × ${side}`] = least(() => tangentVectors(c, meanRiemann(c)), 2);
    out[`tangent vectors 200 × ${side}`] = least(() => tangentVectors(c, matrixAt(c, 0)), 3);
  }
  const a = Float64Array.from(uniform(200 * 2080));
  out['Gram matrix 200 × 2080'] = least(() => gram(matrixOf(a, 2080)), 10);
  const x = uniform(130 * 13 * 1000);
  out['resample 130 × 13 × 1000'] = least(() => resample(x, 130 * 13, 1000, 250, 256), 5);
  return out;
}

const sets = [
  'cov/8-32',
  'fbcov',
  'acm/8-32',
  'logpower',
  'logspectrum',
  'erp/windows',
  'erp/windows/40',
  'sleep',
  'ssvep/13,17,21',
  'cca/13,17,21',
];

/** Milliseconds to extract each feature set from all trials of three recordings. */
function measureSets(): (string | number | undefined)[][] {
  const shapes = [
    [200, 64, 256],
    [130, 13, 1024],
    [20, 2, 7680],
  ];
  return sets.map((id) => [
    id,
    ...shapes.map(([count, channels, samples]) => {
      if ((id === 'sleep') !== (samples === 7680) || (channels > 32 && /acm|ssvep/.test(id))) return undefined;
      const channelNames = Array.from({ length: channels }, (_, i) => `C${i}`);
      const trials: Trials = {
        data: uniform(count * channels * samples),
        trials: count,
        channels,
        samples,
        rateHz: 256,
        sourceRateHz: 256,
        channelNames,
      };
      return least(() => extractFeatures(trials, [id]), 4);
    }),
  ]);
}

/** Single numeric steps of ours beside NumPy, SciPy and pyRiemann, one thread each. */
export function kernels(): void {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'kernels-')), 'peers.json');
  const own = measure();
  runPeer('kernels.py', [file]);
  const peers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  const rows = Object.entries(own).map(([id, ms]) => [id, ms, peers[id], peers[id] / ms]);
  const text = [
    '# Numeric steps',
    '',
    'Milliseconds of CPU time on one thread, least of several runs; matrices and trials one at a time unless a count is given.',
    '',
    table(['step', 'ours', 'NumPy / SciPy / pyRiemann', 'ratio'], rows),
    '',
    '# Feature sets',
    '',
    'Milliseconds for all trials, filters included.',
    '',
    table(['set', '200 × 64 × 1 s', '130 × 13 × 4 s', '20 × 2 × 30 s'], measureSets(), 0),
  ];
  publish('kernels.md', text.join('\n'));
}

if (import.meta.main) kernels();
