import type { RequestCode } from '../../../api/intake/request-sentences.ts';
import type { WarningCode } from '../../../ml/warning-sentences.ts';

/** How much a point about the trials matters, the most serious first. */
export const severities = ['doubt', 'mend', 'note'] as const;
export type Severity = (typeof severities)[number];

/** Heading of the points of each severity. */
export const severityTitles: Readonly<Record<Severity, string>> = {
  doubt: 'The score may be wrong',
  mend: 'What could be better',
  note: 'Good to know',
};

/** Findings of an estimate that have no sentence of the same name. */
type OwnCheck = 'artefacts' | 'label_order' | 'held_out_sessions' | 'sessions_and_classes';
type Name = WarningCode | RequestCode | OwnCheck;

const doubt: readonly Name[] = [
  'fit_will_fail', 'units', 'other_scale', 'rate', 'differing_labels', 'augmented_copies', 'altered_copies',
  'nothing_to_hold_out', 'one_class_each', 'hidden_sessions', 'class_in_one_block', 'label_order',
  'same_order_each_session', 'drift_each_session', 'small_sessions_only', 'single_class_sessions', 'sessions_needed',
  'sessions_and_classes', 'may_be_chance', 'control_eyes', 'control_muscles', 'control_mains', 'control_baseline',
  'eyes_of_people', 'swapped', 'recognised', 'only_aligned', 'other_length',
]; // prettier-ignore
const note: readonly Name[] = [
  'flat_trials', 'flat_left_out', 'flat_predicted', 'loud_trials', 'loud_left_out', 'restless_trials', 'artefacts',
  'overlapping_trials', 'overlap', 'line_noise', 'rank', 'imbalance', 'blocks_held_out', 'blocks_in_sessions',
  'small_sessions', 'optimistic', 'sample', 'recognised_left_out', 'recognised_learned_again', 'recognised_networks',
  'recognised_no_network', 'held_out_sessions', 'label_form', 'expires_at', 'positions_not_used', 'trial_length',
  'other_rate', 'encoder_failed', 'ignored_classes', 'other_people', 'flat_channels_fit', 'flat_channels_predicted',
  'better_unit', 'other_unit', 'control_without',
]; // prettier-ignore

const severityByName = new Map<string, Severity>([
  ...doubt.map((name) => [name, 'doubt'] as const),
  ...note.map((name) => [name, 'note'] as const),
]);

/** The severity of the sentences or checks of these names: that of the most serious. Most points can be mended. */
export function severityOf(names: readonly string[]): Severity {
  const all = new Set(names.map((name) => severityByName.get(name) ?? 'mend'));
  return severities.find((severity) => all.has(severity)) ?? 'note';
}
