import { expect, it } from 'vitest';
import { signalTimes, withoutPauses } from '../../infra/recordings/gap-times.ts';

/** Signal from 100 to 110 s and from 115 to 120 s of a clock, then from 150 s on for 5 s. */
const times = signalTimes({
  start: 100,
  gaps: [
    { at: 10, seconds: 5 },
    { at: 15, seconds: 30 },
  ],
  seconds: 20,
});

it.each([
  [100, 0],
  [109.5, 9.5],
  [110, null],
  [114.9, null],
  [115, 10],
  [119, 14],
  [140, null],
  [151, 16],
])('%d s of the clock is %d s of the signal', (onset, seconds) => {
  expect(times.timeOf(onset)).toBe(seconds);
});

it.each([
  ['within the signal', 101, 4, 4],
  ['over a pause', 109, 8, 3],
  ['over two pauses', 109, 42, 7],
  ['from a pause on', 112, 4, 1],
  ['to the end of the recording', 152, 60, 3],
  ['within a pause', 111, 2, 0],
])('a span %s counts the signal only', (_, onset, duration, seconds) => {
  expect(times.lengthOf(onset, duration)).toBe(seconds);
});

it('annotations move to the time of the signal, and those in a pause are left out', () => {
  const moved = withoutPauses([{ at: 10, seconds: 5 }]);
  expect(moved({ onset: 9, duration: 8, text: 'W' })).toEqual({ onset: 9, duration: 3, text: 'W' });
  expect(moved({ onset: 12, duration: 1, text: 'W' })).toBeNull();
  expect(withoutPauses([])({ onset: 3, duration: 30, text: 'N2' })).toEqual({ onset: 3, duration: 30, text: 'N2' });
});
