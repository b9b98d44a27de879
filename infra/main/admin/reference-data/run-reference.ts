import { parseArgs } from 'node:util';
import { dataSets } from '../../../contract/reference-data/data-sets.ts';
import type { DataSet } from '../../../contract/reference-data/data-set-schema.ts';
import type { Config } from '../../../drivers/config.ts';
import type { Progress } from '../../../embedded/progress.ts';
import { ReferenceFault } from '../../../recordings/reference-data/fault.ts';
import { openReferenceSource, type ReferenceSource } from '../../../recordings/reference-data/source.ts';
import { describeDataSet } from './list.ts';
import { prepareTasks, type PreparingService } from './prepare.ts';
import { describeVerified, verifyDataSet } from './verify.ts';

const referenceHelp = `npm run reference -- COMMAND [DATA SET …] [--task ID] [--again]

  list      what the data sets are, their licences and citations, and how much of each lies on this machine
  prepare   has the running service bring the recordings here and make features of them, and shows how far it is; what
            is done stays done, and the service goes on when this command ends. --task: one task, as list names them;
            --again: also what is ready, because the source may hold more people now
  verify    holds what lies on this machine against the published hashes; exit code 1 where something is damaged

Data sets: ${dataSets.map(({ id }) => id).join(', ')}; all of them where none is named.
REFERENCE_DATA_URL names a mirror (https:) or a folder (file:) that has each file at folder/path of its data set:
eegmmidb/1.0.0/S001/S001R04.edf, nm000244/sub-1/ses-0/eeg/sub-1_ses-0_task-p300_run-0_eeg.bdf.`;

/** A mistake on the command line; its message is for the operator. */
export class ReferenceUsage extends Error {
  constructor(message: string) {
    super(`${message}\n\n${referenceHelp}`);
    this.name = 'UsageError';
  }
}

/** Some tasks of the data set were not prepared; each failure has been reported. */
class NotPrepared extends Error {
  constructor(failed: readonly string[]) {
    super(`${failed.length === 1 ? 'One task is' : `${failed.length} tasks are`} not prepared.`);
    this.name = 'UsageError';
  }
}

type Command = (set: DataSet, source: ReferenceSource, progress: Progress) => Promise<boolean>;

/** Commands. Each prints about one data set and returns whether all is well. */
const commands: Readonly<Record<string, Command>> = {
  async list(set, source, progress) {
    for (const line of await describeDataSet(set, source)) progress.line(line);
    return true;
  },
  async verify(set, source, progress) {
    const verified = await verifyDataSet(set, source, progress);
    for (const line of describeVerified(set, verified)) progress.line(line);
    return verified.damaged.length === 0;
  },
};

/**
 * Runs `npm run reference`. `connect` finds the running service. Throws ReferenceUsage, a ReferenceFault if recordings
 * are damaged, or a UsageError if a task could not be prepared.
 */
export async function runReference(
  args: readonly string[],
  config: Config,
  progress: Progress,
  connect: () => Promise<PreparingService>,
): Promise<void> {
  const { positionals, values } = readArguments(args);
  const [name, ...named] = positionals;
  if (values.help || name === undefined || name === 'help') {
    progress.line(referenceHelp);
    return;
  }
  const sets = dataSets.filter(({ id }) => named.length === 0 || named.includes(id));
  if (name !== 'prepare' && !Object.hasOwn(commands, name)) throw new ReferenceUsage(`There is no command "${name}".`);
  const unknown = named.find((id) => !dataSets.some((set) => set.id === id));
  if (unknown !== undefined) throw new ReferenceUsage(`There is no data set "${unknown}".`);
  if (name === 'prepare') return await prepare(sets, values, connect, progress);
  if (values.task !== undefined || values.again) throw new ReferenceUsage(`--task and --again belong to prepare.`);
  let well = true;
  for (const set of sets) {
    const source = openReferenceSource(set, { url: config.referenceDataUrl, cacheDir: config.cacheDir });
    well = (await commands[name](set, source, progress)) && well;
  }
  if (!well)
    throw new ReferenceFault(
      'not_the_published_file',
      'Recordings are damaged. Remove them: they are downloaded again where they are needed, or replaced by hand.',
    );
}

async function prepare(
  sets: readonly DataSet[],
  { task, again = false }: { task?: string | undefined; again?: boolean | undefined },
  connect: () => Promise<PreparingService>,
  progress: Progress,
): Promise<void> {
  const tasks = sets.flatMap((set) => set.tasks.map(({ id }) => id));
  if (task !== undefined && !tasks.includes(task))
    throw new ReferenceUsage(`There is no task "${task}", but ${tasks.join(', ')}.`);
  const service = await connect();
  try {
    const failed: string[] = [];
    for (const set of sets) failed.push(...(await prepareTasks(set, { task, again }, service, progress)));
    if (failed.length > 0) throw new NotPrepared(failed);
  } finally {
    await service.close();
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, task: { type: 'string' }, again: { type: 'boolean' } },
    });
  } catch (error) {
    throw new ReferenceUsage((error as Error).message);
  }
}
