import { readSampleRecording } from '../../infra/recordings/sample/sample-recording.ts';
import { takeTrials, type DemoTrials } from '../../infra/recordings/trials.ts';

/** Trials of the sample recording for the documentation, so that the quickstart needs no recording. */

const lastRun = 'run 3';

let read: DemoTrials | undefined;

function allTrials(): DemoTrials {
  read ??= readSampleRecording().trials;
  return read;
}

/** The trials of some runs, in order of time. */
function trialsOf(isWanted: (run: string) => boolean): DemoTrials {
  const all = allTrials();
  return takeTrials(
    all,
    all.labels.flatMap((_, row) => (isWanted(all.sessions[row]) ? [row] : [])),
  );
}

/** Nested lists [trials × channels × samples], whole microvolts as recorded. */
function nested({ x, labels, channels, samples }: DemoTrials): number[][][] {
  return labels.map((_, trial) =>
    channels.map((_channel, row) => {
      const from = (trial * channels.length + row) * samples;
      return Array.from(x.subarray(from, from + samples), Math.round);
    }),
  );
}

const signalOf = (trials: DemoTrials) => ({
  units: 'uV',
  sampling_rate_hz: trials.rateHz,
  channels: trials.channels,
  x: nested(trials),
});

const labelledOf = (trials: DemoTrials) => ({
  ...signalOf(trials),
  labels: trials.labels,
  sessions: trials.sessions,
});

const description = 'motor imagery: both fists or both feet';

/** Request bodies by file name. `new-labels.json` contains the expected labels of `new.json`. */
export const exampleTrials = {
  'train.json': () => ({ description, ...labelledOf(trialsOf((run) => run !== lastRun)) }),
  'first-batch.json': () => ({ description, defer_fit: true, ...labelledOf(trialsOf((run) => run === 'run 1')) }),
  'second-batch.json': () => labelledOf(trialsOf((run) => run === 'run 2')),
  'new.json': () => signalOf(trialsOf((run) => run === lastRun)),
  'new-labels.json': () => trialsOf((run) => run === lastRun).labels,
} as const satisfies Record<string, () => unknown>;
