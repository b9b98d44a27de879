import { mlLimits } from '../limits.ts';
import { distance, headPositionOf } from './frames.ts';
import { canonicalName, type Position } from './template.ts';

/** Layout of methods with 19 fixed sites, in the order of the spec ("Fixed 19-site methods"). */
export const sites19: readonly string[] = 'Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2'.split(' ');

export interface FilledSites {
  /** For each of the 19 sites: the row that feeds it, or -1 if it has no signal. */
  readonly rows: readonly number[];
  /** Sites supplied by name. */
  readonly exact: readonly string[];
  /** Sites fed from another electrode, and how far away that is. */
  readonly borrowed: Readonly<Record<string, { readonly from: string; readonly millimetres: number }>>;
  readonly silent: readonly string[];
}

/**
 * Feeds the 19 sites from supplied electrodes: by name, else from the nearest one within 60 mm (`nearest`), else
 * silent. `positions` [channels × 3], metres, head frame, override the template's. With `reject` nothing is borrowed.
 */
export function fillSites19(
  names: readonly string[],
  positions?: readonly Position[],
  mode: 'nearest' | 'reject' = 'nearest',
): FilledSites {
  const canonical = names.map((name) => canonicalName(name) ?? name);
  const where = canonical.map((name, row) => positions?.[row] ?? headPositionOf(name));
  const exact: string[] = [];
  const silent: string[] = [];
  const borrowed: Record<string, { from: string; millimetres: number }> = {};
  const rows = sites19.map((site) => {
    const named = canonical.indexOf(site);
    if (named >= 0) {
      exact.push(site);
      return named;
    }
    const target = headPositionOf(site)!;
    let best = -1;
    let nearest = mlLimits.nearestSiteMillimetres / 1000;
    if (mode === 'nearest') {
      where.forEach((position, row) => {
        const metres = position ? distance(position, target) : Infinity;
        if (metres < nearest || (metres === nearest && best < 0)) [nearest, best] = [metres, row];
      });
    }
    if (best < 0) silent.push(site);
    else borrowed[site] = { from: canonical[best], millimetres: Math.round(nearest * 1e4) / 10 };
    return best;
  });
  return { rows, exact, borrowed, silent };
}
