import { build, callOf, fill } from './calls.ts';
import type { Machine } from './machine.ts';
import { text, unread, wholeNumber } from './scalars.ts';
import { asKind, type Named, type Value } from './values.ts';

type Operation = (machine: Machine) => void;

const pushes =
  (value: (machine: Machine) => Value): Operation =>
  (machine) =>
    machine.push(value(machine));

const tuple =
  (length: number): Operation =>
  (machine) => {
    const items: Value[] = [];
    for (let k = 0; k < length; k++) items.unshift(machine.pop());
    machine.push({ kind: 'tuple', items });
  };

const named = (module: string, name: string): Named => ({ kind: 'named', name: `${module}.${name}` });

const recall = (machine: Machine, at: number): void => {
  const value = machine.memo.get(at);
  if (value === undefined) throw machine.fault(`its pickle recalls what it has not kept`);
  machine.push(value);
};

const keep = (machine: Machine, at: number): void => void machine.memo.set(at, machine.top());

/** Calls the value below the arguments on the stack. */
const call: Operation = (machine) => {
  const of = machine.pop();
  machine.push(callOf(machine, machine.pop(), of));
};

const stored = (machine: Machine, id: Value): void => {
  machine.ids.push(id);
  machine.push({ kind: 'stored', id });
};

/** Operations of protocols 2 to 5 by their byte. The text operations of protocol 0 are missing. */
export const operations: ReadonlyMap<number, Operation> = new Map<number, Operation>([
  [0x80, (machine) => checkProtocol(machine, machine.cursor.u8())], // PROTO
  [0x95, (machine) => checkFrame(machine, machine.cursor.u64())], // FRAME
  [0x28, (machine) => machine.mark()], // MARK
  [0x30, (machine) => machine.drop()], // POP
  [0x31, (machine) => void machine.popMarked()], // POP_MARK
  [0x32, pushes((machine) => machine.top())], // DUP

  [0x4e, pushes(() => null)], // NONE
  [0x88, pushes(() => true)], // NEWTRUE
  [0x89, pushes(() => false)], // NEWFALSE
  [0x4a, pushes(({ cursor }) => cursor.i32())], // BININT
  [0x4b, pushes(({ cursor }) => cursor.u8())], // BININT1
  [0x4d, pushes(({ cursor }) => cursor.u16())], // BININT2
  [0x8a, pushes(({ cursor }) => wholeNumber(cursor, cursor.u8()))], // LONG1
  [0x8b, pushes(({ cursor }) => wholeNumber(cursor, cursor.u32()))], // LONG4
  [0x47, pushes(({ cursor }) => cursor.f64())], // BINFLOAT

  [0x58, pushes(({ cursor }) => text(cursor, cursor.u32()))], // BINUNICODE
  [0x8c, pushes(({ cursor }) => text(cursor, cursor.u8()))], // SHORT_BINUNICODE
  [0x8d, pushes(({ cursor }) => text(cursor, cursor.u64()))], // BINUNICODE8
  [0x54, pushes(({ cursor }) => text(cursor, cursor.u32()))], // BINSTRING
  [0x55, pushes(({ cursor }) => text(cursor, cursor.u8()))], // SHORT_BINSTRING
  [0x42, pushes(({ cursor }) => unread(cursor, cursor.u32()))], // BINBYTES
  [0x43, pushes(({ cursor }) => unread(cursor, cursor.u8()))], // SHORT_BINBYTES
  [0x8e, pushes(({ cursor }) => unread(cursor, cursor.u64()))], // BINBYTES8
  [0x96, pushes(({ cursor }) => unread(cursor, cursor.u64()))], // BYTEARRAY8

  [0x29, tuple(0)], // EMPTY_TUPLE
  [0x85, tuple(1)], // TUPLE1
  [0x86, tuple(2)], // TUPLE2
  [0x87, tuple(3)], // TUPLE3
  [0x74, pushes((machine) => ({ kind: 'tuple', items: machine.popMarked() }))], // TUPLE
  [0x5d, pushes(() => ({ kind: 'list', items: [] }))], // EMPTY_LIST
  [0x6c, pushes((machine) => ({ kind: 'list', items: machine.popMarked() }))], // LIST
  [0x61, (machine) => fill(machine, 'list', [machine.pop()])], // APPEND
  [0x65, (machine) => fill(machine, 'list', machine.popMarked())], // APPENDS
  [0x7d, pushes(() => ({ kind: 'dictionary', entries: [] }))], // EMPTY_DICT
  [0x64, dictionaryOfMarked], // DICT
  [0x73, (machine) => fill(machine, 'dictionary', [machine.pop(), machine.pop()].reverse())], // SETITEM
  [0x75, (machine) => fill(machine, 'dictionary', machine.popMarked())], // SETITEMS
  [0x8f, pushes(() => ({ kind: 'unread' }))], // EMPTY_SET
  [0x91, pushes((machine) => (machine.popMarked(), { kind: 'unread' }))], // FROZENSET
  [0x90, (machine) => fill(machine, 'list', machine.popMarked())], // ADDITEMS

  [0x71, (machine) => keep(machine, machine.cursor.u8())], // BINPUT
  [0x72, (machine) => keep(machine, machine.cursor.u32())], // LONG_BINPUT
  [0x94, (machine) => keep(machine, machine.memo.size)], // MEMOIZE
  [0x68, (machine) => recall(machine, machine.cursor.u8())], // BINGET
  [0x6a, (machine) => recall(machine, machine.cursor.u32())], // LONG_BINGET

  [0x63, pushes(({ cursor }) => named(cursor.line(), cursor.line()))], // GLOBAL
  [0x93, stackGlobal], // STACK_GLOBAL
  [0x52, call], // REDUCE
  [0x81, call], // NEWOBJ
  [0x92, newObjectWithNames], // NEWOBJ_EX
  [0x69, instance], // INST
  [0x6f, object], // OBJ
  [0x62, build], // BUILD
  [0x82, pushes(({ cursor }) => named('extension', String(cursor.u8())))], // EXT1
  [0x83, pushes(({ cursor }) => named('extension', String(cursor.u16())))], // EXT2
  [0x84, pushes(({ cursor }) => named('extension', String(cursor.u32())))], // EXT4
  [0x51, (machine) => stored(machine, machine.pop())], // BINPERSID
]);

