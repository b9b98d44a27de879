import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The head of a POST with a key, for a body of a declared length, or in chunks. */
export const headOf = (path: string, key: string, length?: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
  `${length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`}\r\n\r\n`;

/** A connection on which these bytes were sent. */
export async function opened(port: number, bytes: string | Uint8Array): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** The first answer on a connection: its status, and its body where that is JSON. */
export async function answerOn(socket: Socket): Promise<{ status: number; text: string; body: any }> {
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString();
    const [head, body = ''] = text.split('\r\n\r\n', 2);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Buffer.byteLength(body) >= length) return { status: Number(text.slice(9, 12)), text, body: JSON.parse(body) };
  }
  throw new Error(`The connection ended before its answer: ${text.slice(0, 500)}`);
}
