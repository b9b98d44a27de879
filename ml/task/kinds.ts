import type { TaskKind } from '../types.ts';
import { anyOf, pattern, type Lexicon } from './lexicon.ts';
import {
  sleepLabels,
  erpLabels,
  motorLabels,
  restLabels,
  flicker,
  sleeping,
  erp,
  motor,
  rest,
  motorOverrides,
} from './words/kinds.ts';
import type { Text } from './text.ts';

export interface KindRow {
  readonly kind: TaskKind;
  readonly category: string;
  /** Pattern for the description. */
  readonly says: RegExp;
  /** Pattern for whole labels; null if labels alone are no evidence. */
  readonly label: RegExp | null;
}

const row = (kind: TaskKind, category: string, words: Lexicon, label: string | null): KindRow => ({
  kind,
  category,
  says: pattern(anyOf(words)),
  label: label === null ? null : new RegExp(`^(?:${label})$`, 'u'),
});

/** Task kinds in the order in which they are tested: the more specific first. */
export const kinds: readonly KindRow[] = [
  row('other', 'ssvep', flicker, null),
  row('sleep', 'sleep_staging', sleeping, sleepLabels),
  row('motor', 'motor', motorOverrides, null),
  row('erp', 'erp', erp, erpLabels),
  row('motor', 'motor', motor, motorLabels),
  row('other', 'resting_state', rest, restLabels),
];

/** The first kind that the description mentions, with the words quoted. */
export function taskEvidence(description: Text): { row: KindRow; evidence: string } | null {
  for (const kind of kinds) {
    const match = new RegExp(kind.says.source, 'u').exec(description.plain);
    if (match) return { row: kind, evidence: description.quote(match.index, match.index + match[0].length) };
  }
  return null;
}
