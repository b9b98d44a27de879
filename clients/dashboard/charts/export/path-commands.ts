/** A path in absolute coordinates: move, line, cubic curve, close. */
export type PathCommand = readonly ['m' | 'l' | 'c', ...number[]] | readonly ['h'];

/** Numbers that one step of a command reads. */
const arity: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, z: 0 };

/** Reads the `d` of a path of straight lines and cubic curves. Throws for other commands. */
export function pathCommands(d: string): PathCommand[] {
  const commands: PathCommand[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, letter, rest] of d.matchAll(/([A-Za-z])([^A-Za-z]*(?:[eE][-+]?\d[^A-Za-z]*)*)/g)) {
    const kind = letter.toLowerCase();
    const isRelative = letter === kind;
    const size = arity[kind];
    if (size === undefined) throw new Error(`A path with the command ${letter} cannot be written as PDF.`);
    const numbers = (rest.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? []).map(Number);
    if (kind === 'z') {
      commands.push(['h']);
      [x, y] = [startX, startY];
      continue;
    }
    for (let at = 0; at + size <= numbers.length; at += size) {
      const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
      const step = numbers.slice(at, at + size);
      if (kind === 'h') x = fromX + step[0];
      else if (kind === 'v') y = fromY + step[0];
      else [x, y] = [fromX + step[size - 2], fromY + step[size - 1]];
      if (kind === 'c') commands.push(['c', ...step.map((value, i) => value + (i % 2 ? fromY : fromX))]);
      else commands.push([kind === 'm' && at === 0 ? 'm' : 'l', x, y]);
      if (kind === 'm' && at === 0) [startX, startY] = [x, y];
    }
  }
  return commands;
}
