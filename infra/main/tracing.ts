import type { Config } from '../drivers/config.ts';
import { traceTemporal } from '../drivers/temporal/observed.ts';
import type { Part } from './stops.ts';

/**
 * Exports traces to OTEL_EXPORTER_OTLP_ENDPOINT; without it no tracing code is loaded. Start it before the parts that
 * it traces, and stop it after them.
 */
export async function startTracing({ otlpEndpoint, serviceName }: Config, usualName: string): Promise<Part> {
  if (otlpEndpoint === null) return { stop: async () => undefined };
  const [{ startOtlp }, { OTLPTraceExporter }] = await Promise.all([
    import('../observe/otlp.ts'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint.replace(/\/$/, '')}/v1/traces` });
  const otlp = startOtlp({ service: serviceName ?? usualName, exporter });
  await traceTemporal(otlp);
  return {
    async stop() {
      await traceTemporal(null);
      await otlp.stop();
    },
  };
}