function checkProtocol(machine: Machine, protocol: number): void {
  if (protocol < 2 || protocol > 5) throw machine.fault(`its pickle is of protocol ${protocol}, not of 2 to 5`);
}

function checkFrame(machine: Machine, length: number): void {
  if (length > machine.cursor.left) throw machine.fault(`its pickle has a frame of ${length} bytes past its end`);
}

function dictionaryOfMarked(machine: Machine): void {
  const values = machine.popMarked();
  machine.push({ kind: 'dictionary', entries: [] });
  fill(machine, 'dictionary', values);
}

function stackGlobal(machine: Machine): void {
  const [name, module] = [machine.pop(), machine.pop()];
  if (typeof name !== 'string' || typeof module !== 'string') throw machine.fault('its pickle names what is no text');
  machine.push(named(module, name));
}

/** Drops named arguments: no tensor needs them. */
function newObjectWithNames(machine: Machine): void {
  machine.pop();
  call(machine);
}

function instance(machine: Machine): void {
  const { cursor } = machine;
  const called = named(cursor.line(), cursor.line());
  machine.push(callOf(machine, called, { kind: 'tuple', items: machine.popMarked() }));
}

function object(machine: Machine): void {
  const [called, ...items] = machine.popMarked();
  if (!called || !asKind(called, 'named', 'made')) throw machine.fault('its pickle makes an object of no class');
  machine.push(callOf(machine, called, { kind: 'tuple', items }));
}
