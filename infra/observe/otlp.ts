import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Link,
} from '@opentelemetry/api';
import { Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { traceWith, type SpanFields, type SpanStart, type Tracing } from './trace.ts';

/** Attributes that may leave the process: our own, those of HTTP, and the names of workflows and activities. */
const allowed = /^(eeg\.|http\.(request\.method|route|response\.status_code)$)/;
const allowedNames = new Set(['workflowId', 'runId', 'workflowType', 'temporalActivityId', 'temporalWorkflowId']);

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * The parts of a span that are exported: name, times, parent and allowed attributes. Error messages are not exported,
 * because they may repeat a caller's data.
 */
function bare(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => allowed.test(name) || allowedNames.has(name)),
  );
  const events = span.events.map(({ name, time }) => ({ name, time }));
  const links = span.links.map((link) => ({ context: link.context }));
  const own = (value: unknown): PropertyDescriptor => ({ value, enumerable: true });
  return Object.create(span, {
    attributes: own(attributes),
    events: own(events),
    links: own(links),
    status: own({ code: span.status.code }),
  }) as ReadableSpan;
}

const withoutMessages = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(bare), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});

export interface Otlp {
  readonly processor: SpanProcessor;
  readonly resource: Resource;
  /** Exports the remaining spans and stops tracing. */
  stop(): Promise<void>;
}

const parentOf = (callerTrace: SpanStart['callerTrace']): { parent: Context; links: Link[] } => {
  if (callerTrace === undefined) return { parent: context.active(), links: [] };
  const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent: callerTrace }));
  return { parent: ROOT_CONTEXT, links: linked ? [{ context: linked }] : [] };
};

const defined = (fields: SpanFields = {}): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
  );

/** Traces this process and exports its spans in batches in the background. At most one tracer per process. */
export function startOtlp({ service, exporter }: { service: string; exporter: SpanExporter }): Otlp {
  const resource = new Resource({ 'service.name': service });
  const processor = new BatchSpanProcessor(withoutMessages(exporter));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  const tracer = provider.getTracer('eeg-task-classifier');
  const tracing: Tracing = {
    start(name, { fields, kind = 'internal', callerTrace, at }) {
      const { parent, links } = parentOf(callerTrace);
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: defined(fields), links, startTime: at },
        parent,
      );
      const inside = trace.setSpan(parent, span);
      return {
        set: (more) => void span.setAttributes(defined(more)),
        within: (work) => context.with(inside, work),
        end(failed = null, endedAt) {
          if (failed !== null) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            span.setAttribute('eeg.failed', failed);
          }
          span.end(endedAt);
        },
      };
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  };
  traceWith(tracing);
  return {
    processor,
    resource,
    async stop() {
      traceWith(null);
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
