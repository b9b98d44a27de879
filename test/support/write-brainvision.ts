import { readRecording } from '../../infra/recordings/edf/read-recording.ts';
import type { GivenFile } from '../../infra/recordings/given-file.ts';

/** The three files of a BrainVision recording with the signal and the events of an EDF file. */
export function brainVisionOf(edf: Uint8Array, name: string): GivenFile[] {
  const { channels, annotations } = readRecording(edf);
  const [{ rateHz, values }] = channels;
  const signal = new Float32Array(values.length * channels.length);
  for (const [c, channel] of channels.entries())
    for (const [i, value] of channel.values.entries()) signal[i * channels.length + c] = value;
  const header = [
    'Brain Vision Data Exchange Header File Version 1.0',
    '[Common Infos]',
    `DataFile=${name}.eeg`,
    `MarkerFile=${name}.vmrk`,
    'DataFormat=BINARY',
    'DataOrientation=MULTIPLEXED',
    `NumberOfChannels=${channels.length}`,
    `SamplingInterval=${1e6 / rateHz}`,
    '[Binary Infos]',
    'BinaryFormat=IEEE_FLOAT_32',
    '[Channel Infos]',
    ...channels.map(({ label, unit }, i) => `Ch${i + 1}=${label},,1,${unit}`),
  ];
  const markers = [
    'Brain Vision Data Exchange Marker File, Version 1.0',
    '[Marker Infos]',
    ...annotations.map(
      ({ onset, duration, text }, i) =>
        `Mk${i + 1}=Stimulus,${text},${Math.round(onset * rateHz) + 1},${Math.round(duration * rateHz)},0`,
    ),
  ];
  const lines = (text: readonly string[]): Uint8Array => new TextEncoder().encode(`${text.join('\r\n')}\r\n`);
  return [
    { name: `${name}.vhdr`, bytes: lines(header) },
    { name: `${name}.vmrk`, bytes: lines(markers) },
    { name: `${name}.eeg`, bytes: new Uint8Array(signal.buffer) },
  ];
}
