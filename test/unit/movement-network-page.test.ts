import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): Buffer => readFileSync(new URL(`../../${path}`, import.meta.url));

interface Score {
  readonly head: string;
  readonly montage: string;
  readonly balancedAccuracy: number;
  readonly standardError: number;
}

interface Card {
  readonly sha256: string;
  readonly bytes: number;
  readonly heads: Readonly<Record<string, { readonly people: number; readonly trials: number }>>;
  readonly folds: readonly (readonly string[])[];
  readonly people: { readonly sha256: string; readonly bytes: number; readonly names: readonly string[] };
  readonly data: { readonly people: number; readonly recordings: number; readonly citations: readonly string[] };
  readonly scores: readonly Score[];
}

const card = JSON.parse(read('ml/encoders/movement/card.json').toString()) as Card;
const page = read('docs/movement-network.md').toString();
const weights = read('ml/encoders/movement/weights.safetensors');
const sketches = read('ml/encoders/movement/people.safetensors');

describe('card of the movement network', () => {
  it('names the weights and the sketches that are in the repository, of at most 2 MB together', () => {
    for (const [file, named] of [
      [weights, card],
      [sketches, card.people],
    ] as const) {
      expect(createHash('sha256').update(file).digest('hex')).toBe(named.sha256);
      expect(file.length).toBe(named.bytes);
    }
    expect(weights.length + sketches.length).toBeLessThanOrEqual(2_000_000);
  });

  it('puts each of the people S002 to S060 in one fold, and nobody else', () => {
    const people = card.folds.flat().sort();
    expect(people).toEqual(Array.from({ length: 59 }, (_, i) => `S${String(i + 2).padStart(3, '0')}`));
    expect(people).toHaveLength(card.data.people);
    expect(card.people.names).toEqual(people);
  });
});

describe('page of the movement network', () => {
  it('shows each score of a shipped task as the card has it', () => {
    const percent = (value: number): string => (100 * value).toFixed(1);
    const shown = card.scores.filter(({ head }) => Object.hasOwn(card.heads, head));
    expect(shown.length).toBeGreaterThan(50);
    for (const { balancedAccuracy, standardError } of shown)
      expect(page).toContain(` ${percent(balancedAccuracy)} ± ${percent(standardError)} |`);
  });

  it('gives the people and trials of each task, the citations and the hash', () => {
    for (const { people, trials } of Object.values(card.heads)) expect(page).toContain(`| ${people} | ${trials} |`);
    for (const citation of card.data.citations) expect(page).toContain(citation);
    expect(page).toContain(card.sha256);
    expect(page).toContain(card.people.sha256);
  });
});
