/**
 * Sentences for callers with holes for numbers and names: `{count} of {trials} trials`. A table names each sentence by
 * a code. A page reads code and values back from the text, and says the same in its own words.
 */
export type Sentences = Readonly<Record<string, string>>;

/** Names of the holes of a sentence. */
type HolesIn<S extends string> = S extends `${string}{${infer Hole}}${infer Rest}` ? Hole | HolesIn<Rest> : never;
/** Values of the holes of a sentence. */
export type ValuesOf<S extends string> = Readonly<Record<HolesIn<S>, string | number>>;

/** A sentence that was read. */
export interface ReadSentence<Code extends string = string> {
  /** Null: the text is no sentence of the table. */
  readonly code: Code | null;
  readonly values: Readonly<Record<string, string>>;
}

const hole = /\{(\w+)\}/g;

/** Returns a function that fills the holes of a sentence of the table. */
export const writerOf =
  <T extends Sentences>(table: T) =>
  <C extends keyof T & string>(code: C, values: ValuesOf<T[C]>): string =>
    table[code].replaceAll(hole, (_, name: string) => String((values as Record<string, string | number>)[name]));

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** The source of a pattern of a sentence. `held`: the pattern of a hole. */
const partsOf = (sentence: string, held: string): string =>
  sentence
    .split(hole)
    .map((part, i) => (i % 2 === 0 ? escaped(part) : `(?<${part}>${held})`))
    .join('');

/** A pattern of a sentence at a place of a text. A hole does not contain the end of a sentence. */
const patternOf = (sentence: string): RegExp =>
  new RegExp(`${partsOf(sentence, String.raw`(?:(?!\. ).)*?`)}(?= |$)`, 'sy');

/**
 * Returns a function that reads the sentences of a text in their order. Where several match, the shortest counts,
 * because a hole could hold other sentences too. Reading stops at a part that is no sentence of the table.
 */
export function readerOf<T extends Sentences>(table: T): (text: string) => ReadSentence<keyof T & string>[] {
  const patterns = Object.entries(table).map(([code, sentence]) => ({ code, pattern: patternOf(sentence) }));
  const readAt = (text: string, at: number) =>
    patterns
      .flatMap(({ code, pattern }) => {
        pattern.lastIndex = at;
        const found = pattern.exec(text);
        return found ? [{ code, values: { ...found.groups }, end: at + found[0].length }] : [];
      })
      .sort((a, b) => a.end - b.end)[0];
  return (text) => {
    const read: ReadSentence<keyof T & string>[] = [];
    for (let at = 0; at < text.length;) {
      const found = readAt(text, at);
      if (!found) return [...read, { code: null, values: {} }];
      read.push({ code: found.code, values: found.values });
      at = found.end + 1;
    }
    return read;
  };
}

/** Returns a function that reads a text that is one sentence of the table as a whole. */
export function wholeReaderOf<T extends Sentences>(table: T): (text: string) => ReadSentence<keyof T & string> {
  const patterns = Object.entries(table).map(([code, sentence]) => ({
    code,
    pattern: new RegExp(`^${partsOf(sentence, '.*?')}$`, 's'),
  }));
  return (text) => {
    for (const { code, pattern } of patterns) {
      const found = pattern.exec(text);
      if (found) return { code, values: { ...found.groups } };
    }
    return { code: null, values: {} };
  };
}
