/** A file of weights that cannot be read. The message names the file and the reason. */
export class WeightsFault extends Error {
  /** The reason without the file name: a part of a sentence. */
  readonly reason: string;
  constructor(reason: string, file = 'The file') {
    super(`${file} is not read: ${reason}.`);
    this.name = 'WeightsFault';
    this.reason = reason;
  }
}

/** The start of a text from a file, for a message. */
export const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
