import { Cursor } from './cursor.ts';
import { quoted, WeightsFault } from './fault.ts';
import { readPickle } from './pickle/read-pickle.ts';
import { torchTensors } from './torch-tensors.ts';
import type { Wanted, Weights } from './types.ts';
import { mostInflated, readZip, type ZipEntry } from './zip.ts';

const latin1 = new TextDecoder('latin1');

/**
 * Reads the zip that `torch.save` writes since version 1.6: a pickle `NAME/data.pkl`, storages `NAME/data/KEY`, and in
 * later versions the byte order in `NAME/byteorder`.
 */
export function readTorchZip(bytes: Uint8Array, wanted: Wanted): Weights {
  const entries = new Map<string, ZipEntry>();
  for (const entry of readZip(bytes)) {
    if (entries.has(entry.name)) throw new WeightsFault(`its zip has entry ${quoted(entry.name)} twice`);
    entries.set(entry.name, entry);
  }
  const pickles = [...entries.keys()].filter((name) => /^[^/]*\/data\.pkl$/.test(name));
  if (pickles.length !== 1)
    throw new WeightsFault(`it is a zip with ${pickles.length} files NAME/data.pkl instead of 1`);
  const folder = pickles[0].slice(0, -'data.pkl'.length);
  const order = entries.get(`${folder}byteorder`)?.bytes() ?? 'little';
  if (order !== 'little' && latin1.decode(order) !== 'little')
    throw new WeightsFault('its bytes are not little-endian');
  const cursor = new Cursor(entries.get(pickles[0])!.bytes());
  const { value } = readPickle(cursor);
  if (cursor.left > 0) throw new WeightsFault(`${cursor.left} bytes follow its pickle`);
  const inflated = new Map<string, Uint8Array | undefined>();
  const bytesOf = (key: string): Uint8Array | undefined => {
    if (!inflated.has(key)) inflated.set(key, entries.get(`${folder}data/${key}`)?.bytes());
    return inflated.get(key);
  };
  const packed = [...entries.values()].reduce((sum, { isPacked, size }) => sum + (isPacked ? size : 0), 0);
  return torchTensors(value, bytesOf, wanted, bytes.length + Math.min(packed, mostInflated(bytes)));
}
