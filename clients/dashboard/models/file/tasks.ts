import { limits } from '../../../../infra/contract/limits.ts';
import { openRecordings } from '../../../../infra/recordings/open-recordings.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { envelopeOf, type Envelope } from '../label/envelope.ts';
import { partBody, planLabels, type LabelChoice, type Labelling, type LabelPlan } from '../label/parts.ts';
import { batchBody, createBody, type Details } from './body.ts';
import { cutFiles, type Choice, type Cut } from './cut.ts';
import { eventBeside, previewOf, type Preview, type PreviewOf } from './preview.ts';
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
  /** Each class was recorded in one block, so that time tells the classes apart. */
  readonly isBlocked: boolean;
}

/** Calls of the worker. Recordings and trials stay in the worker. */
export interface Tasks {
  /** Reads the files; `said`: answers of the person to what the files leave open. */
  open(files: readonly File[], said?: Said): Promise<FilesSummary>;
  /** The open files with other answers. Reads them again if the answers change their events. */
  describe(said: Said): Promise<FilesSummary>;
  preview(of: PreviewOf): Preview;
  eventBeside(file: number, of: Parameters<typeof eventBeside>[1]): number | null;
  cut(choice: Choice): CutSummary;
  create(details: Details, dryRun: boolean, batch?: number): string;
  batch(index: number): string;
  /** Plans the labelling of the first file. */
  planLabels(choice: LabelChoice): LabelPlan;
  /** Body of one request of the last plan. */
  labelBody(part: number): string;
  envelope(electrode: string, columns: number): Envelope;
}

/** Refuses files that a browser could not keep in memory beside the page. */
function requireReadable(files: readonly File[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.browserFileBytes)
    throw new Error(
      `The files have ${Math.ceil(bytes / 2 ** 20)} MiB. This page reads at most ` +
        `${limits.browserFileBytes / 2 ** 20} MiB: cut the recording, or use the command line.`,
    );
}

/** Answers that change what is read of a file, not only how its channels are named and scaled. */
const changesEvents = ['encoding', 'triggerChannel', 'rateHz'] as const;

async function bytesOf(files: readonly File[]): Promise<{ name: string; bytes: Uint8Array }[]> {
  const given: { name: string; bytes: Uint8Array }[] = [];
  for (const file of files) given.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  return given;
}
/** True if the trials of each class follow each other. */
const isBlocked = (labels: readonly string[]): boolean =>
  labels.filter((label, i) => i > 0 && label !== labels[i - 1]).length === new Set(labels).size - 1;

/** Creates the calls with their own recordings and trials. */
export function createTasks(): Tasks {
  let recordings: readonly NamedRecording[] = [];
  let chosen: readonly File[] = [];
  let saidSoFar: Said = {};
  let currentCut: Cut | null = null;
  const cutOf = (): Cut => {
    if (!currentCut) throw new Error('No trials have been cut yet.');
    return currentCut;
  };
  let labelling: Labelling | null = null;
  const openFiles = (): readonly NamedRecording[] => {
    if (recordings.length === 0) throw new Error('No recording is open.');
    return recordings;
  };
  const firstFile = (): NamedRecording => openFiles()[0];
  return {
    async open(files, said = {}) {
      recordings = [];
      currentCut = null;
      labelling = null;
      requireReadable(files);
      chosen = files;
      recordings = openRecordings(await bytesOf(files), said);
      saidSoFar = said;
      return summaryOf(recordings, said);
    },
    async describe(said) {
      openFiles();
      if (changesEvents.some((answer) => said[answer] !== saidSoFar[answer]))
        recordings = openRecordings(await bytesOf(chosen), said);
      saidSoFar = said;
      return summaryOf(recordings, said);
    },
    preview: (of) => previewOf(openFiles()[of.file], of),
    eventBeside: (file, of) => eventBeside(openFiles()[file], of),
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
        isBlocked: isBlocked(trials.labels),
      };
    },
    create: (details, dryRun, batch) => createBody(cutOf(), details, dryRun, batch),
    batch: (index) => batchBody(cutOf(), index),
    planLabels(choice) {
      labelling = null;
      labelling = planLabels(firstFile(), choice, saidSoFar);
      return labelling.plan;
    },
    labelBody(part) {
      if (!labelling) throw new Error('No trials have been chosen yet.');
      return partBody(labelling, part);
    },
    envelope: (electrode, columns) => envelopeOf(firstFile(), electrode, columns, saidSoFar),
  };
}
