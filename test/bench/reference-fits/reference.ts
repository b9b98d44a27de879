import { fitReference } from '../../../ml/reference-fits/fit.ts';
import type { ReferenceFit } from '../../../ml/reference-fits/types.ts';
import { publish } from '../tables.ts';
import { armsOf, wholeChoice } from './arms.ts';
import { centresOf } from './centres.ts';
import { electrodes, folderOf, readPeople, seconds, setName, task } from './people.ts';
import type { BenchPerson } from './people.ts';
import { report } from './report.ts';
import type { Centres, Row, Whole } from './report.ts';

const sites19 = 'Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2'.split(' ');

/** Sets of electrodes, and how many own trials each is tried with. */
const montages: readonly {
  readonly name: string;
  readonly names: readonly string[];
  readonly counts: readonly number[];
}[] = [
  { name: '53', names: electrodes.filter((e) => !/^(?:Fp|AF|T9|T10|Iz)/.test(e)), counts: [10, 15, 30] },
  { name: '3', names: ['C3', 'Cz', 'C4'], counts: [6, 10, 15, 20, 25, 30] },
  { name: '21', names: electrodes.filter((e) => /^(?:FC|C|CP)(?:\d|z)/.test(e)), counts: [10, 15, 20, 30] },
  { name: '19', names: sites19, counts: [15, 30] },
];

/** Groups of people that are left out in turn. */
const groups = 3;

export interface ReferenceBench {
  /** Only montages of this name, written beside the rest. */
  readonly filter?: string;
  readonly people?: number;
  /** People for whom the whole choice of the service is made too. */
  readonly whole?: number;
  /** As in `readPeople`. */
  readonly kept?: string;
}

/** What other people's recordings bring to a person with none, few and more trials; people left out, last run held out. */
export async function reference({ filter, people: most = 60, whole = 0, kept }: ReferenceBench): Promise<void> {
  const people = await readPeople(folderOf(), most, kept ?? null);
  console.log(`${people.length} people of ${setName}`);
  const rows: Row[] = [];
  const wholes: Whole[] = [];
  const centres: Centres[] = [];
  const told = (): string => report({ people: people.length, groups, rows, wholes, centres });
  for (const montage of montages) {
    if (filter && montage.name !== filter) continue;
    centres.push({ montage: montage.name, ...centresOf(people, montage.names) });
    for (let group = 0; group < Math.min(groups, people.length); group++) {
      const fit = fitOf(
        people.filter((_, i) => i % groups !== group),
        montage.names,
      );
      people.forEach((person, i) => {
        if (i % groups !== group) return;
        for (const count of montage.counts)
          rows.push({ person: person.id, montage: montage.name, count, ...armsOf(person, count, montage.names, fit) });
        if (i < whole)
          for (const count of [15, 30])
            wholes.push({ montage: montage.name, count, ...wholeChoice(person, count, montage.names, fit) });
      });
      console.log(`${montage.name} electrodes, group ${group + 1} of ${groups}: ${process.cpuUsage().user / 1e6} s`);
      publish(filter ? `reference-${filter}.md` : 'reference.md', told(), { quiet: true });
    }
  }
  console.log(told());
}

const fitOf = (people: readonly BenchPerson[], channelNames: readonly string[]): ReferenceFit =>
  fitReference(
    people.map(({ features }) => features),
    { kind: 'motor', classes: task.classes.map(({ id }) => id) },
    { channelNames, seconds, sourceRateHz: 160 },
  );
