import { expect, test } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { jsonLog, logUntil, textLog } from '../../infra/observe/log.ts';

const key = `eeg_live_${'a'.repeat(16)}_${'b'.repeat(48)}`;

const jsonLines = (least: 'debug' | 'info' | 'warn' | 'error' = 'info') => {
  const lines: any[] = [];
  return { lines, log: jsonLog({ write: (line) => void lines.push(JSON.parse(line)) }, 'api', least) };
};

test('a JSON line holds level, time, service, words, ids and the fault', () => {
  const { lines, log } = jsonLines();
  log.error('INTERNAL in POST /v1/task-models', {
    request: 'req_1',
    error: new Error('outer', { cause: new Error('inner') }),
  });
  log.debug('not written');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 'error',
    service: 'api',
    msg: 'INTERNAL in POST /v1/task-models',
    request: 'req_1',
    error: { name: 'Error', message: 'outer', cause: { message: 'inner' } },
  });
  expect(new Date(lines[0].time).getFullYear()).toBeGreaterThan(2025);
  expect(lines[0].error.stack).toMatch(/^at .*log\.test\.ts/);
});

test('neither form writes keys, passwords, encoded signals, or the parts of a request that an error quotes', () => {
  const trials = Buffer.alloc(4_000, 7).toString('base64');
  const secrets = [
    `Authorization: Bearer ${key}`,
    `the key ${key} again`,
    `connect postgres://user:pass-word@10.0.0.1/db`,
    `x was ${trials}`,
  ];
  const { lines, log } = jsonLines('debug');
  const text: string[] = [];
  for (const each of [log, textLog((line) => text.push(line))]) {
    for (const secret of secrets) each.error(secret, { error: new Error(secret) });
    for (const Kind of [SyntaxError, class extends ApiError {}])
      each.warn('refused', {
        error:
          Kind === SyntaxError
            ? new SyntaxError('"my label" is wrong')
            : new ApiError('INVALID_REQUEST', '"my label" is wrong'),
      });
  }
  for (const written of [JSON.stringify(lines), text.join('\n')]) {
    expect(written).not.toMatch(/b{20}|pass-word|BwcHBwcH|my label/);
    expect(written).toContain('eeg_live_aaaaaaaaaaaaaaaa');
  }
});

test('a line of text adds the ids that its message lacks', () => {
  const text: string[] = [];
  textLog((line) => text.push(line)).info('Model clf_1 is gone.', { model: 'clf_1', request: 'req_2' });
  expect(text).toEqual(['Model clf_1 is gone. (request req_2)']);
});

test('levels below the minimum are not written, and nothing after the process ends', () => {
  const text: string[] = [];
  const end = new AbortController();
  const log = logUntil(
    textLog((line) => text.push(line), 'warn'),
    end.signal,
  );
  log.info('no');
  log.warn('yes');
  expect([log.writes('info'), log.writes('warn')]).toEqual([false, true]);
  end.abort();
  log.error('no');
  expect(text).toEqual(['yes']);
});
