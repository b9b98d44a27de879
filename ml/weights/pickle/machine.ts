import type { Cursor } from '../cursor.ts';
import { WeightsFault } from '../fault.ts';
import type { Value } from './values.ts';

/** Enough for 25,000 tensors. */
export const mostOperations = 2 ** 20;

/** Stack, marks and memo of the operations of a pickle. */
export class Machine {
  readonly cursor: Cursor;
  readonly memo = new Map<number, Value>();
  /** Ids of data outside the pickle. */
  readonly ids: Value[] = [];
  readonly #stack: Value[] = [];
  readonly #marks: number[] = [];
  #copied = 0;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  push(value: Value): void {
    this.#stack.push(value);
  }

  mark(): void {
    this.#marks.push(this.#stack.length);
  }

  /** The last value pushed after the last mark. */
  top(): Value {
    if (this.#isEmpty()) throw this.fault('its pickle takes more values than it has');
    return this.#stack[this.#stack.length - 1];
  }

  pop(): Value {
    const value = this.top();
    this.#stack.length--;
    return value;
  }

  /** All values since the last mark, which is removed. */
  popMarked(): Value[] {
    const mark = this.#marks.pop();
    if (mark === undefined) throw this.fault('its pickle misses a mark');
    return this.#stack.splice(mark);
  }

  /** Removes the last value or mark. */
  drop(): void {
    if (this.#marks.length > 0 && this.#isEmpty()) this.#marks.pop();
    else this.pop();
  }

  /** Counts values before they are copied: a pickle may refer to the same values again and again. */
  copies(values: number): void {
    this.#copied += values;
    if (this.#copied > mostOperations) throw this.fault(`its pickle copies more than ${mostOperations} values`);
  }

  fault(reason: string): WeightsFault {
    return new WeightsFault(`${reason}, at byte ${this.cursor.at}`);
  }

  #isEmpty(): boolean {
    return this.#stack.length <= (this.#marks.at(-1) ?? 0);
  }
}
