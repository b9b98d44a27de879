import { fitInSteps, methodOf } from '../methods/index.ts';
import type { Head, Method, Workspace } from '../methods/index.ts';
import { readableMembers } from '../methods/members.ts';
import { centreOf, centringOf, expensiveCentres } from '../methods/recentring.ts';
import { setsOf } from '../methods/sets.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { partsOf, temperaturesOf } from './opinion-pool.ts';
import { allWithoutArtefacts } from './without-artefacts.ts';
import type { Choice, CentrePart, FittedPart, RefitPart, TrainingData } from './types.ts';

/** Feature sets that a method reads from these data; for an average, those of its members. */
export const setsReadBy = (row: Method, data: TrainingData): readonly string[] =>
  (readableMembers(row, data)?.map(({ id, version }) => methodOf(id, version)) ?? [row]).flatMap((own) =>
    setsOf(own, data.features),
  );

/**
 * The refit of a choice, in independent parts: first the methods of each family with the centres of their sets, the
 * families with most sets first; then the centres that are separate work.
 */
export function refitParts(choice: Choice, data: TrainingData): readonly RefitPart[] {
  const { fitted } = partsOf(choice, data);
  const families = Map.groupBy(fitted.keys(), (m) => fitted[m].family);
  const known = new Set<string>();
  const dear: RefitPart[] = [];
  const parts = [...families].map(([family, methods]): RefitPart => {
    const centres: CentrePart[] = [];
    for (const m of methods) {
      const centring = centringOf(fitted[m]);
      for (const set of setsReadBy(fitted[m], data)) {
        if (known.has(`${centring} ${set}`)) continue;
        known.add(`${centring} ${set}`);
        const blocks = expensiveCentres(data, set, centring);
        if (blocks.length === 0) centres.push({ set, centring, block: null });
        for (const block of blocks) dear.push({ family: null, methods: [], centres: [{ set, centring, block }] });
      }
    }
    return { family, methods, centres };
  });
  const read = ({ methods }: RefitPart): number =>
    Math.max(...methods.flatMap((m) => setsReadBy(fitted[m], data).map((set) => data.features.sets[set].length)));
  return [...parts.toSorted((a, b) => read(b) - read(a)), ...dear];
}

/** Fits one part of a choice on all trials without artefacts. Yields after each method and centre. */
export function* fitPartInSteps(
  part: RefitPart,
  choice: Choice,
  data: TrainingData,
  workspace: Workspace,
): Steps<FittedPart> {
  const { fitted } = partsOf(choice, data);
  const rows = allWithoutArtefacts(data, workspace);
  const fit = (row: Method): Steps<Head> =>
    fitInSteps(row, { data, rows, workspace, ...(row.members && { temperatures: temperaturesOf(choice) }) });
  const heads: [number, Head][] = [];
  for (const m of part.methods) {
    heads.push([m, yield* fit(fitted[m])]);
    yield;
  }
  const centres: FittedPart['centres'][number][] = [];
  for (const own of part.centres) {
    const values = centreOf(data, own.set, rows, { workspace, centring: own.centring, block: own.block });
    if (values) centres.push({ ...own, values });
    yield;
  }
  return { heads, centres };
}

/** `fitPartInSteps` without pauses. */
export const fitPart = (...input: Parameters<typeof fitPartInSteps>): FittedPart => toEnd(fitPartInSteps(...input));
