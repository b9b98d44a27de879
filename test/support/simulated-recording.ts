import { positionOf } from '../../ml/channels/index.ts';
import { createNoise, type Noise } from './noise.ts';
import type { DemoRecording } from '../../infra/recordings/trials.ts';

const rateHz = 160;
const seconds = 4;
const sessions = ['run 1', 'run 2', 'run 3'] as const;
const trialsPerClass = 8;
const channels = [
  'Fp1',
  'Fp2',
  'F7',
  'F3',
  'Fz',
  'F4',
  'F8',
  'FC5',
  'FC1',
  'FC2',
  'FC6',
  'T7',
  'C3',
  'C1',
  'Cz',
  'C2',
  'C4',
  'T8',
  'CP5',
  'CP1',
  'CP2',
  'CP6',
  'P7',
  'P3',
  'Pz',
  'P4',
  'P8',
  'O1',
  'Oz',
  'O2',
] as const;

/**
 * A rhythm: its strongest electrode, frequency, amplitude in microvolts, and the change when each movement is imagined.
 */
const rhythms = [
  { at: 'C3', hz: 11, microvolts: 9, fists: 0.77, feet: 1 },
  { at: 'C4', hz: 11.5, microvolts: 9, fists: 0.77, feet: 1 },
  { at: 'Cz', hz: 10.5, microvolts: 7, fists: 1, feet: 0.78 },
  { at: 'C3', hz: 21, microvolts: 3, fists: 0.78, feet: 1 },
  { at: 'C4', hz: 22, microvolts: 3, fists: 0.78, feet: 1 },
  { at: 'Cz', hz: 20, microvolts: 3, fists: 1, feet: 0.78 },
  { at: 'Oz', hz: 10, microvolts: 18, fists: 1, feet: 1 },
] as const;
const background = ['F3', 'F4', 'T7', 'T8', 'P3', 'P4', 'Fz', 'Pz'] as const;
const spreadMetres = 0.045;

/**
 * A simulated motor-imagery recording: sensorimotor mu and beta rhythms that weaken with imagined movement (fists over
 * C3 and C4, feet over Cz), occipital alpha, 1/f background and sensor noise, spread over the scalp by distance. It is
 * the same every time.
 */
export function simulateRecording(): DemoRecording {
  const noise = createNoise(20_261_121);
  const samples = rateHz * seconds;
  const order = sessions.flatMap((session) => shuffled(noise, trialsPerClass).map((label) => ({ session, label })));
  const x = new Float32Array(order.length * channels.length * samples);
  order.forEach(({ label }, i) =>
    writeTrial(noise, label, x.subarray(i * channels.length * samples, (i + 1) * channels.length * samples), samples),
  );
  return {
    source: 'SIMULATED recording: it was computed, nobody was recorded, and its accuracy says nothing about real EEG',
    notes: [
      `${order.length} trials of imagined movement of both fists or both feet, ${channels.length} channels at ` +
        `${rateHz} Hz, ${sessions.length} sessions.`,
    ],
    description: 'Motor imagery (simulated): fists = both fists, feet = both feet',
    trials: {
      x,
      samples,
      rateHz,
      channels,
      labels: order.map(({ label }) => label),
      sessions: order.map(({ session }) => session),
    },
  };
}

function shuffled(noise: Noise, perClass: number): ('fists' | 'feet')[] {
  const labels = Array.from({ length: 2 * perClass }, (_, i) => (i % 2 ? 'fists' : 'feet') as 'fists' | 'feet');
  return labels
    .map((label) => ({ label, at: noise.uniform() }))
    .sort((a, b) => a.at - b.at)
    .map(({ label }) => label);
}

function writeTrial(noise: Noise, label: 'fists' | 'feet', into: Float32Array, samples: number): void {
  for (const rhythm of rhythms) {
    const vigour = Math.exp(0.3 * noise.gauss());
    add(into, samples, noise.rhythm(samples, rhythm.hz, rateHz), rhythm.at, rhythm.microvolts * rhythm[label] * vigour);
  }
  for (const at of background) add(into, samples, noise.pink(samples), at, 8);
  for (let i = 0; i < into.length; i++) into[i] += 2.5 * noise.gauss();
}

function add(into: Float32Array, samples: number, source: Float64Array, at: string, microvolts: number): void {
  channels.forEach((name, j) => {
    const gain = microvolts * Math.exp(-0.5 * (distance(at, name) / spreadMetres) ** 2);
    for (let k = 0; k < samples; k++) into[j * samples + k] += gain * source[k];
  });
}

function distance(a: string, b: string): number {
  const [from, to] = [positionOf(a), positionOf(b)];
  return from && to ? Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]) : Number.POSITIVE_INFINITY;
}
