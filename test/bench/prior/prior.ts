import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shippedWeights } from '../../../infra/encoders/shipped-weights.ts';
import { provideMovementWeights } from '../../../ml/encoders/movement/index.ts';
import type { MeasuredCell } from '../../../ml/select/priors/measured.ts';
import { publish, table } from '../tables.ts';
import { cellsOf } from './cells.ts';
import { motorCases, otherCases } from './cases.ts';
import { measureCase } from './measure.ts';
import type { Reached } from './measure.ts';

const file = fileURLToPath(new URL('../../../ml/select/priors/measured.json', import.meta.url));
const source =
  'Log-loss on later trials. Motor: left or right fist imagined, people of the EEG Motor Movement/Imagery Database ' +
  '1.0.0 (Schalk 2004; ODC-BY 1.0), each run tested after a fit on the run before it, or on the two others; the movement ' +
  'network is the fold that has not seen the person. Its cues appear on the left or right of the screen, so methods of ' +
  'time courses, which may read the response to the cue, are left out. Flicker: dataset-ssvep-exoskeleton (Kalunga 2016; CC0), the second ' +
  'session tested. Kinds without five people have no cell.';

export interface PriorBench {
  /** Most people of the motor tasks. */
  readonly people?: number;
}

/**
 * Measures every candidate on later trials of many people and writes the table of priors, `measured.json`.
 * `REFERENCE_DATA_URL` names the folder of EEGMMIDB.
 */
export async function prior({ people = 60 }: PriorBench): Promise<void> {
  provideMovementWeights(shippedWeights);
  const reached: Reached[] = [];
  for await (const each of motorCases(people)) reached.push(...(await measureCase(each)));
  for (const each of otherCases()) reached.push(...(await measureCase(each)));
  writeTable(cellsOf(reached));
}

/** Writes the table of priors and the report of the bench. */
export function writeTable(cells: readonly MeasuredCell[]): void {
  writeFileSync(file, `${JSON.stringify({ source, command: 'npm run bench -- prior', cells }, null, 1)}\n`);
  publish('prior.md', report(cells));
}

const report = (cells: readonly MeasuredCell[]): string =>
  [
    '# Priors of the methods',
    '',
    'Mean log-loss behind the best method (nats) and balanced accuracy on later trials, by kind, own trials and channels.',
    ...cells.flatMap(({ kind, flicker, trials, channels, people, spread, methods }) => [
      '',
      `## ${flicker ? 'flicker' : kind}, ${trials} trials, ${channels} channels: ${people} people, spread ${spread}`,
      '',
      table(
        ['method', 'behind', 'balanced accuracy'],
        Object.entries(methods).map(([id, { behind, balancedAccuracy }]) => [id, behind, balancedAccuracy]),
      ),
    ]),
  ].join('\n');
