import { methods, prepareMethods } from '../../ml/methods/index.ts';
import { createNoise } from '../support/noise.ts';
import type { Trials } from '../../ml/types.ts';
import { createOnThreads } from './create.ts';
import { foldsOf, pipelines } from './folds.ts';
import { crossValidatePeers, peersAtHand } from './python.ts';

/** The process of `guard.ts` that creates: prints one line of JSON. Its argument: the ratio that is enough. */

const enough = Number(process.argv[2]);
const channelNames = ['FC3', 'FCz', 'FC4', 'C5', 'C3', 'C1', 'Cz', 'C2', 'C4', 'C6', 'CP3', 'CPz', 'CP4'];
const [count, samples, rateHz] = [80, 512, 256];

/** Noise whose rhythm over one side or the other is stronger. */
function simulated(): { trials: Trials; labels: string[] } {
  const noise = createNoise(14);
  const labels = Array.from({ length: count }, (_, trial) => (trial % 2 ? 'left hand' : 'right hand'));
  const data = new Float32Array(count * channelNames.length * samples);
  labels.forEach((label, trial) =>
    channelNames.forEach((name, channel) => {
      const isOver = Number(name.at(-1)) % 2 === Number(label === 'left hand');
      const [own, rhythm] = [noise.pink(samples), noise.rhythm(samples, 11, rateHz)];
      const from = (trial * channelNames.length + channel) * samples;
      for (let at = 0; at < samples; at++) data[from + at] = 8 * own[at] + (isOver ? 2.5 : 4) * rhythm[at];
    }),
  );
  const form = { trials: count, channels: channelNames.length, samples, rateHz, sourceRateHz: rateHz };
  return { trials: { data, ...form, channelNames }, labels };
}

/** Milliseconds of processor time of a fixed loop of plain arithmetic in this process: what a create is held to. */
function loop(): number {
  const size = 220;
  const [a, b, c] = [0, 1, 2].map((seed) => Float64Array.from({ length: size * size }, (_, i) => Math.sin(i + seed)));
  const before = process.cpuUsage();
  for (let pass = 0; pass < 12; pass++)
    for (let i = 0; i < size; i++)
      for (let k = 0; k < size; k++) {
        const scale = a[i * size + k];
        for (let j = 0; j < size; j++) c[i * size + j] += scale * b[k * size + j];
      }
  const { user, system } = process.cpuUsage(before);
  if (c.some(Number.isNaN)) throw new Error('The loop computes numbers.');
  return (user + system) / 1000;
}

await prepareMethods(methods);
const { trials, labels } = simulated();
const ours = createOnThreads(2);
const create = async (): Promise<number> => 1000 * (await ours.create(trials, labels, { kind: 'motor' })).cpuSeconds;
for (let warm = 0; warm < 5; warm++) {
  loop();
  await create();
}
const toLoop: number[] = [];
const times: number[] = [];
for (let turn = 0; turn < 10; turn++) {
  const [before, own, after] = [loop(), await create(), loop()];
  times.push(own);
  toLoop.push(own / ((before + after) / 2));
  if (turn >= 2 && Math.min(...toLoop) <= enough) break;
}
await ours.close();
let peers: number[] | null = null;
if (peersAtHand()) {
  const { data, ...form } = trials;
  const { separateCpuSeconds } = crossValidatePeers({
    x: data,
    ...form,
    labels,
    kind: 'motor',
    jobs: 2,
    folds: foldsOf(trials, labels, 'motor'),
    pipelines: pipelines.motor,
  });
  peers = [(1000 * separateCpuSeconds) / Math.min(...times)];
  process.stderr.write('guard: creates are held to the Python peers and to a loop of plain arithmetic\n');
} else {
  process.stderr.write(
    'guard: no Python here has the peers (EEG_PEERS_PYTHON, or `npm run bench -- speed` once): creates are held to a ' +
      'loop of plain arithmetic alone\n',
  );
}
console.log(JSON.stringify({ toLoop, peers }));
