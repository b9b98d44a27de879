import type { JobsAnswer } from '../../../../api/account/contract/responses.ts';
import { read } from '../../fetch.ts';
import type { TaskModelAnswer } from '../response-types.ts';

const everyMs = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, everyMs));

const jobs = async (): Promise<JobsAnswer['data']> =>
  await read<JobsAnswer>('/jobs').then(
    ({ data }) => data,
    () => [],
  );

/**
 * Begins a create, and gives the id of its model as soon as its fit is listed, so that the page of the model can show
 * the scores as they arrive. Without a listed fit: when the create has ended. Throws what the create throws.
 */
export async function idOfCreate(
  create: () => Promise<TaskModelAnswer>,
  { name, description }: { readonly name: string | null; readonly description: string },
): Promise<string> {
  const before = new Set((await jobs()).map(({ job_id: id }) => id));
  const progress = { ended: false };
  const end = create()
    .then(({ id }) => id)
    .finally(() => (progress.ended = true));
  const watch = async (): Promise<string> => {
    while (!progress.ended) {
      const own = (await jobs()).find(
        (job) => !before.has(job.job_id) && job.name === name && job.description === description,
      );
      if (own) return own.model_id;
      await pause();
    }
    return await end;
  };
  return await Promise.race([end, watch()]);
}
