import { canonicalName } from '../../ml/channels/index.ts';
import { isCommonReference, prefixes } from './rules.ts';

/** The parts of a channel's label: `EEG Fp1-REF` is `Fp1` and the second name `REF`. */
export interface LabelParts {
  readonly name: string;
  /** The text behind the name; null if there is none. */
  readonly second: string | null;
  /** What the second name is: a reference for all channels, or something else, such as a second electrode. */
  readonly isReference: boolean;
}

const before = new RegExp(String.raw`^(?:(?:${prefixes.join('|')})[\s:_.-]+|EEG(?=[A-Z]{1,3}(?:\d|z)))`, 'i');
/** Letters of a label that are read: some formats have no limit, and blanks in a long one would take long to match. */
const mostLetters = 200;
const pair = /^([A-Za-z]+\d*h?)\.*\s*[-–—:_/\s]\s*(\S.*)$/;

/** Splits a label into the name and the text behind it. The name may be no electrode. */
export function labelParts(label: string): LabelParts {
  const plain = label
    .slice(0, mostLetters)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\0]/gu, '')
    .trim();
  const short = plain.replace(before, '');
  const bare = canonicalName(plain) === undefined ? short : plain;
  const [, name, second] = pair.exec(bare) ?? [];
  if (name === undefined) return { name: bare.replaceAll('.', '').trim(), second: null, isReference: false };
  const text = second.replaceAll(/^[.]+|[.]+$/g, '').trim();
  return { name, second: text, isReference: isCommonReference(text.replace(/\s*-\s*\d$/, '')) };
}
