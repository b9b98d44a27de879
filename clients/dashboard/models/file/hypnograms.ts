import type { NamedRecording } from './summary.ts';

/** A recording whose events may come from a second file, and what was done. */
export interface JoinedRecording extends NamedRecording {
  readonly notices: readonly string[];
}

/** Letters that two names share at their beginning. */
function shared(one: string, two: string): number {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  return at;
}

/** Fewest letters at the beginning of two names that belong together, as in `SC4001E0-PSG` and `SC4001EC-Hypnogram`. */
const leastShared = 5;

/**
 * Joins files that hold events and no signal, such as hypnograms, with the recording that they score: the only one, or
 * the one whose name begins alike. Both have to begin at the same time. Throws an Error if a file has no recording.
 */
export function joinHypnograms(files: readonly NamedRecording[]): JoinedRecording[] {
  const signals = files.filter(({ recording }) => recording.channels.length > 0);
  const scores = files.filter(({ recording }) => recording.channels.length === 0);
  if (signals.length === 0) {
    const [{ name }] = files;
    throw new Error(`${name} holds events and no signal. Choose it together with the recording that it belongs to.`);
  }
  const joined: JoinedRecording[] = signals.map((each) => ({ ...each, notices: [] }));
  for (const { name, recording } of scores) {
    const best = [...joined].sort((a, b) => shared(b.name, name) - shared(a.name, name))[0];
    if (joined.length > 1 && shared(best.name, name) < leastShared)
      throw new Error(
        `${name} holds events and no signal, and no other file has a name that begins alike. Choose each recording ` +
          'together with its own events.',
      );
    joined[joined.indexOf(best)] = {
      name: best.name,
      recording: {
        ...best.recording,
        annotations: [...best.recording.annotations, ...recording.annotations].sort((a, b) => a.onset - b.onset),
      },
      notices: [...best.notices, `Its events come from ${name}. Both are taken to begin at the same time.`],
    };
  }
  return joined;
}
