import type { Cursor } from '../cursor.ts';
import { WeightsFault } from '../fault.ts';
import { Machine, mostOperations } from './machine.ts';
import { operations } from './operations.ts';
import type { Value } from './values.ts';

const stop = 0x2e;

/**
 * Reads one pickle of protocol 2 to 5 as data, up to its end. Calls nothing. Stops after 2^20 operations; each adds at
 * most 200 bytes besides texts, and texts are not longer than the file. Throws a WeightsFault if the bytes are not such
 * a pickle.
 */
export function readPickle(cursor: Cursor): { readonly value: Value; readonly ids: readonly Value[] } {
  const machine = new Machine(cursor);
  if (cursor.left === 0 || cursor.bytes[cursor.at] !== 0x80)
    throw new WeightsFault(`no pickle of protocol 2 or later begins at byte ${cursor.at}`);
  for (let count = 0; count < mostOperations; count++) {
    const code = cursor.u8();
    if (code === stop) return { value: machine.pop(), ids: machine.ids };
    const operation = operations.get(code);
    if (!operation) throw machine.fault(`its pickle has operation 0x${code.toString(16)}, which is not read`);
    operation(machine);
  }
  throw machine.fault(`its pickle has more than ${mostOperations} operations`);
}
