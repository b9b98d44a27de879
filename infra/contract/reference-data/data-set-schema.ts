import { z } from 'zod';

const sentence = z.string().regex(/^[A-Z][^\n]+\.$/, 'a sentence, from a capital letter to a full stop');
const slug = z.string().regex(/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/, 'lower-case words');
/** Part of a path: not empty, and it does not leave its folder. */
const pathPart = z.string().regex(/^[A-Za-z0-9][\w-]*$/, 'letters, digits, _ and -');
const web = z.url({ protocol: /^https$/ });

/** Recordings of `runs` in which `annotations` mark the trials of a class. */
const takeSchema = z.strictObject({
  runs: z.array(z.string()).min(1),
  /** Texts of annotations, or values of a status channel as text. */
  annotations: z.array(z.string()).min(1),
});

const classSchema = z.strictObject({
  id: slug,
  name: z.string().min(1),
  /** Task of the participant. */
  does: sentence,
  takes: z.array(takeSchema).min(1),
});

/**
 * How trials relate to annotations. `onset`: one trial per annotation, from `fromSeconds` after it. `span`: the marked
 * period is cut into consecutive trials as long as the caller's.
 */
const windowSchema = z.strictObject({
  cut: z.enum(['onset', 'span']),
  fromSeconds: z.number().min(0),
  /** The longest possible trial, from `fromSeconds`. */
  longestSeconds: z.number().positive(),
});

const taskSchema = z.strictObject({
  id: slug,
  name: z.string().min(1),
  kind: z.enum(['erp', 'motor', 'sleep', 'other']),
  window: windowSchema,
  classes: z.array(classSchema).min(2),
});

/** [person, run, bytes (null: not published), SHA-256 in hexadecimal] */
const fileRowSchema = z.tuple([pathPart, pathPart, z.int().positive().nullable(), z.string().regex(/^[0-9a-f]{64}$/)]);

/** A data set of reference recordings, as described by its file in this folder. */
export const dataSetSchema = z
  .strictObject({
    id: slug,
    version: z.string().min(1),
    name: z.string().min(1),
    licence: z.strictObject({ spdx: z.string().min(1), name: z.string().min(1), url: web }),
    citations: z.array(sentence).min(1),
    /** Page that describes the set. */
    home: web,
    /** Address of a file at its official site, with placeholders `{path}`, `{bytes}` and `{sha256}`. */
    address: web,
    /** Folder under the root of a mirror or of a `file:` folder; it contains the files at their paths. */
    folder: z.string().regex(/^(?!.*\.\.)[\w.-]+(?:\/[\w.-]+)*$/),
    rateHz: z.number().positive(),
    /** Electrodes that are used, by their names in the 10-05 system. */
    electrodes: z.array(z.string()).min(1),
    notes: z.array(sentence),
    /** Publisher of the hashes. */
    hashesFrom: sentence,
    /** People whose recordings are published but not used. */
    excluded: z.array(z.strictObject({ person: z.string().min(1), why: sentence })),
    tasks: z.array(taskSchema).min(1),
    /** Path of a file below the folder, with placeholders `{person}` and `{run}`. */
    path: z.string().regex(/^(?!\/)(?!.*\.\.).*\{run\}/),
    files: z.array(fileRowSchema).min(1),
  })
  .superRefine((set, context) => {
    const fault = (message: string): void => context.addIssue({ code: 'custom', message });
    const runs = new Set(set.files.map(([, run]) => run));
    const excluded = new Set(set.excluded.map(({ person }) => person));
    const seen = new Set<string>();
    for (const [person, run] of set.files) {
      if (excluded.has(person)) fault(`${person} is excluded and has files`);
      if (seen.has(`${person} ${run}`)) fault(`run ${run} of ${person} stands twice`);
      seen.add(`${person} ${run}`);
    }
    for (const { id, classes } of set.tasks) {
      if (new Set(classes.map((each) => each.id)).size < classes.length) fault(`classes of ${id} share an id`);
      const marks = classes.flatMap(({ takes }) =>
        takes.flatMap((take) => take.runs.flatMap((run) => take.annotations.map((text) => `${run} ${text}`))),
      );
      if (new Set(marks).size < marks.length) fault(`one annotation of ${id} is of two classes`);
      for (const run of classes.flatMap(({ takes }) => takes.flatMap((take) => take.runs)))
        if (!runs.has(run)) fault(`${id} takes run ${run}, of which there is no file`);
    }
    if (new Set(set.tasks.map(({ id }) => id)).size < set.tasks.length) fault('tasks share an id');
    for (const [, name] of set.address.matchAll(/\{(\w*)\}/g))
      if (!['path', 'bytes', 'sha256'].includes(name)) fault(`the address speaks of {${name}}`);
  });

export type DataSet = z.infer<typeof dataSetSchema>;
export type ReferenceTask = DataSet['tasks'][number];
