import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { withHeartbeats } from '../../activities/with-heartbeats.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('an attempt that has reported nothing keeps the report of the attempt before', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const attempt = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: { ended: ['csp-lda'] } });
  const beats: unknown[] = [];
  attempt.on('heartbeat', (details) => beats.push(details));
  await attempt.run(() =>
    withHeartbeats(async (_signal, report) => {
      vi.advanceTimersByTime(2_000);
      report({ ended: ['csp-lda', 'tangent-logistic'] });
      vi.advanceTimersByTime(2_000);
    }),
  );
  expect(beats).toEqual([{ ended: ['csp-lda'] }, { ended: ['csp-lda', 'tangent-logistic'] }]);
});

it('progress is reported once it is stored, and again if storing failed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const attempt = new MockActivityEnvironment();
  const beats: unknown[] = [];
  attempt.on('heartbeat', (details) => beats.push(details));
  let left = 1;
  const store = vi.fn(async () => {
    if (left-- > 0) throw new Error('The store was away.');
  });
  await attempt.run(() =>
    withHeartbeats(async (_signal, report) => {
      report({ ended: [] }, store);
      report({ ended: ['csp-lda'] }, store);
      expect(store).not.toHaveBeenCalled();
      for (let tick = 0; tick < 3; tick++) {
        vi.advanceTimersByTime(2_000);
        await new Promise(setImmediate);
      }
    }),
  );
  expect(store).toHaveBeenCalledTimes(2);
  expect(beats).toEqual([undefined, undefined, { ended: ['csp-lda'] }]);
});
