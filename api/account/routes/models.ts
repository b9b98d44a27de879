import { findModel } from '../../../infra/records/task-models/models.ts';
import { statusAt } from '../../../infra/contract/lifecycle.ts';
import { modelIdPattern } from '../../../infra/contract/model-id.ts';
import type { ModelStateAnswer } from '../contract/responses.ts';
import { accountRoute } from '../route.ts';

export const modelRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/models/:model_id/state',
    /** The page of a model asks this first, so that it never asks `/v1` for a model that is not there. */
    async handle({ pool }, { accountId, at }, { params }): Promise<ModelStateAnswer> {
      const id = params['model_id']!;
      const record = modelIdPattern.test(id) ? await findModel(pool, accountId, id) : null;
      return record ? { mode: record.mode, status: statusAt(record, at) } : { mode: null, status: null };
    },
  }),
];
