import { joinHypnograms, type NamedRecording } from './hypnogram.ts';
import type { GivenFile } from './given-file.ts';
import { readAnyFile } from './read-any-file.ts';
import type { Said } from './recording.ts';
import { clipAnnotations, divideStages } from './sleep-stages.ts';
import { eventsOfTriggers } from './trigger-channel.ts';

export type { NamedRecording } from './hypnogram.ts';
export type { GivenFile } from './given-file.ts';

/**
 * Reads the chosen files of one person, in any format. Files that belong together (BrainVision's three, EEGLAB's two, a
 * hypnogram) become one recording. Triggers become events, and long sleep stages epochs. Throws an Error that names the
 * file, the reason and what to do.
 */
export function openRecordings(files: readonly GivenFile[], said: Said = {}): NamedRecording[] {
  const bytes = files.reduce((sum, each) => sum + each.bytes.length, 0);
  return joinHypnograms(readAnyFile(files, said)).map(({ name, recording }) => {
    const triggers = eventsOfTriggers(recording.channels, recording.annotations, said.triggerChannel);
    const all = [...recording.annotations, ...triggers.events].sort((a, b) => a.onset - b.onset);
    const inside = clipAnnotations(all, recording.seconds);
    const { annotations, notices } = divideStages(inside.annotations, recording.seconds, bytes);
    return {
      name,
      recording: {
        ...recording,
        channels: recording.channels.filter(({ label }) => label !== triggers.used),
        annotations,
        notices: [...recording.notices, ...triggers.notices, ...inside.notices, ...notices],
      },
    };
  });
}
