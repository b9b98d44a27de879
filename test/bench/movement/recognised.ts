import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { shippedWeights } from '../../../infra/encoders/shipped-weights.ts';
import { dataSetOf, filesOf } from '../../../infra/contract/reference-data/data-sets.ts';
import { readRun } from '../../../infra/recordings/reference-data/run.ts';
import { movementCard, movementPeople, provideMovementWeights } from '../../../ml/encoders/movement/index.ts';
import type { MovementPeople } from '../../../ml/encoders/movement/index.ts';
import { peopleOfNetworks } from '../../../ml/reference-fits/network-people.ts';
import type { Trials } from '../../../ml/types.ts';
import { alteredTrials, comparedData, startsIn, treatments, withoutPerson } from '../../support/altered-recordings.ts';
import { folderOf } from '../reference-fits/people.ts';
import { publish, table } from '../tables.ts';
import { isTrainingPerson } from './arms.ts';
import { montages as scored } from './movement.ts';

const set = dataSetOf('eegmmidb');

const montages = [
  ...scored,
  ['14', movementCard.scores.find(({ montage }) => montage === 'headset14')!.electrodes],
] as const;

/** How many of the parts of training people were recognised as the right person and as another one, and of strangers as anybody. */
interface Count {
  parts: number;
  right: number;
  wrong: number;
  strangers: number;
  asOthers: number;
}

/**
 * Trials of one run of each person, altered as callers do: whether the shipped sketches find the person among all
 * training people, and whom they find if the person's sketch is removed. `people`: at most so many; `filter`: one
 * montage.
 */
export async function recognised({ filter, people: most = 60 }: { filter?: string; people?: number }): Promise<void> {
  provideMovementWeights(shippedWeights);
  const known = movementPeople();
  const counts = new Map<string, Count>();
  const files = filesOf(set, new Set(['03', '04', '06', '09', '11', '12'])).map((file) => ({
    ...file,
    at: join(folderOf(), set.folder, file.path),
  }));
  const at = files.filter((file) => existsSync(file.at));
  const ids = [...new Set(at.map(({ person }) => person))].slice(0, most);
  for (const [n, id] of ids.entries()) {
    const own = at.filter(({ person }) => person === id);
    const run = await readRun({ ...own[n % own.length]!, published: true }, set);
    const kinds = Object.entries(startsIn(run));
    for (const treatment of treatments) {
      const signal = treatment.change?.({ rows: run.signal, rateHz: run.rateHz }) ?? {
        rows: run.signal,
        rateHz: run.rateHz,
      };
      for (const [montage, names] of montages) {
        if (filter && montage !== filter) continue;
        for (const [kind, starts] of kinds) {
          if (starts.length < 10) continue;
          const trials = alteredTrials(signal, starts, names, treatment);
          if (!trials) continue;
          const key = `${montage}|${treatment.name}|${kind}`;
          const count = counts.get(key) ?? { parts: 0, right: 0, wrong: 0, strangers: 0, asOthers: 0 };
          counts.set(key, count);
          addTo(count, trials, id, known);
        }
      }
    }
    if (n % 10 === 9) console.log(`${n + 1} of ${ids.length} people: ${Math.round(process.cpuUsage().user / 1e6)} s`);
  }
  publish(`recognised${filter ? `-${filter}` : ''}.md`, report(counts, ids.length));
}

function addTo(count: Count, trials: Trials, id: string, known: MovementPeople): void {
  const data = comparedData(trials);
  const found = peopleOfNetworks(data, known);
  const others = isTrainingPerson(id) ? peopleOfNetworks(data, withoutPerson(known, id)) : found;
  if (isTrainingPerson(id)) {
    count.parts += 1;
    if (found.includes(id)) count.right += 1;
    if (found.some((name) => name !== id)) count.wrong += 1;
  }
  count.strangers += 1;
  if (others.length > 0) count.asOthers += 1;
}

const percent = (some: number, all: number): string => ((100 * some) / all).toFixed(1);

const report = (counts: ReadonlyMap<string, Count>, people: number): string =>
  [
    '# Training people who are recognised by their sketches',
    '',
    `One run of each of ${people} people of ${set.name}, its 15 trials of movement or imagery or its 15 of rest, cut and`,
    'altered as callers do. `right`: the person is found among all training people. `wrong`: another one is found.',
    '`stranger`: anybody is found if the sketch of the person is removed. Per cent.',
    '',
    table(
      ['electrodes', 'treatment', 'trials', 'people', 'right', 'wrong', 'stranger'],
      [...counts].map(([key, { parts, right, wrong, strangers, asOthers }]) => [
        ...key.split('|'),
        String(parts),
        percent(right, parts),
        percent(wrong, parts),
        percent(asOthers, strangers),
      ]),
    ),
    '',
  ].join('\n');
