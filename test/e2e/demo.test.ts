import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOfFileUrl, loadConfig } from '../../infra/drivers/config.ts';
import { newDataDir, runMain, type Program } from '../support/stack.ts';

const given = loadConfig().referenceDataUrl;
const beside = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const folder = given?.startsWith('file:') ? folderOfFileUrl(given) : beside;
const real = existsSync(`${folder}/eegmmidb/1.0.0/S001/S001R06.edf`);

describe(`npm run demo, on ${real ? 'the real recording' : 'a simulated recording'}`, () => {
  let data: Awaited<ReturnType<typeof newDataDir>>;
  let demo: Program;
  beforeAll(async () => {
    data = await newDataDir();
    demo = runMain('demo', [], {
      DATA_DIR: data.path,
      REFERENCE_DATA_URL: real ? `file:${folder}` : 'file:/nonexistent',
    });
    await demo.says(/Dashboard +http/, 600);
  }, 640_000);
  afterAll(() => data.remove());

  it('says where the recording is from', () => {
    expect(demo.output()).toMatch(
      real ? /EEG Motor Movement\/Imagery Database 1\.0\.0, subject S001/ : /SIMULATED recording/,
    );
    expect(demo.output()).toMatch(/(30|32) trials are sent to be fitted; (15|16) \(.*\) are kept back/);
  });

  it('shows candidates as they are scored', () => {
    expect(demo.output()).toMatch(/✓ Riemannian tangent space.*\d\.\d{3}[^]*Fitted in/);
  });

  it('prints a report whose held-out balanced accuracy is at least 0.85, and labels the trials kept back', () => {
    const score = Number(/Held-out balanced accuracy (\d\.\d+)/.exec(demo.output())?.[1]);
    expect(score).toBeGreaterThanOrEqual(real ? 0.85 : 0.7);
    expect(demo.output()).toMatch(/▸ .* {2}\d\.\d{3}/);
    expect(Number(/measured balanced accuracy (\d\.\d+)/.exec(demo.output())?.[1])).toBeGreaterThan(0.6);
  });

  it('prints charges and links that work', async () => {
    expect(demo.output()).toMatch(/2\.04[58] USD = create 1\.00 \+ hosting 1\.00 \+ 1[56] prediction windows/);
    for (const link of [/API\s+(http:\S+)/, /Temporal UI\s+(http:\S+)/, /documentation: (http:[^)\s]+)/]) {
      const url = link.exec(demo.output())![1];
      expect((await fetch(url)).status, url).toBeLessThan(500);
    }
    expect(demo.output()).not.toMatch(/eeg_live_[A-Za-z0-9]{16}_/);
  });

  it("ends with the dashboard's link, which signs in as the demo account, once", async () => {
    const [, base, token] = /Dashboard +(http\S+)\/dashboard\/link#token=([\w-]{43})/.exec(demo.output())!;
    expect((await fetch(`${base}/dashboard/link`)).status).toBe(200);
    const signIn = () =>
      fetch(`${base}/dashboard/api/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: base!, 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ token }),
      });
    const reply = await signIn();
    expect([reply.status, ((await reply.json()) as { email: string }).email]).toEqual([
      200,
      expect.stringMatching(/^demo-.*@example\.invalid$/),
    ]);
    const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
    const models = await fetch(`${base}/dashboard/api/v1/task-models`, { headers: { cookie } });
    expect(((await models.json()) as { data: unknown[] }).data).toHaveLength(1);
    expect((await signIn()).status).toBe(422);
    expect(demo.output()).toMatch(/Sign-up +by invitation/);
  });

  it('ends on Ctrl-C with everything it started', async () => {
    expect(await demo.interrupt()).toBe(0);
    expect(await data.processes()).toEqual([]);
  });
});
