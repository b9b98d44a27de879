import { formatUsd, prices } from '../../contract/prices.ts';
import type { Progress } from '../../embedded/progress.ts';
import { clock } from '../../embedded/progress.ts';
import type { CandidateState, MethodRow } from './response-types.ts';
import { createDemoClient } from './client.ts';
import { balancedAccuracy, formatReport } from './report.ts';
import { holdOut, takeTrials, type DemoRecording } from '../../recordings/trials.ts';

export interface DemoRun {
  readonly recording: DemoRecording;
  readonly apiUrl: string;
  readonly key: string;
  readonly terminal: Progress;
}

/**
 * The service's main job from a client's view: fit on some trials, read the report, label trials that were not used in
 * the fit.
 */
export async function runDemo({ recording, apiUrl, key, terminal }: DemoRun): Promise<void> {
  const client = createDemoClient(apiUrl, key);
  const { fit, kept, how } = holdOut(recording.trials);
  const [fitted, unseen] = [takeTrials(recording.trials, fit), takeTrials(recording.trials, kept)];
  terminal.line('');
  terminal.line(`Recording: ${recording.source}`);
  for (const note of recording.notes) terminal.line(`  ${note}`);
  terminal.line(
    `  ${fit.length} trials are sent to be fitted; ${kept.length} (${how}) are kept back to test the result.`,
  );
  terminal.line('');
  terminal.line(`POST ${apiUrl}/v1/task-models   "${recording.description}"`);

  const started = performance.now();
  const show = createCandidateDisplay(terminal);
  const ticking = setInterval(() => show.tick((performance.now() - started) / 1000), 500);
  const model = await client.create(fitted, recording.description, show.update).finally(() => clearInterval(ticking));
  const report = model.training_report;
  // A fast fit may end between two polls: the report has the candidates that no poll showed.
  show.update((report?.methods ?? []).flatMap(candidateOf));
  terminal.line(`Fitted in ${((performance.now() - started) / 1000).toFixed(1)} s: ${model.id}, ${model.status}`);
  terminal.line('');
  terminal.line('Training report');
  if (report) terminal.line(formatReport(report));

  if (unseen.labels.length) {
    const before = performance.now();
    const { data } = await client.predict(model.id, unseen);
    const milliseconds = performance.now() - before;
    const decided = data.map(({ label }) => label);
    const right = decided.filter((label, i) => label === unseen.labels[i]).length;
    terminal.line('');
    terminal.line(
      `Prediction of the ${unseen.labels.length} trials kept back (${milliseconds.toFixed(0)} ms): ${right} of ` +
        `${unseen.labels.length} right, measured balanced accuracy ` +
        balancedAccuracy(unseen.labels, decided).toFixed(3),
    );
    for (const { index, label, probabilities } of data.slice(0, 5)) {
      const chances = Object.entries(probabilities)
        .map(([name, value]) => `${name} ${value.toFixed(2)}`)
        .join(', ');
      terminal.line(
        `  trial ${index + 1}: ` +
          `${label}${label === unseen.labels[index] ? '' : ` (it was ${unseen.labels[index]})`}   ${chances}`,
      );
    }
    if (data.length > 5) terminal.line(`  … and ${data.length - 5} more`);
  }

  const { month } = await client.usage();
  terminal.line('');
  terminal.line(
    `Charged to the demo account (free credit of ${formatUsd(prices.newAccountCredit)}): ` +
      `$${month?.usd ?? '0.00'} = create ${month?.task_model_create_usd ?? '0.00'} ` +
      `+ hosting ${month?.task_model_hosting_usd ?? '0.00'} ` +
      `+ ${month?.windows ?? 0} prediction windows of ${formatUsd(prices.window)}`,
  );
}

/** Converts a row of the report to a candidate, if it was tried. */
function candidateOf({ id, title, status, balanced_accuracy: accuracy }: MethodRow): CandidateState[] {
  return status === 'skipped' ? [] : [{ method: id, title, status, balanced_accuracy: accuracy ?? null }];
}

const marks = { scored: '✓', failed: '✗', dropped: '–' } as const;

/** Prints each candidate when it is scored, and the current step as the status. */
function createCandidateDisplay(terminal: Progress) {
  const printed = new Set<string>();
  let running: string[] = [];
  let known = 0;
  return {
    update(candidates: readonly CandidateState[]): void {
      known = candidates.length;
      running = candidates.filter(({ status }) => status === 'running').map(({ title }) => title);
      for (const { method, title, status, balanced_accuracy: accuracy } of candidates) {
        if (printed.has(method) || status === 'running') continue;
        printed.add(method);
        terminal.line(`  ${marks[status]} ${title}${accuracy === null ? '' : `   ${accuracy.toFixed(3)}`}`);
      }
    },
    tick(seconds: number): void {
      const what = running.length
        ? `scoring ${running[0]}${running.length > 1 ? ` and ${running.length - 1} more` : ''}`
        : known
          ? 'choosing and fitting on all trials'
          : 'reading the trials';
      terminal.status(`  ${clock(seconds)}  ${printed.size}${known ? ` of ${known}` : ''} candidates scored; ${what}`);
    },
  };
}
