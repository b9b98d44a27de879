import { linksAt } from '../evidence/chains.ts';
import { foldWarnings } from '../evidence/folds.ts';
import { hiddenSessions } from '../evidence/hidden-sessions.ts';
import { levelsAt } from '../fingerprints.ts';
import { fingerprintsOf } from '../signal/index.ts';
import { linksIn } from './links-in.ts';
import type { Checked } from './types.ts';

const known = new WeakMap<Checked, readonly string[]>();

/** Names of a whole fit's sessions; empty if the caller named fewer than two. */
export function sessionsOf({ sessions, whole }: Checked): readonly string[] {
  const names = [...new Set(sessions?.map((name) => name ?? ''))].sort();
  return whole && names.length > 1 ? names : [];
}

/**
 * Warnings of the fold plan of a whole fit about sessions and the order of labels, planned once for all checks. Flat
 * trials are not in the plan.
 */
export function heldOutWarnings(checked: Checked): readonly string[] {
  const warnings = known.get(checked) ?? planned(checked);
  known.set(checked, warnings);
  return warnings;
}

function planned(checked: Checked): readonly string[] {
  const { trials, labels, sessions, whole } = checked;
  if (!whole || !labels) return [];
  const flat = new Set(trials.flat);
  const live = Int32Array.from(labels.keys()).filter((row) => !flat.has(row));
  const classes = [...new Set(Array.from(live, (row) => labels[row]))].sort();
  if (classes.length < 2) return [];
  const sessionNames = sessionsOf(checked);
  const own = live.map((row) => classes.indexOf(labels[row]));
  const form = { classes: classes.length, seconds: trials.samples / trials.rateHz };
  const found = sessionNames.length > 0 ? null : hiddenSessions(levelsAt(fingerprintsOf(trials), live), own, form);
  return foldWarnings({
    labels: own,
    classes,
    sessions:
      sessionNames.length > 0 ? live.map((row) => sessionNames.indexOf(sessions![row] ?? '')) : (found?.of ?? null),
    sessionNames,
    ...(found && { foundSessions: found.starts }),
    links: linksAt(linksIn(trials), live),
  });
}
