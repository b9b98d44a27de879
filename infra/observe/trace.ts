/** What a span may say: ids, names of our own, numbers; never a body, a header, a key, a description or a label. */
export type SpanFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Something that takes time, as part of what runs around it. */
export interface Span {
  set(fields: SpanFields): void;
  /** Runs work so that what it starts belongs to this span. */
  within<T>(work: () => T): T;
  /** Ends it once; `failed`: the kind of error, as a name or a code of ours; `at`: Unix milliseconds, default now. */
  end(failed?: string | null, at?: number): void;
}

export interface SpanStart {
  readonly fields?: SpanFields;
  readonly kind?: 'server' | 'client' | 'internal';
  /** When it began, Unix milliseconds; default now. */
  readonly at?: number;
  /** W3C `traceparent` of who asked from outside: it is linked to, and decides neither trace nor sampling. */
  readonly asker?: string;
}

/** Where spans go; `infra/observe/otlp.ts` makes one. */
export interface Tracing {
  start(name: string, how: SpanStart): Span;
  /** Id of the trace that runs here. */
  traceId(): string | undefined;
}

let tracing: Tracing | null = null;

/** From now on spans go there; null: nowhere. */
export function traceWith(to: Tracing | null): void {
  tracing = to;
}

/** Whether spans go anywhere; where they do not, nothing of tracing is loaded or done. */
export const isTracing = (): boolean => tracing !== null;

/** A span that begins now, or null where there is no tracing. */
export const startSpan = (name: string, how: SpanStart = {}): Span | null => tracing?.start(name, how) ?? null;

export const currentTrace = (): string | undefined => tracing?.traceId();

/** Runs work in a span of its own. */
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
