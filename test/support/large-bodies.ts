import { request } from 'node:http';

/** A valid estimate of 4,000,000 numbers whose JSON has just under 64 MiB. */
export function largeBody(): Buffer {
  const [trials, channels, samples] = [100, 40, 1_000];
  const row = Array.from({ length: samples }, (_, s) => (Math.sin(s / 7) * 40).toFixed(12).slice(0, 15)).join(',');
  const trial = `[${Array.from({ length: channels }, () => `[${row}]`).join(',')}]`;
  const names = [
    'Fp1',
    'Fp2',
    'AF3',
    'AF4',
    'F7',
    'F5',
    'F3',
    'F1',
    'Fz',
    'F2',
    'F4',
    'F6',
    'F8',
    'FT7',
    'FC5',
    'FC3',
    'FC1',
    'FC2',
    'FC4',
    'FC6',
    'FT8',
    'T7',
    'C5',
    'C3',
    'C1',
    'Cz',
    'C2',
    'C4',
    'C6',
    'T8',
    'CP5',
    'CP3',
    'CP1',
    'CP2',
    'CP4',
    'CP6',
    'P3',
    'Pz',
    'P4',
    'Oz',
  ];
  const rest = JSON.stringify({
    description: 'left or right hand',
    units: 'uV',
    sampling_rate_hz: 256,
    channels: names,
    dry_run: true,
    labels: Array.from({ length: trials }, (_, t) => (t % 2 ? 'left' : 'right')),
  });
  return Buffer.from(`{"x":[${Array.from({ length: trials }, () => trial).join(',')}],${rest.slice(1)}`);
}

/** Sends a body over its own connection; resolves to status and text. */
export function upload(url: string, key: string, body: Buffer): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length },
      },
      (reply) => {
        let text = '';
        reply
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Milliseconds of GET /healthz, asked every few milliseconds until `done`. */
export async function pollHealth(address: string, done: () => boolean, everyMs = 5): Promise<number[]> {
  const times: number[] = [];
  while (!done()) {
    const start = performance.now();
    const reply = await fetch(`${address}/healthz`);
    await reply.arrayBuffer();
    if (reply.status !== 200) throw new Error(`GET /healthz answered ${reply.status}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return times;
}

export function percentile(times: readonly number[], p: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))];
}
