import { Cursor } from './cursor.ts';
import { quoted, WeightsFault } from './fault.ts';

const block = 512;
const mostNames = 20;
const latin1 = new TextDecoder('latin1');
const utf8 = new TextDecoder();

/** Whether the first block is a header of a ustar, pax or GNU tar. */
export const isTar = (bytes: Uint8Array): boolean => latin1.decode(bytes.subarray(257, 262)) === 'ustar';

/** The bytes of one regular file of a tar. `./a` and `a` are the same name. */
export function tarMember(bytes: Uint8Array, member: string | undefined): Uint8Array {
  const members = readTar(bytes);
  const found = member === undefined ? undefined : members.get(member);
  if (found) return found;
  const names = [...members.keys()].slice(0, mostNames).map(quoted).join(', ') || 'no file';
  const more = members.size > mostNames ? ` and ${members.size - mostNames} more` : '';
  const asked = member === undefined ? 'and none of its files is named' : `without ${quoted(member)}`;
  throw new WeightsFault(`it is a tar ${asked}; it holds ${names}${more}`);
}

/** Regular files of a tar by name. */
function readTar(bytes: Uint8Array): Map<string, Uint8Array> {
  const members = new Map<string, Uint8Array>();
  const cursor = new Cursor(bytes);
  let long: { path?: string; size?: number } = {};
  for (;;) {
    const header = cursor.take(block);
    if (header.every((byte) => byte === 0)) break;
    checkSum(header, cursor.at - block);
    const type = String.fromCharCode(header[156] || 48);
    const size = long.size ?? numberIn(header, 124, 12);
    const content = cursor.take('123456'.includes(type) ? 0 : size);
    cursor.take((block - (content.length % block)) % block);
    if (type === 'L') long = { ...long, path: untilZero(content, utf8) };
    else if (type === 'x') long = { ...long, ...paxRecords(content) };
    else if (!'gK'.includes(type)) {
      const name = (long.path ?? nameIn(header)).replace(/^(\.\/)+/, '');
      long = {};
      if (!'07'.includes(type)) continue;
      if (members.has(name)) throw new WeightsFault(`it is a tar with ${quoted(name)} twice`);
      members.set(name, content);
    }
  }
  const rest = cursor.take(cursor.left);
  if (rest.length < block || rest.length % block !== 0 || rest.some((byte) => byte !== 0))
    throw new WeightsFault('it is a tar whose end is missing or followed by other bytes');
  return members;
}

/** Verifies the checksum of a header: the sum of its bytes, with its own field read as spaces. */
function checkSum(header: Uint8Array, at: number): void {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
  if (sum !== numberIn(header, 148, 8)) throw new WeightsFault(`the tar header at byte ${at} has a wrong checksum`);
}

/** Parses octal digits, or a big-endian number after the byte 0x80. */
function numberIn(header: Uint8Array, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  if (field[0] === 0x80) return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
  const text = untilZero(field, latin1).trim();
  if (!/^[0-7]+$/.test(text)) throw new WeightsFault(`${quoted(text)} in a tar header is no number`);
  return Number.parseInt(text, 8);
}

function nameIn(header: Uint8Array): string {
  const name = untilZero(header.subarray(0, 100), utf8);
  // GNU headers have times where POSIX headers have the start of the name.
  const prefix = header[262] === 0 ? untilZero(header.subarray(345, 500), utf8) : '';
  return prefix ? `${prefix}/${name}` : name;
}

function untilZero(bytes: Uint8Array, decoder: TextDecoder): string {
  const end = bytes.indexOf(0);
  return decoder.decode(bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, 4096)));
}

/**
 * Name and size of the next file, from lines such as `18 path=folder/x`. The number is the length of the line in bytes.
 */
function paxRecords(content: Uint8Array): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  const text = latin1.decode(content.subarray(0, 65_536));
  for (let at = 0; at < text.length;) {
    const [, length, key, value] = /^(\d{1,5}) (\w[\w.-]*)=([^]*)$/.exec(lineAt(text, at)) ?? [];
    if (!length) throw new WeightsFault('it is a tar with a damaged pax header');
    at += Number(length);
    if (key === 'path') found.path = utf8.decode(Uint8Array.from(value, (char) => char.charCodeAt(0)));
    if (key === 'size') found.size = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  }
  return found;
}

function lineAt(text: string, at: number): string {
  const length = Number(/^\d{1,5}(?= )/.exec(text.slice(at, at + 6))?.[0]);
  const line = text.slice(at, at + length);
  return line.endsWith('\n') && line.length === length ? line.slice(0, -1) : '';
}
