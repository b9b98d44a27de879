/** A file of weights that is not read; the message says which file and why. */
export class WeightsFault extends Error {
  /** Why, without the file: a part of a sentence. */
  readonly reason: string;
  constructor(reason: string, file = 'The file') {
    super(`${file} is not read: ${reason}.`);
    this.name = 'WeightsFault';
    this.reason = reason;
  }
}

/** The beginning of a text from a file, for use in a message. */
export const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
