import { RecordingFault } from '../fault.ts';
import type { Gap } from '../recording.ts';
import type { RecordingHeader } from './header.ts';

/** Times of the data records, and from them the times of annotations in the signal. */
export interface Clock {
  /** Tells the time stamp of a data record, in order; null: it has none. */
  stamp(record: number, begins: number | null): void;
  gaps(): readonly Gap[];
  /** Seconds of signal before a time of the recorder's clock; null: it lies in a pause. */
  timeOf(onset: number): number | null;
  /** Seconds of signal in a span of the recorder's clock that begins at `onset`. */
  lengthOf(onset: number, duration: number): number;
  notices(): readonly string[];
}

/** Data records without a pause between them. */
interface Stretch {
  /** Seconds of signal before it. */
  readonly from: number;
  /** Its time on the recorder's clock. */
  readonly begins: number;
}

/** The clock of a file; `slack`: differences up to this many seconds are rounding. */
export function createClock({ format, records, recordSeconds, discontinuous }: RecordingHeader, slack: number): Clock {
  const stretches: Stretch[] = [{ from: 0, begins: 0 }];
  let before = 0;
  let jumps = 0;
  const fault = (record: number, begins: string, instead: number): RecordingFault =>
    new RecordingFault(
      'discontinuous',
      `It is discontinuous (${format.name}+D): data record ${record + 1} of ${records} begins at ${begins} where ` +
        `${instead} s or later would be right. Export it again as a continuous recording (${format.name}+C).`,
    );
  const indexAt = (onset: number): number => {
    let [low, high] = [0, stretches.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (stretches[middle].begins > onset + 1e-9) high = middle - 1;
      else low = middle;
    }
    return low;
  };
  const end = records * recordSeconds;
  const lastOf = (index: number): number => stretches[index + 1]?.from ?? Infinity;
  const near = (onset: number): number => {
    const index = indexAt(onset);
    return Math.min(stretches[index].from + onset - stretches[index].begins, lastOf(index));
  };
  return {
    stamp(record, begins) {
      if (record === 0) {
        stretches[0] = { from: 0, begins: begins ?? 0 };
        before = begins ?? 0;
        return;
      }
      const follows = before + recordSeconds;
      before = begins ?? follows;
      if (recordSeconds === 0) return;
      if (!discontinuous) {
        if (begins !== null && Math.abs(begins - follows) > Math.max(slack, recordSeconds / 2)) jumps++;
        return;
      }
      if (begins === null) throw fault(record, 'no known time', follows);
      if (begins < follows - slack) throw fault(record, `${begins} s`, follows);
      if (begins > follows + slack) stretches.push({ from: record * recordSeconds, begins });
    },
    gaps: () =>
      stretches.slice(1).map(({ from, begins }, i) => ({
        at: from,
        seconds: begins - stretches[i].begins - (from - stretches[i].from),
      })),
    timeOf(onset) {
      const index = indexAt(onset);
      const time = stretches[index].from + onset - stretches[index].begins;
      return time < lastOf(index) || index === stretches.length - 1 ? time : null;
    },
    lengthOf: (onset, duration) =>
      stretches.length === 1 ? duration : Math.max(0, Math.min(near(onset + duration), end) - near(onset)),
    notices: () =>
      jumps > 0
        ? [
            `The times of ${jumps} data record${jumps === 1 ? '' : 's'} do not follow on, but the file says that it is ` +
              'continuous. It is read as continuous.',
          ]
        : [],
  };
}
