import { ApiError } from '../../../infra/contract/errors.ts';
import { modelIdPattern } from '../../../infra/contract/model-id.ts';
import { sharedReport } from '../../../infra/contract/shared-report.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import {
  endShareLink,
  findShared,
  makeShareLink,
  shareLinksOf,
  type ShareLink,
} from '../../../infra/records/task-models/share-links.ts';
import type { EndedShareLink, NewShareLink, ShareLinkAnswer, ShareLinkList } from '../contract/responses.ts';
import { noSuchShare, requireSharedAttempt, sharedPath } from '../shared.ts';
import { accountRoute, anonymousRoute } from '../route.ts';

/** The visible fields of a share link, in the list and in the export. */
export const shownShare = ({ id, createdAt }: ShareLink): ShareLinkAnswer => ({
  share_id: id,
  created: createdAt.toISOString(),
});

const noSuchModel = (): ApiError =>
  new ApiError('NOT_FOUND', 'The account has no fitted model of this id.', { field: 'model_id' });

export const shareRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/models/:model_id/shares',
    async handle({ pool }, { accountId }, { params }): Promise<ShareLinkList> {
      return { data: (await shareLinksOf(pool, accountId, params['model_id']!)).map(shownShare) };
    },
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/models/:model_id/shares',
    status: 201,
    async handle({ pool }, { accountId, at }, { params }): Promise<NewShareLink> {
      const id = params['model_id']!;
      if (!modelIdPattern.test(id)) throw noSuchModel();
      const made = await transaction(pool, (sql) => makeShareLink(sql, accountId, id, at));
      if (!made) throw noSuchModel();
      return { ...shownShare(made), path: sharedPath(made.token) };
    },
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/shares/:share_id/end',
    async handle({ pool }, { accountId }, { params }): Promise<EndedShareLink> {
      const id = params['share_id']!;
      if (!(await endShareLink(pool, accountId, id)))
        throw new ApiError('NOT_FOUND', 'The account has no share link of this id.', { field: 'share_id' });
      return { share_id: id, ended: true };
    },
  }),
  anonymousRoute({
    signedIn: false,
    method: 'get',
    path: '/shared/:token',
    async handle(deps, { params, request, reply }) {
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
      await requireSharedAttempt(deps, request);
      const model = await findShared(deps.pool, params['token']!);
      if (!model?.trainingReport) throw noSuchShare();
      return sharedReport(model, model.trainingReport as Parameters<typeof sharedReport>[1]);
    },
  }),
];
