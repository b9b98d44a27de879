import { RecordingFault } from '../fault.ts';
import { signalTimes, type SignalTimes } from '../gap-times.ts';
import type { Gap } from '../recording.ts';
import type { RecordingHeader } from './header.ts';

/** Time stamps of the data records, and the pauses between them. */
export interface Clock {
  /** Takes the time stamp of a data record, in order; null: it has none. */
  stamp(record: number, begins: number | null): void;
  gaps(): readonly Gap[];
  /** Times in the signal, once all records are stamped. */
  times(): SignalTimes;
  notices(): readonly string[];
}

/** The clock of a file; `slack`: differences up to this many seconds are rounding. */
export function createClock({ format, records, recordSeconds, discontinuous }: RecordingHeader, slack: number): Clock {
  const gaps: Gap[] = [];
  let start = 0;
  let before = 0;
  let jumps = 0;
  /** First record after the last pause, and its time. */
  let stretch = { record: 0, begins: 0 };
  const fault = (record: number, begins: string, instead: number): RecordingFault =>
    new RecordingFault(
      'discontinuous',
      `It is discontinuous (${format.name}+D): data record ${record + 1} of ${records} begins at ${begins} where ` +
        `${instead} s or later would be right. Export it again as a continuous recording (${format.name}+C).`,
    );
  return {
    stamp(record, begins) {
      if (record === 0) {
        start = before = begins ?? 0;
        stretch = { record, begins: start };
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
      if (begins <= follows + slack) return;
      const signal = (record - stretch.record) * recordSeconds;
      gaps.push({ at: record * recordSeconds, seconds: begins - stretch.begins - signal });
      stretch = { record, begins };
    },
    gaps: () => gaps,
    times: () => signalTimes({ gaps, start, seconds: records * recordSeconds }),
    notices: () =>
      jumps > 0
        ? [
            `The times of ${jumps} data record${jumps === 1 ? '' : 's'} do not follow on, but the file says that it is ` +
              'continuous. It is read as continuous.',
          ]
        : [],
  };
}
