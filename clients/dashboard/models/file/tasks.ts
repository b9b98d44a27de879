import { readRecording } from '../../../../infra/recordings/edf/read-recording.ts';
import { batchBody, createBody, type Details } from './body.ts';
import { cutFiles, type Choice, type Cut } from './cut.ts';
import { summaryOf, type FilesSummary, type NamedRecording } from './summary.ts';

/** Summary of the cut trials. */
export interface CutSummary {
  readonly trialsPerClass: Readonly<Record<string, number>>;
  readonly samples: number;
  readonly rateHz: number;
  readonly channels: number;
  readonly notes: readonly string[];
  /** Trials of each request. */
  readonly batches: readonly number[];
  /** Billed windows of all trials. */
  readonly windows: number;
}

/** Calls of the worker. Recordings and trials stay in the worker. */
export interface Tasks {
  open(files: readonly File[]): Promise<FilesSummary>;
  cut(choice: Choice): CutSummary;
  create(details: Details, dryRun: boolean): string;
  batch(index: number): string;
}

/** Reads one file. Errors name the file. */
async function readFile(file: File): Promise<NamedRecording> {
  try {
    return { name: file.name, recording: readRecording(new Uint8Array(await file.arrayBuffer())) };
  } catch (cause) {
    throw new Error(`${file.name} cannot be read. ${(cause as Error).message}`, { cause });
  }
}

/** Creates the calls with their own recordings and trials. */
export function createTasks(): Tasks {
  let recordings: readonly NamedRecording[] = [];
  let currentCut: Cut | null = null;
  const cutOf = (): Cut => {
    if (!currentCut) throw new Error('No trials have been cut yet.');
    return currentCut;
  };
  return {
    async open(files) {
      recordings = [];
      currentCut = null;
      const opened: NamedRecording[] = [];
      for (const file of files) opened.push(await readFile(file));
      recordings = opened;
      return summaryOf(recordings);
    },
    cut(choice) {
      currentCut = cutFiles(recordings, choice);
      const { trials, notes, batches, windowsPerTrial } = currentCut;
      const trialsPerClass: Record<string, number> = {};
      for (const label of trials.labels) trialsPerClass[label] = (trialsPerClass[label] ?? 0) + 1;
      return {
        trialsPerClass,
        samples: trials.samples,
        rateHz: trials.rateHz,
        channels: trials.channels.length,
        notes,
        batches: batches.map((rows) => rows.length),
        windows: trials.labels.length * windowsPerTrial,
      };
    },
    create: (details, dryRun) => createBody(cutOf(), details, dryRun),
    batch: (index) => batchBody(cutOf(), index),
  };
}
