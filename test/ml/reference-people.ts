import { personFeatures } from '../../ml/reference-fits/person-features.ts';
import type { PersonFeatures, ReferenceSignal } from '../../ml/reference-fits/types.ts';
import { createRandom } from '../../ml/random.ts';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { standInPeople } from '../support/stand-in-people.ts';
import type { TaskKind, Trials } from '../../ml/types.ts';

const rateHz = 128;
/** Electrodes of the simulated recordings. */
export const electrodes = ['C3', 'Cz', 'C4', 'Pz'];
export const classes = ['left', 'right'];

interface Simulated {
  readonly signal: readonly Float32Array[];
  readonly stretches: ReferenceSignal['stretches'];
}

/**
 * One person's run: noise that every person's head mixes in a way of its own, and what tells the classes apart in all
 * people: a rhythm of 12 Hz at one site or the other, or a deflection 0.3 s after the onset. `effect` 0: nothing does.
 */
function simulate(seed: number, effect: number, kind: TaskKind, trials: number): Simulated {
  const random = createRandom(seed);
  const normal = (): number => random() + random() + random() + random() - 2;
  const seconds = kind === 'erp' ? 1 : 2;
  const length = (trials * (seconds + 0.5) + 1) * rateHz;
  const sources = electrodes.map(() => Float32Array.from({ length }, () => 8 * normal()));
  const stretches = Array.from({ length: trials }, (_, t) => ({
    classId: classes[t % 2],
    from: Math.round((t * (seconds + 0.5) + 0.5) * rateHz),
    samples: seconds * rateHz,
  }));
  stretches.forEach(({ from, samples }, t) => {
    const phase = 6 * random();
    for (let i = 0; i < samples; i += 1) {
      const at = i / rateHz;
      if (kind === 'erp') sources[1][from + i] += t % 2 ? effect * 6 * Math.exp(-(((at - 0.3) / 0.08) ** 2)) : 0;
      else sources[t % 2 ? 0 : 2][from + i] += effect * 4 * Math.sin(2 * Math.PI * 12 * at + phase);
    }
  });
  const gain = 0.5 + 2 * random();
  const mixing = electrodes.map((_, i) => electrodes.map((__, j) => gain * ((i === j ? 1 : 0) + 0.2 * normal())));
  const signal = mixing.map((row) =>
    Float32Array.from({ length }, (_, i) => row.reduce((sum, weight, j) => sum + weight * sources[j][i], 0)),
  );
  return { signal, stretches };
}

/** Features of simulated people, `trials` each. */
export function simulatedPeople(count: number, effect: number, kind: TaskKind, trials = 24): PersonFeatures[] {
  return Array.from({ length: count }, (_, i) => {
    const run = { run: '01', electrodes, rateHz, ...simulate(i + 1, effect, kind, trials) };
    return personFeatures(`P${i + 1}`, [run], { kind, classes });
  });
}

/** Trials of a simulated person as the service sees them, and their classes. */
export function simulatedTrials(
  seed: number,
  effect: number,
  kind: TaskKind,
  channelNames: readonly string[] = electrodes,
  trials = 24,
): { trials: Trials; labels: number[] } {
  const { signal, stretches } = simulate(seed, effect, kind, trials);
  const samples = stretches[0].samples * 2;
  const data = new Float32Array(trials * channelNames.length * samples);
  stretches.forEach(({ from }, t) => {
    channelNames.forEach((name, c) => {
      const row = signal[electrodes.indexOf(name)];
      for (let i = 0; i < samples; i += 1) {
        const at = from + (i >> 1);
        const value = row ? (row[at] + row[Math.min(row.length - 1, at + (i & 1))]) / 2 : 5 * Math.sin(i * (t + 2));
        data[(t * channelNames.length + c) * samples + i] = value;
      }
    });
  });
  return {
    trials: {
      data,
      trials,
      channels: channelNames.length,
      samples,
      rateHz: 256,
      sourceRateHz: rateHz,
      channelNames,
      resampler: 1,
    },
    labels: stretches.map(({ classId }) => classes.indexOf(classId)),
  };
}

/** The simulated person who trained no network; see `simulatedName`. */
export const untrainedSeed = 11;

/** Name of a simulated person: that of a training person of the movement network, in the order of its card. */
export const simulatedName = (seed: number): string =>
  seed === untrainedSeed ? 'S070' : movementCard.people.names[seed - 1]!;

/** Sketches of the simulated people under these names. */
export const simulatedSketches = (): Uint8Array =>
  standInPeople(
    movementCard.people.names.map(
      (_, i) => simulatedTrials(i + 1 === untrainedSeed ? 411 : i + 1, 0.5, 'motor').trials,
    ),
  );
