import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { evaluateOurs, type OurResult } from './ours.ts';
import { runPeer } from './python.ts';
import { mean, publish, table } from './tables.ts';
import { splits } from './tasks.ts';

interface PeerSplit {
  readonly kind: string;
  readonly trials: number;
  readonly tested: number;
  readonly pipelines: Readonly<Record<string, { readonly balancedAccuracy: number }>>;
}

const peersFile = fileURLToPath(new URL('results/peers.json', import.meta.url));

/** Real sets: fit on the earlier sessions, test on the last; our choice against every peer pipeline. */
export function accuracy({ filter = '', again = false }: { readonly filter?: string; readonly again?: boolean }): void {
  if (again || !existsSync(peersFile)) runPeer('accuracy.py', [peersFile]);
  const peers = JSON.parse(readFileSync(peersFile, 'utf8')) as Record<string, PeerSplit>;
  const results: Result[] = [];
  for (const split of splits(filter)) {
    const peer = peers[split.name];
    if (!peer) continue;
    const ours = evaluateOurs(split, { hindsight: true });
    results.push({ name: split.name, group: split.group, peer, ours });
    console.log(
      `${split.name}: ${ours.method} ${ours.balancedAccuracy.toFixed(3)} (${ours.seconds.toFixed(1)} s), best peer ${bestOf(peer)[1].toFixed(3)}`,
    );
    publish(filter ? 'accuracy-partial.md' : 'accuracy.md', report(results), { quiet: true });
    publish(
      filter ? 'accuracy-partial.json' : 'accuracy.json',
      JSON.stringify(
        results.map(({ name, ours }) => ({ name, ...ours })),
        null,
        1,
      ),
    );
  }
  publish(filter ? 'accuracy-partial.md' : 'accuracy.md', report(results));
}

interface Result {
  readonly name: string;
  readonly group: string;
  readonly peer: PeerSplit;
  readonly ours: OurResult;
}

const bestOf = ({ pipelines }: PeerSplit): [string, number] =>
  Object.entries(pipelines)
    .map(([id, { balancedAccuracy }]): [string, number] => [id, balancedAccuracy])
    .reduce((a, b) => (b[1] > a[1] ? b : a));

