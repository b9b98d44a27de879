import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A wire to another server, on a port of its own, that can be cut. */
export async function startWire(
  to: { readonly host: string; readonly port: number },
  port = 0,
): Promise<{ readonly port: number; cut(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const wire = createServer((near) => {
    const far = connect(to);
    for (const each of [near, far]) {
      sockets.add(each);
      each.on('error', () => undefined).once('close', () => [near, far].forEach((end) => end.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve, reject) => wire.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    port: (wire.address() as AddressInfo).port,
    cut: () =>
      new Promise((resolve) => {
        wire.close(() => resolve());
        for (const each of sockets) each.destroy();
      }),
  };
}
