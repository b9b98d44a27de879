import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dataFolder, type Recording } from './recordings.ts';

interface EdfSignal {
  readonly label: string;
  readonly perRecord: number;
  readonly scale: (digital: number) => number;
}

/** Motor imagery of one EEGMMIDB subject from its EDF+ files: 0–4 s after each T1 and T2 cue; session = run. */
export function readImagery(
  subject: string,
  runs: readonly number[] = [4, 8, 12],
  classes: readonly [string, string] = ['left_hand', 'right_hand'],
): Recording {
  const parts = runs.map((run) => readRun(edfPath(subject, run)));
  const { rateHz, channels } = parts[0]!;
  const samples = 4 * rateHz;
  const cues = parts.flatMap((part, i) =>
    part.cues.map((cue) => ({ ...cue, part, session: `run${String(runs[i]).padStart(2, '0')}` })),
  );
  const whole = cues.filter(({ onset, part }) => Math.round(onset * rateHz) + samples <= part.data[0]!.length);
  const x = new Float32Array(whole.length * channels.length * samples);
  whole.forEach(({ onset, part }, i) => {
    const from = Math.round(onset * rateHz);
    part.data.forEach((row, j) => x.set(row.subarray(from, from + samples), (i * channels.length + j) * samples));
  });
  return {
    name: `eegmmidb_edf/${subject}`,
    x,
    trials: whole.length,
    samples,
    channels,
    rateHz,
    labels: whole.map(({ code }) => classes[code === 'T1' ? 0 : 1]),
    sessions: whole.map(({ session }) => session),
  };
}

/** Subjects whose left/right imagery runs are in the data folder. */
export function imagerySubjects(): string[] {
  const all = Array.from({ length: 109 }, (_, i) => `S${String(i + 1).padStart(3, '0')}`);
  return all.filter((subject) => [4, 8, 12].every((run) => existsSync(edfPath(subject, run))));
}

function edfPath(subject: string, run: number): string {
  return path.join(dataFolder, 'eegmmidb/1.0.0', subject, `${subject}R${String(run).padStart(2, '0')}.edf`);
}

function readRun(file: string) {
  const bytes = readFileSync(file);
  const text = (at: number, length: number) => bytes.toString('latin1', at, at + length).trim();
  const records = Number(text(236, 8));
  const seconds = Number(text(244, 8));
  const count = Number(text(252, 4));
  const field = (before: number, width: number, i: number) => text(256 + before * count + i * width, width);
  const signals: EdfSignal[] = Array.from({ length: count }, (_, i) => {
    const [low, high, digitalLow, digitalHigh] = [104, 112, 120, 128].map((before) => Number(field(before, 8, i))) as [
      number,
      number,
      number,
      number,
    ];
    const gain = (high - low) / (digitalHigh - digitalLow);
    return {
      label: field(0, 16, i),
      perRecord: Number(field(216, 8, i)),
      scale: (digital) => low + (digital - digitalLow) * gain,
    };
  });
  const eeg = signals.filter(({ label }) => label !== 'EDF Annotations');
  const data = eeg.map(({ perRecord }) => new Float32Array(perRecord * records));
  let notes = '';
  let at = Number(text(184, 8));
  for (let record = 0; record < records; record++) {
    let row = 0;
    for (const { label, perRecord, scale } of signals) {
      if (label === 'EDF Annotations') notes += bytes.toString('utf8', at, at + 2 * perRecord);
      else {
        const into = data[row++]!;
        for (let i = 0; i < perRecord; i++) into[record * perRecord + i] = scale(bytes.readInt16LE(at + 2 * i));
      }
      at += 2 * perRecord;
    }
  }
  const readable = notes.replaceAll('\u0014', '|').replaceAll('\u0015', ';');
  const cues = [...readable.matchAll(/\+([\d.]+)(?:;[\d.]+)?\|(T[12])\|/g)].map((match) => ({
    onset: Number(match[1]),
    code: match[2]!,
  }));
  return { data, cues, rateHz: eeg[0]!.perRecord / seconds, channels: eeg.map(({ label }) => tidyName(label)) };
}

/** `Fc5.` → `FC5`, `Fp1.` → `Fp1`, `Cz..` → `Cz`: the set pads names with dots and has its own case. */
function tidyName(label: string): string {
  const upper = label.replaceAll('.', '').toUpperCase();
  return upper.replace(/^FP/, 'Fp').replace(/Z$/, 'z');
}
