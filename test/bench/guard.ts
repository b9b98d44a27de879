import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median, publish } from './tables.ts';
import { makeBodies } from './serve/bodies.ts';
import { makeCallers } from './serve/callers.ts';
import { beside, cpuOf, echoing, inTurns, predicting, type Turn } from './serve/cells.ts';
import { startCheckout } from './serve/checkout.ts';
import { startEcho } from './serve/echo.ts';
import { startLoadProcess } from './serve/load.ts';

/** Ratios of processor time, which others' work on the machine moves less than seconds. */
export interface Ratios {
  /** A prediction over HTTP (API, its threads, Postgres) over the Fastify echo of the same body. */
  readonly predictionToEcho: number;
  /** A create in the worker's threads over a loop of plain arithmetic. */
  readonly createToLoop: number;
  /** The Python peers over the create; null where no Python has them. */
  readonly peersToCreate: number | null;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = new URL('./results/guard.json', import.meta.url);
const creates = fileURLToPath(new URL('./guard-process.ts', import.meta.url));

/** What was committed. */
export const committed = (): Ratios => JSON.parse(readFileSync(file, 'utf8')) as Ratios;

/** Slower than committed by more than this fails. */
export const tolerance = 4 / 3;

/** `npm run bench -- guard`: measures the ratios and commits them to. */
export async function guard(): Promise<void> {
  const ratios = { predictionToEcho: await predictionToEcho(), ...createRatios() };
  publish('guard.json', JSON.stringify(ratios, null, 2));
  console.log(ratios);
}

const [most, turnsEach] = [4, 3];
/** The echo's own processor time a request, from turn to turn: beyond this the machine is too restless to be believed. */
const steady = 1.5;

/**
 * The best of several attempts, each the median of turns beside the echo's; an attempt whose echo is unsteady is made
 * again. Ends with the first that is not above `enough`.
 */
export async function predictionToEcho(enough = 0): Promise<number> {
  await using parts = new AsyncDisposableStack();
  const keep = async <T extends { stop(): Promise<void> }>(starting: T | Promise<T>): Promise<T> => {
    const part = await starting;
    parts.defer(() => part.stop());
    return part;
  };
  const bodies = makeBodies('noise');
  const load = await keep(startLoadProcess());
  const echo = await keep(startEcho());
  const service = await keep(startCheckout(root));
  const callers = await makeCallers(service, bodies.create, 4);
  const subjects = [echoing(echo, bodies.predict), predicting('predictions', service, callers, bodies.predict)];
  await inTurns(load, subjects, { connections: 8, turns: 1, milliseconds: 4_000 });
  const ratios: number[] = [];
  for (let attempt = 0; attempt < most; attempt++) {
    const taken = await inTurns(load, subjects, { connections: 8, turns: turnsEach, milliseconds: 2_000 });
    const [echoes, predictions] = [taken.get('echo')!, taken.get('predictions')!];
    const ratio = beside(predictions, echoes, (one, two) => cpuOf(one) / cpuOf(two));
    console.log(`a prediction takes ${ratio.toFixed(1)} times the processor time of the echo`);
    if (isSteady(echoes) || attempt === most - 1) ratios.push(ratio);
    if (ratios.length > 0 && Math.min(...ratios) <= enough) break;
  }
  return Math.min(...ratios);
}

function isSteady(turns: readonly Turn[]): boolean {
  const each = turns.map(cpuOf);
  return Math.max(...each) <= steady * Math.min(...each);
}

/** The same of creates, each beside the loop and the peers, in a process of its own. */
export function createRatios(enough = 0): Pick<Ratios, 'createToLoop' | 'peersToCreate'> {
  const text = execFileSync(process.execPath, [creates, String(enough)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { toLoop, peers } = JSON.parse(text.trim().split('\n').at(-1)!) as { toLoop: number[]; peers: number[] | null };
  return { createToLoop: Math.min(...toLoop), peersToCreate: peers && median(peers) };
}
