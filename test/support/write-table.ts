import { readRecording } from '../../infra/recordings/edf/read-recording.ts';

/** A table with the samples of an EDF file, without their rate, their unit and the events. */
export function tableOf(edf: Uint8Array): string {
  const { channels } = readRecording(edf);
  const rows = Array.from(channels[0]!.values, (_, i) =>
    [i, ...channels.map(({ values }) => values[i]!.toFixed(2))].join(','),
  );
  return [['Sample Index', ...channels.map(({ label }) => label)].join(','), ...rows, ''].join('\n');
}
