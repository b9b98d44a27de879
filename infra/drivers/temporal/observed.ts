import { createRequire } from 'node:module';
import type { ClientInterceptors } from '@temporalio/client';
import type * as openTelemetry from '@temporalio/interceptors-opentelemetry';
import type { InjectedSinks, Worker, WorkerInterceptors } from '@temporalio/worker';
import { activities, onScrape } from '../../observe/metrics.ts';
import type { Otlp } from '../../observe/otlp.ts';

const { resolve } = createRequire(import.meta.url);

type OpenTelemetry = typeof openTelemetry;

interface Tracer {
  readonly otlp: Pick<Otlp, 'processor' | 'resource'>;
  readonly openTelemetry: OpenTelemetry;
}

let tracer: Tracer | null = null;

/** Turns tracing on for clients, workers and workflows that are created later; null: off. */
export async function traceTemporal(otlp: Tracer['otlp'] | null): Promise<void> {
  tracer = otlp === null ? null : { otlp, openTelemetry: await import('@temporalio/interceptors-opentelemetry') };
}

/** Traces a client's calls of workflows. */
export const clientInterceptors = (): ClientInterceptors | undefined =>
  tracer ? { workflow: [new tracer.openTelemetry.OpenTelemetryWorkflowClientInterceptor()] } : undefined;

/** Modules for the bundle of workflows that trace them. */
export const workflowModules = (): string[] =>
  tracer ? [resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')] : [];

/** Measures and traces the activities of a worker, and exports the traces of its workflows. */
export function workerObservers(): { interceptors: WorkerInterceptors; sinks: InjectedSinks<never> } {
  const traced = tracer;
  return {
    sinks: (traced
      ? { exporter: traced.openTelemetry.makeWorkflowExporter(traced.otlp.processor, traced.otlp.resource) }
      : {}) as InjectedSinks<never>,
    interceptors: {
      activity: [
        (context) => ({
          inbound: {
            async execute(input, next) {
              const began = performance.now();
              let outcome = 'failed';
              try {
                const result = await next(input);
                outcome = 'ok';
                return result;
              } finally {
                const activity = context.info.activityType;
                activities.seconds.observe({ activity, outcome }, (performance.now() - began) / 1000);
              }
            },
          },
        }),
        ...(traced
          ? [
              (context: ConstructorParameters<OpenTelemetry['OpenTelemetryActivityInboundInterceptor']>[0]) => ({
                inbound: new traced.openTelemetry.OpenTelemetryActivityInboundInterceptor(context),
              }),
            ]
          : []),
      ],
    },
  };
}

/** Updates the gauges of a running worker until the returned function is called, which sets them to 0. */
export function measureWorker(queue: string, worker: Pick<Worker, 'getStatus' | 'getState'>): () => void {
  const forget = onScrape(() => {
    const { numInFlightActivities, numCachedWorkflows } = worker.getStatus();
    activities.polling.set({ queue }, worker.getState() === 'RUNNING' ? 1 : 0);
    activities.running.set({ queue }, numInFlightActivities);
    activities.workflows.set({ queue }, numCachedWorkflows);
  });
  return () => {
    forget();
    for (const each of [activities.polling, activities.running, activities.workflows]) each.set({ queue }, 0);
  };
}
