import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { installedWeightsPins } from '../../ml/pins/index.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';
import type { Log } from '../observe/log.ts';
import { forgetWeightsReport, reportWeights, reportWeightsMs, type ReporterRole } from '../records/weights-reports.ts';
import { startBeats } from './beats.ts';

/**
 * Reports to the other processes, at intervals until `stop`, which pretrained weights this process has. A failed report
 * is logged once and repeated at the next interval.
 */
export async function keepReportingWeights(
  sql: Pick<Sql, 'query'>,
  role: ReporterRole,
  log: Pick<Log, 'warn'>,
): Promise<{ stop(): Promise<void> }> {
  const name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const report = (): Promise<void> => reportWeights(sql, { process: name, role, weights: installedWeightsPins() });
  const warning = 'This process could not report to others which pretrained weights it has.';
  const beats = await startBeats(report, { everyMs: reportWeightsMs, warning, log });
  return { stop: () => beats.stop(() => forgetWeightsReport(sql, name)) };
}
