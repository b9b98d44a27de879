import { withoutPauses } from './gap-times.ts';
import type { Annotation, Recording } from './recording.ts';

/** A recording that was read, with the name of its file. */
export interface NamedRecording {
  readonly name: string;
  readonly recording: Recording;
}

/** Whether a file holds only annotations, such as a hypnogram that was saved on its own. */
const isHypnogram = ({ recording }: NamedRecording): boolean =>
  recording.channels.length === 0 && recording.annotations.length > 0;

const longestShift = 86_400;
/** Letters at the beginning that the names of a recording and its hypnogram share, if several recordings are there. */
const leastShared = 5;

/**
 * Adds files that hold only annotations to the recordings that they belong to: the only recording, or the one whose
 * name begins with the same letters. Throws an Error that names a file without a recording.
 */
export function joinHypnograms(files: readonly NamedRecording[]): NamedRecording[] {
  const signals = files.filter((each) => !isHypnogram(each));
  const joined = new Map(signals.map((each) => [each, each]));
  for (const notes of files.filter((each) => isHypnogram(each))) {
    const owner = ownerOf(notes, signals);
    if (joined.get(owner) !== owner)
      throw new Error(
        `${notes.name} is a second file of annotations for ${owner.name}. Choose one of them, or the other recording, too.`,
      );
    joined.set(owner, joinTwo(joined.get(owner)!, notes));
  }
  return [...joined.values()];
}

function ownerOf(notes: NamedRecording, signals: readonly NamedRecording[]): NamedRecording {
  if (signals.length === 1) return signals[0];
  const shared = signals.map(({ name }) => commonLetters(name, notes.name));
  const most = Math.max(0, ...shared);
  const stem = (signals[shared.indexOf(most)]?.name ?? '').replace(/\.\w+$/, '');
  const owners = signals.filter((_, i) => shared[i] === most);
  if (most < Math.min(leastShared, stem.length) || most === 0 || owners.length !== 1)
    throw new Error(
      `${notes.name} holds annotations and no signal, and ${signals.length === 0 ? 'no' : 'more than one'} recording ` +
        'fits its name. Choose it together with its recording, and let both names begin with the same letters.',
    );
  return owners[0];
}

function commonLetters(a: string, b: string): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[count].toLowerCase() === b[count].toLowerCase()) count++;
  return count;
}

function joinTwo({ name, recording }: NamedRecording, notes: NamedRecording): NamedRecording {
  const clocks = [recording.startsAt, notes.recording.startsAt];
  const apart = clocks[0] === null || clocks[1] === null ? 0 : clocks[1] - clocks[0];
  const shift = Math.abs(apart) < longestShift && Math.abs(apart) < Math.max(recording.seconds, 1) ? apart : 0;
  const inSignal = withoutPauses(recording.gaps);
  const added = notes.recording.annotations.flatMap(
    (each: Annotation) => inSignal({ ...each, onset: each.onset + shift }) ?? [],
  );
  const lost = notes.recording.annotations.length - added.length;
  const told = [
    ...(lost > 0 ? [`${lost} annotations of ${notes.name} begin in a pause of ${name} and are left out.`] : []),
    `The ${added.length} annotations of ${notes.name} are added to ${name}.`,
  ];
  if (shift !== 0) told.push(`They are moved by ${shift} s, because ${notes.name} begins at another time.`);
  else if (apart !== 0)
    told.push(`The two files name other times of beginning; the times of ${notes.name} count from the first sample.`);
  return {
    name,
    recording: {
      ...recording,
      annotations: [...recording.annotations, ...added].sort((a, b) => a.onset - b.onset),
      notices: [...recording.notices, ...notes.recording.notices, ...told],
    },
  };
}
