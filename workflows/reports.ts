import type { ReconcileReport } from '../activities/activities.ts';

/** Most lines of a report that a history keeps. */
const mostLines = 50;

export const emptyReport: ReconcileReport = { healed: [], problems: [], more: 0 };

/** Both reports as one of bounded size; `more` counts the lines that are left out. */
export function addReports(a: ReconcileReport, b: ReconcileReport): ReconcileReport {
  const healed = [...a.healed, ...b.healed];
  const problems = [...a.problems, ...b.problems];
  const left = Math.max(0, healed.length - mostLines) + Math.max(0, problems.length - mostLines);
  return {
    healed: healed.slice(0, mostLines),
    problems: problems.slice(0, mostLines),
    more: (a.more ?? 0) + (b.more ?? 0) + left,
  };
}
