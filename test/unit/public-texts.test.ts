import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';

let text: string;
beforeAll(() => {
  const script = fileURLToPath(new URL('../support/described-otherwise.ts', import.meta.url));
  text = execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 1 << 24 });
});

it.each([
  'hosts it: $11.00 once and $12.00 for each 77 days of hosting',
  'to a collecting model, $0.013 per',
  'in the order sent; $0.013 per',
  'within 76 days of the creation',
  'deleted after 78 days',
  'billed once, for 79 days',
  'per 75-second window',
  'nearest electrode within 74 mm',
  'More than 5,111,111 numbers as sent or after resampling, a body over 71 MiB, or',
  'Fewer than 72 classes, or fewer than 73 trials in a class.',
  '<td>$11.00, once</td>',
  '<td>$12.00 for each 77 days, in advance</td>',
  'cost $1.30 to label',
  'Fit within 76 days',
  'is answered once and billed once, for 79 days',
  '<td>at least 72</td>',
])('the interface description and the documentation follow the tables of prices and limits: %s', (words) => {
  expect(text.includes(words)).toBe(true);
});
