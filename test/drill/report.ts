import { table } from '../bench/tables.ts';
import type { DrillReport } from './drill.ts';
import { temporalVersion, type Programs } from './programs.ts';

const shares = (of: Readonly<Record<string, number>>, digits: number): string =>
  Object.entries(of)
    .filter(([, each]) => each >= 0.01)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([name, each]) => `${name} ${each.toFixed(digits)}`)
    .join(', ');

/** The report as markdown. */
export function reportText(report: DrillReport, { buildSeconds }: Programs, cores: number): string {
  const { answered, recoveries, rollouts, restore, levels, board, alerts } = report;
  const sections = [
    `# What the drill showed\n\n\`npm run drill\` on ${cores} cores: ${report.seconds.toFixed(0)} s` +
      (buildSeconds > 0
        ? `, after a build of ${buildSeconds.toFixed(0)} s`
        : ', with programs that were built before') +
      `. Two APIs, a light and heavy workers on Postgres 18 with a log archive, PgBouncer, Temporal ${temporalVersion} ` +
      `on Postgres, and an S3 server. The cluster served after ${report.startSeconds.toFixed(0)} s. Under load ` +
      `${answered.creates} creates and ${answered.predictions} predictions were answered, each charged once; ` +
      `\`ledger check --all\` found no fault in ${report.transactions} transactions.`,
    `## Recovery after kill -9, in seconds\n\nA killed server stays away for 1 s.\n\n` +
      table(
        ['part', 'all ready and serving', 'first prediction', 'first create', 'longest time without a prediction'],
        recoveries.map(({ part, ready, predict, create, gap }) => [part, ready, predict, create, gap]),
        1,
      ),
  ];
  if (rollouts)
    sections.push(
      `## Update while serving, in seconds\n\nThe next build has one more migration and one more step of each fit.\n\n` +
        table(
          ['to build', 'all processes replaced', 'longest time without a prediction'],
          rollouts.map(({ build, seconds, gap }, at) => [`${build} (${at ? 'back' : 'forward'})`, seconds, gap]),
          1,
        ),
    );
  if (restore)
    sections.push(
      `## Restore to an instant\n\n${restore.seconds.toFixed(0)} s from the loss of every server to the first answer of ` +
        `another site. ${restore.lost} answers after the instant are gone, as they should be. Wallets, models, answers and ` +
        'the hash chain are those of the instant.',
    );
  if (levels)
    sections.push(
      `## First bottleneck\n\n${report.bottleneck}\n\n` +
        table(
          ['callers', 'predictions/s', 'median ms', '95 % ms', 'cores by part', 'busy Postgres sessions wait for'],
          levels.map((each) => [
            String(each.callers),
            each.perSecond,
            each.medianMs,
            each.p95Ms,
            shares(each.cores, 2),
            shares(each.waits, 2),
          ]),
          1,
        ),
    );
  if (board) {
    const empty = board.filter(({ series }) => series === 0).map(({ title }) => title);
    sections.push(
      `## Board and alerts\n\nPrometheus answered all ${board.length} queries of the board. ` +
        (empty.length ? `Without data: ${[...new Set(empty)].join('; ')}. ` : '') +
        `Alerts after the kills and updates: ${alerts!.length ? alerts!.join(', ') : 'none'}.`,
    );
  }
  sections.push(
    `## Results of attempts\n\n${table(
      ['result', 'attempts'],
      Object.entries(report.seen).map(([result, count]) => [result, String(count)]),
    )}`,
  );
  return `${sections.join('\n\n')}\n`;
}
