import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataDir, runMain, type Program } from '../support/stack.ts';

describe('npm run demo', () => {
  let data: Awaited<ReturnType<typeof newDataDir>>;
  let demo: Program;
  beforeAll(async () => {
    data = await newDataDir();
    // The sample recording comes with the project: nothing is downloaded.
    demo = runMain('demo', [], { DATA_DIR: data.path, REFERENCE_DATA_URL: 'file:/nonexistent' });
    await demo.says(/Dashboard +http/, 600);
  }, 640_000);
  afterAll(() => data.remove());

  it('says where the recording is from', () => {
    expect(demo.output()).toMatch(/EEG Motor Movement\/Imagery Database 1\.0\.0 \(PhysioNet\), subject 1.*Attribution/);
    expect(demo.output()).not.toMatch(/simulated/i);
    expect(demo.output()).toMatch(/24 trials are sent to be fitted; 12 \(session run 3\) are kept back/);
  });

  it('shows candidates as they are scored', () => {
    expect(demo.output()).toMatch(/✓ Riemannian tangent space.*\d\.\d{3}[^]*Fitted in/);
  });

  it('prints a report whose held-out balanced accuracy is at least 0.85, and labels the trials kept back', () => {
    const score = Number(/Held-out balanced accuracy (\d\.\d+)/.exec(demo.output())?.[1]);
    expect(score).toBeGreaterThanOrEqual(0.85);
    expect(demo.output()).toMatch(/▸ .* {2}\d\.\d{3}/);
    expect(Number(/measured balanced accuracy (\d\.\d+)/.exec(demo.output())?.[1])).toBeGreaterThan(0.6);
  });

  it('prints charges and links that work', async () => {
    expect(demo.output()).toMatch(/\$2\.036 = create 1\.00 \+ hosting 1\.00 \+ 12 prediction windows/);
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
