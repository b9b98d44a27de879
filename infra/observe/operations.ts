import { objects } from './metrics.ts';
import type { Operation } from './noted.ts';
import { startSpan } from './trace.ts';

/** Measures a finished operation on the object store, and traces it as a child of the current span. */
export function recordOperation({ operation, kind, bytes, outcome, beganAt, endedAt }: Operation): void {
  objects.seconds.observe({ operation, outcome }, (endedAt - beganAt) / 1000);
  if (bytes > 0) objects.bytes.inc({ operation }, bytes);
  const fields = { 'eeg.object.kind': kind, 'eeg.object.bytes': bytes };
  startSpan(`store ${operation}`, { kind: 'client', at: beganAt, fields })?.end(
    outcome === 'failed' ? outcome : null,
    endedAt,
  );
}
