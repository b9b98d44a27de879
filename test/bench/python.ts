import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFolder } from '../support/recordings.ts';

const peers = fileURLToPath(new URL('peers/', import.meta.url));
const venv = fileURLToPath(new URL('.venv/', import.meta.url));

/** Python with the peers: `EEG_PEERS_PYTHON`, else a virtual environment made once from `peers/requirements.txt`. */
export function peersPython(): string {
  const given = process.env['EEG_PEERS_PYTHON'];
  if (given) return given;
  const python = path.join(venv, 'bin/python');
  const installed = path.join(venv, 'requirements.txt');
  const wanted = readFileSync(path.join(peers, 'requirements.txt'), 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return python;
  console.log('Installing the Python peers (once) …');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--requirement', path.join(peers, 'requirements.txt')], {
    stdio: 'inherit',
  });
  writeFileSync(installed, wanted);
  return python;
}

/** Whether a Python with the peers is here already. */
export const peersAtHand = (): boolean =>
  process.env['EEG_PEERS_PYTHON'] !== undefined || existsSync(path.join(venv, 'requirements.txt'));

/** Runs a script of `peers/`, one BLAS thread per process. */
export function runPeer(script: string, args: readonly string[]): void {
  execFileSync(peersPython(), [path.join(peers, script), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, EEG_DATA: dataFolder, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
  });
}

export interface PeerJob {
  readonly x: Float32Array;
  readonly trials: number;
  readonly channels: number;
  readonly samples: number;
  readonly labels: readonly string[];
  /** Rows tested by each fold; all other rows are fitted on. */
  readonly folds: readonly (readonly number[])[];
  readonly kind: string;
  readonly pipelines: readonly string[];
  readonly jobs: number;
}

export interface PeerScores {
  readonly pipelines: Readonly<
    Record<string, { readonly seconds: number; readonly cpuSeconds: number; readonly balancedAccuracy: number }>
  >;
  readonly wholeSeconds: number;
  readonly wholeCpuSeconds: number;
  /** As if every pipeline computed its own filters and covariances. */
  readonly separateSeconds: number;
  readonly separateCpuSeconds: number;
}

/** Cross-validates peer pipelines on given trials and folds. */
export function crossValidatePeers({ x, ...job }: PeerJob): PeerScores {
  const folder = mkdtempSync(path.join(tmpdir(), 'eeg-bench-'));
  const [data, request, answer] = ['x.f32', 'job.json', 'out.json'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(data, new Uint8Array(x.buffer, x.byteOffset, x.byteLength));
  writeFileSync(request, JSON.stringify({ ...job, data }));
  runPeer('crossvalidate.py', [request, answer]);
  return JSON.parse(readFileSync(answer, 'utf8')) as PeerScores;
}
