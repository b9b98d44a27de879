import { readImagery, imagerySubjects } from '../support/edf.ts';
import { earlierAndLast, listRecordings, readRecording, type Recording } from '../support/recordings.ts';
import type { TrainOptions } from '../../ml/train/index.ts';

/** One question of the bench: fit on some trials of a recording, test on others. */
export interface Split {
  /** As in `results/peers.json`: `set/subject`, with `:session` where each session is held out in turn. */
  readonly name: string;
  readonly group: string;
  readonly recording: Recording;
  readonly train: readonly number[];
  readonly test: readonly number[];
  readonly options: TrainOptions;
}

/** What a caller would say about each set: its group in the tables and the kind of task. */
const sets: Readonly<Record<string, { readonly group: string; readonly kind: NonNullable<TrainOptions['kind']> }>> = {
  eegmmidb_mi_left_right: { group: 'imagery', kind: 'motor' },
  eegmmidb_mi_hands_feet: { group: 'imagery', kind: 'motor' },
  eegmmidb_edf: { group: 'imagery, 8 subjects', kind: 'motor' },
  muse_visual_p300: { group: 'P300', kind: 'erp' },
  ssvep_exo: { group: 'SSVEP', kind: 'other' },
  muse_ssvep: { group: 'SSVEP', kind: 'other' },
  eegmmidb_eyes: { group: 'rest', kind: 'other' },
};

/** Every split of every set in the data folder whose name contains `filter`. */
export function* splits(filter = ''): Generator<Split> {
  for (const name of listRecordings()) {
    if (!name.includes(filter) || !sets[name.split('/')[0]!]) continue;
    const recording = readRecording(name);
    yield { name, recording, ...earlierAndLast(recording), ...describe(recording) };
  }
  for (const subject of imagerySubjects()) {
    if (!`eegmmidb_edf/${subject}`.includes(filter.split(':')[0]!)) continue;
    const recording = readImagery(subject);
    for (const held of [...new Set(recording.sessions)].sort()) {
      const name = `${recording.name}:${held}`;
      const rows = recording.sessions.map((_, row) => row);
      if (name.includes(filter))
        yield {
          name,
          recording,
          train: rows.filter((row) => recording.sessions[row] !== held),
          test: rows.filter((row) => recording.sessions[row] === held),
          ...describe(recording),
        };
    }
  }
}

function describe({ name, labels }: Recording): Pick<Split, 'group' | 'options'> {
  const { group, kind } = sets[name.split('/')[0]!]!;
  const frequenciesHz = [...new Set(labels)]
    .sort()
    .map((label) => /^(\d+(?:\.\d+)?) ?hz$/i.exec(label)?.[1])
    .filter((text) => text !== undefined)
    .map(Number);
  return { group, options: { kind, ...(frequenciesHz.length > 1 ? { frequenciesHz } : {}) } };
}
