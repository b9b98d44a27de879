import { extractFeatures } from '../../ml/features/index.ts';
import { methodOf } from '../../ml/methods/index.ts';
import { datasetShape, planFolds, scoreCandidate, trainingData, type TrainOptions } from '../../ml/train/index.ts';
import { select } from '../../ml/select/index.ts';
import { createOnThreads, type WholeCreate } from './create.ts';
import { speedSets, type SpeedSet } from './datasets.ts';
import { crossValidatePeers } from './python.ts';
import { publish, table } from './tables.ts';
import { twins } from './twins.ts';

const threads = 2;
/** Creates that are not timed, and those that are: a service that has run for a while. */
const [warmUps, timed] = [8, 5];

/** Same trials, same folds, two cores on both sides: seconds per method and of the whole create, and their ratios. */
export async function speed({ filter = '' }: { readonly filter?: string }): Promise<void> {
  const sections: string[] = [];
  for (const set of speedSets().filter(({ name }) => name.includes(filter))) {
    sections.push(await compare(set));
    publish(filter ? 'speed-partial.md' : 'speed.md', [introduction, ...sections].join('\n\n'));
  }
}

const introduction = [
  '# Speed against the Python peers',
  '',
  `Same trials, same folds (those our fold plan makes, all passes). Peers: ${threads} processes with one BLAS thread each, folds in parallel; filters and covariances are computed once`,
  "for all pipelines and folds; imports, process start and warm-up are not counted. Ours: whole create in the worker's own pool of two threads (median of five after eight that warm it up), with report,",
  'learning curve, corrected score and permutation test, which the peers do not make; per method in one thread with nothing shared, second of two runs.',
  'CPU seconds tell the work apart from what else ran on the machine.',
].join('\n');

async function compare({ name, trials, labels, kind }: SpeedSet): Promise<string> {
  const shape = datasetShape(trials, labels, null, { kind });
  const candidates = select(shape).candidates.map(({ id }) => id);
  const sets = [...new Set(candidates.flatMap((id) => methodOf(id).featureSets(shape)))];
  const plan = planFolds(trainingData(extractFeatures(trials, sets), labels, null));
  const shared = candidates.filter((id) => twins[id]);
  const peers = crossValidatePeers({
    x: trials.data,
    trials: trials.trials,
    channels: trials.channels,
    samples: trials.samples,
    labels,
    kind,
    jobs: threads,
    folds: plan.folds.map(({ test }) => [...test]),
    pipelines: [...new Set(shared.map((id) => twins[id]!.peer))],
  });
  const rows = candidates.map((id) => {
    const own = [alone(id), alone(id)].at(-1)!;
    const peer = twins[id] && peers.pipelines[twins[id].peer];
    return [
      id,
      twins[id]?.peer ?? '(no peer)',
      own.balancedAccuracy,
      peer?.balancedAccuracy,
      own.seconds,
      peer?.seconds,
      peer && peer.seconds / own.seconds,
      peer?.cpuSeconds,
      peer && peer.cpuSeconds / own.cpuSeconds,
    ];
  });
  const ours = createOnThreads(threads);
  const same = await typical({ kind, candidates: shared });
  const all = await typical({ kind });
  await ours.close();
  const part = ({ parts }: typeof all): string =>
    `${parts.extract.toFixed(2)} + ${parts.score.toFixed(2)} + ${parts.refit.toFixed(2)}`;
  return [
    `## ${name}`,
    '',
    `${plan.folds.length} folds. ${plan.description}`,
    '',
    table(
      [
        'method',
        'peer',
        'ours: balanced accuracy',
        'peer: balanced accuracy',
        'ours s',
        'peer s',
        'ratio',
        'peer CPU s',
        'ratio of CPU',
      ],
      rows,
    ),
    '',
    table(
      ['whole create', 'candidates', 'ours s (extract + score + choose, refit, report)', 'ours CPU s'],
      [
        [
          'candidates that the peers have',
          String(same.candidates.length),
          `${same.seconds.toFixed(2)} (${part(same)})`,
          same.cpuSeconds,
        ],
        [
          'all our candidates',
          String(all.candidates.length),
          `${all.seconds.toFixed(2)} (${part(all)})`,
          all.cpuSeconds,
        ],
      ],
      2,
    ),
    '',
    table(
      ['peers, the same candidates', 'peers s', 'ratio', 'peers CPU s', 'ratio of CPU'],
      [
        [
          'each by itself',
          peers.separateSeconds,
          peers.separateSeconds / same.seconds,
          peers.separateCpuSeconds,
          peers.separateCpuSeconds / same.cpuSeconds,
        ],
        [
          'filters and covariances shared',
          peers.wholeSeconds,
          peers.wholeSeconds / same.seconds,
          peers.wholeCpuSeconds,
          peers.wholeCpuSeconds / same.cpuSeconds,
        ],
      ],
      2,
    ),
  ].join('\n');

  /** The create of median time after those that warm the threads up. */
  async function typical(options: TrainOptions): Promise<WholeCreate> {
    const runs: WholeCreate[] = [];
    for (let run = 0; run < warmUps + timed; run += 1) runs.push(await ours.create(trials, labels, options));
    return runs.slice(warmUps).sort((a, b) => a.seconds - b.seconds)[timed >> 1]!;
  }

  function alone(id: string): { balancedAccuracy: number; seconds: number; cpuSeconds: number } {
    const started = performance.now();
    const cpu = process.cpuUsage();
    const data = trainingData(extractFeatures(trials, methodOf(id).featureSets(shape)), labels, null);
    const { balancedAccuracy } = scoreCandidate(id, data, plan);
    const { user, system } = process.cpuUsage(cpu);
    return { balancedAccuracy, seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
  }
}
