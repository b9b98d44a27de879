import { describe, expect, it } from 'vitest';
import { hostNameOf, isLoopbackHost, mayReadMetrics } from '../../infra/observe/access.ts';

describe('the Host of a request', () => {
  it.each([
    ['127.0.0.1:8080', '127.0.0.1'],
    ['[::1]:8080', '::1'],
    ['LocalHost', 'localhost'],
    ['api-1.:80', 'api-1'],
    [undefined, null],
    ['', null],
    ['evil.example@127.0.0.1', null],
    ['127.0.0.1/evil', null],
    ['a b', null],
  ])('%j names %j', (header, name) => {
    expect(hostNameOf(header)).toBe(name);
  });

  it('is this machine by a loopback address or localhost, and by no name that resolves to it', () => {
    for (const host of ['127.0.0.1:1', '127.9.9.9', '[::1]', 'localhost:8233', 'a.localhost'])
      expect(isLoopbackHost(host), host).toBe(true);
    for (const host of ['evil.example:8233', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', undefined])
      expect(isLoopbackHost(host), host).toBe(false);
  });
});

describe('metrics', () => {
  const may = (host: string | undefined, address = '127.0.0.1') =>
    mayReadMetrics({ address, host }, { metricsAllow: ['10.0.0.0/8'], metricsHosts: ['api-1', 'worker.eeg.svc'] });

  it('are read under an address, localhost and the names of METRICS_HOSTS', () => {
    for (const host of [
      '127.0.0.1:8080',
      '10.2.3.4:8080',
      '[fd00::1]:9090',
      'localhost',
      'api-1:8080',
      'worker.eeg.svc',
    ])
      expect(may(host), host).toBe(true);
    expect(may('10.2.3.4', '10.9.9.9')).toBe(true);
  });

  it('are refused under any other name, whose page a browser of this machine may show (DNS rebinding)', () => {
    for (const host of ['evil.example', 'evil.example:8080', 'api-2:8080', undefined])
      expect(may(host), host).toBe(false);
    expect(may('10.2.3.4', '192.0.2.1')).toBe(false);
  });
});
