import { z } from 'zod';

export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const readinessCheck = z
  .object({
    status: z.enum(['ok', 'failing']),
    reason: z.string().optional().meta({ description: 'Why it fails, in words.' }),
  })
  .meta({ id: 'ReadinessCheck' });

export const ready = z
  .object({
    status: z.enum(['ready', 'starting', 'unavailable']),
    checks: z.object({
      database: readinessCheck,
      temporal: readinessCheck,
      store: readinessCheck,
      threads: readinessCheck,
    }),
  })
  .meta({ id: 'Readiness' });

export const pretrainedModel = z
  .object({
    id: z.string(),
    title: z.string(),
    status: z.enum(['ready', 'not_installed', 'off', 'unusable', 'forbidden']).meta({
      description:
        '`ready`: its weights are installed here. It is tried if the trials permit it and every worker has the weights. ' +
        '`not_installed`: the machine that answers does not have its weights. `off`: the operator or the catalogue has switched it off. `unusable`: no hash of its weights is ' +
        'known. `forbidden`: its licence permits no hosted use.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it is not tried, in words; null where it is.' }),
    card: z
      .string()
      .nullable()
      .meta({ description: 'Path of its model card in this service; null where it has none.' }),
  })
  .meta({ id: 'PretrainedModel' });

export const serviceStatus = z
  .object({
    object: z.literal('status'),
    serving: z.boolean(),
    message: z.string(),
    version: z.string(),
    pretrained_models: z.array(pretrainedModel).meta({
      description:
        'Pretrained models that may compete with the classical methods in a create. Where none is `ready`, the ' +
        'classical methods alone do.',
    }),
  })
  .meta({ id: 'Status' });
