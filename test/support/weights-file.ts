import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import type { Weights } from '../../ml/weights/types.ts';
import { bytesOf, dictionary, stream, tensor, text } from '../ml/pickles.ts';

/** One file in a tar, as `torch.save` of a folder leaves it. */
export function tarOf(name: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('0', 156);
  header.write('ustar', 257);
  header.write('00', 263);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytesOf(header, content, Buffer.alloc(((512 - (content.length % 512)) % 512) + 1024));
}

/** An object's torch stream as the published file of a model holds it. */
export function publishedAs(id: string, object: Buffer, storages: Parameters<typeof stream>[1] = []): Buffer {
  const { member, under } = modelOf(id).file;
  const whole = stream(under === null ? object : dictionary(text(under), object), storages);
  return member === null ? whole : tarOf(member, whole);
}

/** A file of untrained weights in the format of the published one. */
export function weightsFileOf(id: string, weights: Weights): Buffer {
  const parts = [...weights].map(([name, { dims, data }]) => {
    const strides = dims.map((_, i) => dims.slice(i + 1).reduce((a, b) => a * b, 1));
    const entry = [text(name), tensor({ key: name, count: data.length, dims, strides })];
    return {
      entry,
      storage: [name, data.length, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)] as const,
    };
  });
  return publishedAs(
    id,
    dictionary(...parts.flatMap(({ entry }) => entry)),
    parts.map(({ storage }) => storage),
  );
}
