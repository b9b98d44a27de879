import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sharedReport } from '../../infra/contract/shared-report.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';

const { training_report: report, ...resource } = JSON.parse(
  readFileSync(new URL('../../infra/recordings/sample/model.json', import.meta.url), 'utf8'),
);
const model = { ...resource, createdAt: new Date(0), fittedAt: null } as unknown as TaskModelRecord;

/** Sessions as the account pages name them: after files, some with brackets and spaces. */
const files = ['Anna S001R04.edf', 'Anna (2), so whole.edf', 'Anna (3).bdf'];

/** The plan of a fit whose trials have these sessions and labels. */
const planOf = (sessions: readonly number[], labels: readonly number[]) =>
  foldPlan(
    {
      labels: Int32Array.from(labels),
      classes: ['left', 'right'],
      sessions: Int32Array.from(sessions),
      sessionNames: files,
    },
    3,
  );

const alternating = (count: number): number[] => Array.from({ length: count }, (_, i) => i % 2);
const plans = {
  'sessions of one class': planOf(
    [...Array(20).fill(0), ...Array(20).fill(1), ...Array(20).fill(2)],
    [...Array(20).fill(0), ...Array(20).fill(1), ...Array(20).fill(0)],
  ),
  'small sessions': planOf([...Array(20).fill(0), ...Array(20).fill(1), 2, 2], alternating(42)),
  'one large session': planOf([...Array(30).fill(0), 1, 1, 2, 2], alternating(34)),
};

it.each(Object.entries(plans))('a shared report names no file: %s', (_case, plan) => {
  const { validation, warnings, description } = plan;
  const held = plan.folds.map(({ heldOut }) => [...heldOut]);
  const said = [description, ...warnings].join('\n');
  expect(said).toContain('Anna');
  const shared = sharedReport(model, {
    ...report,
    validation: { kind: validation, description, folds: 3, repeats: 1, held_out_sessions: held },
    warnings: [...warnings, 'In Anna S001R04.edf a channel is flat.'],
  });
  const text = JSON.stringify(shared);
  expect(text).not.toContain('Anna (');
  if (held.flat().length > 0) expect(text).not.toContain('Anna');
  expect(shared.training_report.warnings).toHaveLength(warnings.length + 1);
});

it('a field that is added to a report later is not shared by itself', () => {
  const shared = sharedReport(model, { ...report, new_field: 'secret', warnings: [] });
  expect(JSON.stringify(shared)).not.toContain('secret');
  expect(shared.training_report.balanced_accuracy).toBe(report.balanced_accuracy);
});
