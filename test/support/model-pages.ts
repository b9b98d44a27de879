import { writeEdf } from './write-edf.ts';

const rateHz = 512;
const seconds = 400;
/** A recording of 198 trials of two classes, more than one request carries. */
export const longRecording = (): Uint8Array =>
  writeEdf({
    rateHz,
    channels: 'Fz Cz Pz Oz C3 C4 P3 P4 F3 F4 O1 O2'.split(' ').map((label, c) => ({
      label,
      unit: 'uV',
      values: Array.from({ length: rateHz * seconds }, (_, i) => (((i * (c + 7) * 7919) % 1009) - 504) / 4),
    })),
    annotations: Array.from({ length: 198 }, (_, i) => ({ onset: 2 * i, duration: 1, text: i % 2 ? 'b' : 'a' })),
  });

/** Evidence over people in a report. */
export const peopleReference = {
  people: 96,
  lower_bound_95: 0.61,
  one_person_95: [0.38, 0.97],
  quartiles: [0.55, 0.66, 0.79],
  balanced_accuracy_unaligned: 0.6,
  electrodes: ['C3', 'C4'],
  channels_not_read: [],
  seconds: 4,
  notes: [],
};
