import { objectPrefixes, ownerOf } from '../../infra/contract/object-names.ts';
import { recordReconciled } from '../../infra/records/standing.ts';
import type { Tools } from '../tools.ts';
import type { ReconcileReport } from '../types.ts';

/** A step of the reconciler that writes down when it ended and how many problems it found. */
export const recorded =
  <Input extends { readonly at: number }, Report extends ReconcileReport>(
    { pool }: Pick<Tools, 'pool'>,
    step: string,
    run: (input: Input) => Promise<Report>,
    oldestStaged: () => Promise<Date | null> = async () => null,
  ) =>
  async (input: Input): Promise<Report> => {
    const report = await run(input);
    const problems = report.problems.length;
    await recordReconciled(pool, { step, at: new Date(input.at), problems, oldestStagedAt: await oldestStaged() });
    return report;
  };

/** When the oldest signal that is still staged was written, of those of the oldest hour; null where there is none. */
export async function oldestStagedAt({ objects }: Pick<Tools, 'objects'>): Promise<Date | null> {
  let first: string | null = null;
  let oldest: Date | null = null;
  for await (const { name, modifiedAt } of objects.walk(objectPrefixes.staged)) {
    if (!ownerOf(name)) continue;
    const folder = name.split('/', 2).join('/');
    first ??= folder;
    if (folder !== first) break;
    if (oldest === null || modifiedAt < oldest) oldest = modifiedAt;
  }
  return oldest;
}
