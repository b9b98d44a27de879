import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { beating } from '../../activities/beating.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('an attempt that has told nothing yet keeps what the one before it told', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const attempt = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: { ended: ['csp-lda'] } });
  const beats: unknown[] = [];
  attempt.on('heartbeat', (details) => beats.push(details));
  await attempt.run(() =>
    beating(async (_signal, tell) => {
      vi.advanceTimersByTime(2_000);
      tell({ ended: ['csp-lda', 'tangent-logistic'] });
      vi.advanceTimersByTime(2_000);
    }),
  );
  expect(beats).toEqual([{ ended: ['csp-lda'] }, { ended: ['csp-lda', 'tangent-logistic'] }]);
});
