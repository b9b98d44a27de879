import { openSync, readFileSync, writeSync } from 'node:fs';

/**
 * Marks of the current work of a process, in a small file that survives the process: each mark has a slot of fixed
 * size. Writes are not flushed to the disk. The page cache keeps them when the process is killed; a crash of the
 * machine may lose them.
 */
const slotBytes = 64;
const empty = Buffer.alloc(slotBytes, ' ');

/** Process side: assigns slots. */
export interface Slots {
  take(): number;
  /** `lost`: the thread of the slot ended without clearing its mark. */
  give(slot: number, lost: boolean): void;
}

/** Opens `file`, which must exist. */
export function createSlots(file: string): Slots {
  const descriptor = openSync(file, 'r+');
  const free: number[] = [];
  let used = 0;
  return {
    take: () => free.pop() ?? used++,
    give(slot, lost) {
      if (lost) writeSync(descriptor, empty, 0, slotBytes, slot * slotBytes);
      free.push(slot);
    },
  };
}

/** Thread side: marks the slot while `work` runs. `name` has at most 64 ASCII characters. */
export type Mark = <T>(slot: number, name: string, work: () => Promise<T>) => Promise<T>;

export function openMark(file: string): Mark {
  const descriptor = openSync(file, 'r+');
  const text = Buffer.alloc(slotBytes);
  return async (slot, name, work) => {
    const at = slot * slotBytes;
    text.fill(' ').write(name, 'latin1');
    writeSync(descriptor, text, 0, slotBytes, at);
    try {
      return await work();
    } finally {
      writeSync(descriptor, empty, 0, slotBytes, at);
    }
  };
}

/** The marked names, each once. */
export function readMarks(file: string): string[] {
  const words = readFileSync(file, 'latin1').split(/[\s\0]+/);
  return [...new Set(words.filter(Boolean))];
}