function report(results: readonly Result[]): string {
  const groups = [...new Set(results.map(({ group }) => group))];
  const bestSingle = new Map(
    groups.map((group) => [group, singleBest(results.filter((result) => result.group === group))]),
  );
  const summary = groups.map((group) => {
    const own = results.filter((result) => result.group === group);
    const [id, single] = bestSingle.get(group)!;
    const ours = mean(own.map((result) => result.ours.balancedAccuracy));
    const hindsight = mean(
      own.map((result) => Math.max(...Object.values(result.ours.candidates).map(({ test }) => test))),
    );
    return [
      group,
      String(own.length),
      id,
      single,
      ours,
      ours - single,
      mean(own.map((result) => result.ours.aligned)),
      hindsight,
      mean(own.map(({ peer }) => bestOf(peer)[1])),
    ];
  });
  const names = [...new Set(results.map(({ name }) => name.split('/')[0]!))];
  const sets = names.map((set) => [set, results.filter(({ name }) => name.startsWith(`${set}/`))] as const);
  const overall = (rows: readonly Result[]): number[] => {
    const peersMean = mean(rows.map(({ group, peer }) => peer.pipelines[bestSingle.get(group)![0]]!.balancedAccuracy));
    const oursMean = mean(rows.map(({ ours }) => ours.balancedAccuracy));
    return [peersMean, oursMean, oursMean - peersMean, mean(rows.map(({ ours }) => ours.aligned))];
  };
  return [
    '# Accuracy on real recordings',
    '',
    'Balanced accuracy; fit on the earlier sessions, test on the last one (one session only: the last third of each class; eegmmidb_edf: each run held out in turn).',
    'Peers: the pipelines of `peers/pipelines.py`, each trial alone. Best single peer: the one pipeline with the highest mean over the sets of its group (chosen in hindsight, so a hard bar).',
    '',
    '## By group',
    '',
    table(
      [
        'group',
        'splits',
        'best single peer',
        'its mean',
        'ours',
        'difference',
        'ours, align batch',
        'our best candidate in hindsight',
        'best peer of each set in hindsight',
      ],
      [
        ...summary,
        ['**all splits**', String(results.length), 'best of each group', ...overall(results)],
        [
          '**npz sets**',
          String(results.filter(({ name }) => !name.includes(':')).length),
          'best of each group',
          ...overall(results.filter(({ name }) => !name.includes(':'))),
        ],
      ],
    ),
    '',
    '## By set of the data folder',
    '',
    'Means over the recordings of a set, and the pipeline that is best on that very set, found in hindsight.',
    '',
    table(
      ['set', 'recordings', 'best peer pipeline of the set', 'its mean', 'ours', 'minus best'],
      sets.map(([set, own]) => {
        const [id, best] = singleBest(own);
        const ours = mean(own.map((result) => result.ours.balancedAccuracy));
        return [set, String(own.length), id, best, ours, ours - best];
      }),
    ),
    '',
    '## By recording',
    '',
    table(
      [
        'recording',
        'fit / test trials',
        'best peer',
        'its score',
        'best single peer of the group',
        'ours',
        'minus best',
        'method',
        'report said',
        'corrected',
        'align batch',
        'best candidate in hindsight',
        'its score',
        'seconds',
      ],
      results.map(({ name, group, peer, ours }) => {
        const [id, best] = bestOf(peer);
        const [candidate, top] = Object.entries(ours.candidates).reduce((a, b) => (b[1].test > a[1].test ? b : a));
        return [
          name,
          `${peer.trials} / ${peer.tested}`,
          id,
          best,
          peer.pipelines[bestSingle.get(group)![0]]?.balancedAccuracy,
          ours.balancedAccuracy,
          ours.balancedAccuracy - best,
          ours.method,
          ours.promised,
          ours.corrected,
          ours.aligned,
          candidate,
          top.test,
          ours.seconds.toFixed(1),
        ];
      }),
    ),
    '',
    '## Every pipeline, mean by group',
    '',
    pipelineMeans(results, groups),
    '',
    '## Every candidate of ours, mean test score by group',
    '',
    candidateMeans(results, groups),
  ].join('\n');
}

/** The pipeline of highest mean among those that ran on every split of a group. */
function singleBest(results: readonly Result[]): [string, number] {
  const ids = Object.keys(results[0]!.peer.pipelines).filter((id) => results.every(({ peer }) => peer.pipelines[id]));
  return ids
    .map((id): [string, number] => [id, mean(results.map(({ peer }) => peer.pipelines[id]!.balancedAccuracy))])
    .reduce((a, b) => (b[1] > a[1] ? b : a));
}

function pipelineMeans(results: readonly Result[], groups: readonly string[]): string {
  const ids = [...new Set(results.flatMap(({ peer }) => Object.keys(peer.pipelines)))];
  return table(
    ['pipeline', ...groups],
    ids.map((id) => [
      id,
      ...groups.map((group) => {
        const own = results.filter((result) => result.group === group && result.peer.pipelines[id]);
        return own.length === 0 ? undefined : mean(own.map(({ peer }) => peer.pipelines[id]!.balancedAccuracy));
      }),
    ]),
  );
}

function candidateMeans(results: readonly Result[], groups: readonly string[]): string {
  const ids = [...new Set(results.flatMap(({ ours }) => Object.keys(ours.candidates)))];
  const cell = (group: string, id: string): string | undefined => {
    const own = results
      .filter((result) => result.group === group && result.ours.candidates[id])
      .map(({ ours }) => ours.candidates[id]!);
    return own.length === 0
      ? undefined
      : `${mean(own.map(({ test }) => test)).toFixed(3)} (cv ${mean(own.map(({ crossValidated }) => crossValidated)).toFixed(3)}, ${mean(own.map(({ seconds }) => seconds)).toFixed(2)} s)`;
  };
  return table(
    ['candidate', ...groups],
    ids.map((id) => [id, ...groups.map((group) => cell(group, id))]),
  );
}
