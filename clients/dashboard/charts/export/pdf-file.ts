/** Parts of a PDF file (ISO 32000-1): numbered objects, a table of their places, a trailer. */

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A text in the form for document properties: UTF-16 with a byte order mark. */
export const unicodeText = (text: string): string =>
  `<FEFF${Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('')}>`;

/** Collects the objects of a file. An object is referred to as `N 0 R` with the number that `add` returns. */
export class PdfFile {
  readonly #objects: Uint8Array[][] = [];

  /** The number of the object that is added next. */
  get next(): number {
    return this.#objects.length + 1;
  }

  /** Adds an object that is written as it is. */
  add(text: string): number {
    return this.#objects.push([latin(text)]);
  }

  /** Adds a compressed stream. `entries`: further entries of its dictionary. */
  async addStream(bytes: Uint8Array | string, entries = ''): Promise<number> {
    const body = await deflated(typeof bytes === 'string' ? latin(bytes) : bytes);
    const head = `<< ${entries} /Filter /FlateDecode /Length ${body.length} >>\nstream\n`;
    return this.#objects.push([latin(head), body, latin('\nendstream')]);
  }

  /** The file. `root` and `info`: numbers of the catalogue and of the document properties. */
  toBlob(root: number, info: number): Blob {
    // The second line marks the file as binary for programs that transfer it.
    const parts: Uint8Array[] = [latin('%PDF-1.5\n%\xE2\xE3\xCF\xD3\n')];
    let length = parts[0].length;
    const write = (...pieces: readonly Uint8Array[]): void => {
      parts.push(...pieces);
      for (const piece of pieces) length += piece.length;
    };
    const places = this.#objects.map((object, i) => {
      const place = length;
      write(latin(`${i + 1} 0 obj\n`), ...object, latin('\nendobj\n'));
      return place;
    });
    const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    const size = places.length + 1;
    const start = length;
    write(
      latin(
        `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R >>\n` +
          `startxref\n${start}\n%%EOF\n`,
      ),
    );
    return new Blob(parts as BlobPart[], { type: 'application/pdf' });
  }
}
