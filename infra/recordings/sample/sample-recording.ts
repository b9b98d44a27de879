import { readFileSync } from 'node:fs';
import { readRecording } from '../edf/read-recording.ts';
import { cutTrials } from '../epochs.ts';
import { joinTrials, type DemoRecording } from '../trials.ts';
import { sampleClasses, sampleDescription, sampleNames, sampleSource, sampleWindow } from './sample.ts';

/** Bytes of a file of the sample recording. */
export const sampleFile = (name: (typeof sampleNames)[number]): Buffer => readFileSync(new URL(name, import.meta.url));

/** The trials of the shipped recording, one session for each run. */
export function readSampleRecording(): DemoRecording {
  const parts = sampleNames.map(
    (name, i) =>
      cutTrials(readRecording(sampleFile(name)), {
        labels: sampleClasses,
        window: sampleWindow,
        session: `run ${i + 1}`,
      }).trials,
  );
  return {
    source: sampleSource,
    notes: ['Imagined movement of both fists or both feet, 0 to 4 s after the cue; session = run.'],
    description: sampleDescription,
    trials: joinTrials(parts),
  };
}
