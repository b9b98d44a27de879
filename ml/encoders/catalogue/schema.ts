import { z } from 'zod';

const sentence = z.string().regex(/^[A-Z0-9][^\n]+\.$/, 'a sentence, from a capital letter to a full stop');
/** Words that continue a sentence after a colon. */
const clause = z.string().regex(/^[A-Za-z][^\n]+[^.]$/, 'words without a full stop');
const slug = z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'lower-case words joined by hyphens');
const web = z.url({ protocol: /^https$/ });
const hexadecimal = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
/** Part of a path: neither empty nor a step out of its folder. */
const pathPart = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'letters, digits, _, - and dots');

const licenceSchema = z.strictObject({
  spdx: z.string().min(1),
  name: z.string().min(1),
  url: web,
  /** True if the licence permits a paid prediction service to use the weights. */
  hostedUse: z.boolean(),
  /** Why it does not. */
  why: clause.optional(),
  /** Lines of its full text, as the authors publish it. */
  text: z.array(z.string()).min(5),
});

const fileSchema = z.strictObject({
  /** Folder of the model, below the root of a mirror, of a `file:` folder or of the downloads. */
  folder: pathPart,
  /** Name of the file in that folder. */
  path: pathPart,
  /** Where its authors publish it, unchanged as long as the address is; null: the file comes with the code. */
  address: web.nullable(),
  /** null: not known. */
  bytes: z.int().positive().nullable(),
  /** In hexadecimal; null: not known. */
  sha256: hexadecimal(64).nullable(),
  /** Git object id of the file: SHA-1 of `blob`, a space, its size, a zero byte, and its bytes; null: not known. */
  gitBlob: hexadecimal(40).nullable(),
  /** Files in the same folder that come with the code too, and without which the model is not tried. */
  beside: z.array(z.strictObject({ path: pathPart, bytes: z.int().positive(), sha256: hexadecimal(64) })).optional(),
  /** Source of the hashes. */
  hashesFrom: sentence,
  /** File of the archive with the tensors; null: the file itself. */
  member: z.string().min(1).nullable(),
  /** Key of the tensors in it; null: at its top level. */
  under: z.string().min(1).nullable(),
});

/** A pretrained model, as a JSON file in this folder describes it. */
export const cataloguedModelSchema = z
  .strictObject({
    id: slug,
    name: z.string().min(1),
    version: z.string().min(1),
    title: z.string().min(1),
    licence: licenceSchema,
    /** Training data, and what is known about their terms. */
    trainingData: z.array(sentence).min(1),
    citations: z.array(sentence).min(1),
    /** Page that describes it. */
    home: web,
    /** Path of its model card in this service. */
    card: z.string().startsWith('/docs/').optional(),
    file: fileSchema,
    /** Number of learned parameters that are used. */
    parameters: z.int().positive(),
    /** Length of the windows that it was trained on. */
    windowSeconds: z.number().positive(),
    rateHz: z.number().positive(),
    /** Which channels it reads. */
    channels: sentence,
    /** Default if MODELS_ENABLED is not set. */
    enabled: z.boolean(),
    /** Why it is off by default, although its licence permits it. */
    whyOff: clause.optional(),
  })
  .superRefine(({ licence, enabled, whyOff }, context) => {
    const fault = (message: string): void => context.addIssue({ code: 'custom', message });
    if (licence.hostedUse !== (licence.why === undefined)) fault('licence.why says why hosted use is not permitted');
    if (enabled && !licence.hostedUse) fault('what its licence forbids is not enabled');
    if ((whyOff !== undefined) !== (licence.hostedUse && !enabled)) fault('whyOff says why it is off by default');
  });

export type CataloguedModel = z.infer<typeof cataloguedModelSchema>;
