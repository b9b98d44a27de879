import { exportDocument } from '../data/export-document.ts';
import { accountRoute } from '../route.ts';

export const exportRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/export',
    async handle({ pool }, session, { reply, download }) {
      const document = download(session.accountId, exportDocument(pool, session));
      const day = session.at.toISOString().slice(0, 10);
      reply.type('application/json; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="eeg-task-classifier-${day}.json"`);
      return document;
    },
  }),
];
