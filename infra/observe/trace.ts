/** Attributes of a span: ids, names defined here, numbers; never a body, a header, a key, a description or a label. */
export type SpanFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** A timed operation, as a child of the current span. */
export interface Span {
  set(fields: SpanFields): void;
  /** Runs work with this span as the current span. */
  within<T>(work: () => T): T;
  /** Ends the span once; `failed`: the name or code of the error; `at`: Unix milliseconds, default now. */
  end(failed?: string | null, at?: number): void;
}

export interface SpanStart {
  readonly fields?: SpanFields;
  readonly kind?: 'server' | 'client' | 'internal';
  /** Start in Unix milliseconds; default now. */
  readonly at?: number;
  /**
   * W3C `traceparent` of an external caller. The span links to it; it decides neither the trace id nor the sampling.
   */
  readonly callerTrace?: string;
}

/** Destination of spans; `infra/observe/otlp.ts` creates one. */
export interface Tracing {
  start(name: string, how: SpanStart): Span;
  /** Id of the current trace. */
  traceId(): string | undefined;
}

let tracing: Tracing | null = null;

/** Sets the destination of spans; null: none. */
export function traceWith(to: Tracing | null): void {
  tracing = to;
}

/** Whether tracing is on. Without it no tracing code is loaded or run. */
export const isTracing = (): boolean => tracing !== null;

/** Starts a span; null without tracing. */
export const startSpan = (name: string, how: SpanStart = {}): Span | null => tracing?.start(name, how) ?? null;

export const currentTrace = (): string | undefined => tracing?.traceId();

/** Runs work in a new span. */
export async function traced<T>(name: string, how: SpanStart, work: (span: Span | null) => Promise<T>): Promise<T> {
  const span = startSpan(name, how);
  if (!span) return await work(null);
  return await span.within(async () => {
    try {
      const result = await work(span);
      span.end();
      return result;
    } catch (error) {
      span.end(error instanceof Error ? error.name : 'Error');
      throw error;
    }
  });
}
