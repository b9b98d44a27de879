import { escape } from '../markup.ts';
import { rect, text } from './svg.ts';

/**
 * The picture of `/`: a recording with trials, and a label with a probability for each. The signal is drawn, not
 * recorded.
 */

const size = { width: 560, height: 300 } as const;
const left = 44;
const channels = ['C3', 'Cz', 'C4', 'Pz'] as const;
const rowHeight = 46;
const top = 34;

const trials = [
  { at: 70, label: 'left hand', probability: 94, kind: 'cool' },
  { at: 192, label: 'right hand', probability: 88, kind: 'warm' },
  { at: 314, label: 'right hand', probability: 71, kind: 'warm' },
  { at: 436, label: 'left hand', probability: 97, kind: 'cool' },
] as const;
const trialWidth = 100;

/** Movement imagery weakens the rhythm of the side of the head opposite to the hand. */
function amplitudeAt(channel: number, x: number): number {
  const trial = trials.find(({ at }) => x >= at && x < at + trialWidth);
  const isOpposite = (trial?.kind === 'cool' && channel === 2) || (trial?.kind === 'warm' && channel === 0);
  return isOpposite ? 3.5 : 10;
}

function trace(channel: number): string {
  const middle = top + (channel + 0.5) * rowHeight;
  let [d, amplitude] = ['', 10];
  for (let x = left; x <= size.width - 8; x += 2) {
    amplitude += 0.18 * (amplitudeAt(channel, x) - amplitude);
    const wave = Math.sin(x / 3.1 + channel) * (0.75 + 0.25 * Math.sin(x / 23 + 2 * channel));
    const y = middle + amplitude * wave + 3 * Math.sin(x / 1.7 + 5 * channel) + 3 * Math.sin(x / 41 + channel);
    d += `${d ? 'L' : 'M'}${x} ${Math.round(10 * y) / 10}`;
  }
  return `${text(8, middle + 5, channels[channel]!, 'small')}<path d="${d}" class="trace"/>`;
}

const says =
  'Four trials in a recording of four electrodes. Each trial gets a label and its probability: left hand 94 %, ' +
  'right hand 88 %, right hand 71 %, left hand 97 %.';

export function recording(): string {
  const bottom = top + channels.length * rowHeight;
  const parts = trials.flatMap(({ at, label, probability, kind }) => [
    rect(at, top - 8, trialWidth, bottom - top + 12, `trial ${kind}`),
    rect(at, bottom + 14, trialWidth, 52, `label ${kind}`),
    text(at + trialWidth / 2, bottom + 36, label, 'on middle'),
    text(at + trialWidth / 2, bottom + 56, `${probability} %`, 'on middle'),
  ]);
  return (
    `<figure class="picture hero"><svg viewBox="0 0 ${size.width} ${size.height}" role="img" ` +
    `aria-label="${escape(says)}">${parts.join('')}${channels.map((_, i) => trace(i)).join('')}</svg></figure>`
  );
}
