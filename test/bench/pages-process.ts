import { startPagesService } from '../support/pages-service.ts';

/** The process that `pages.ts` starts: the service with an account, listening, its pages not made yet. */
const service = await startPagesService();
const link = await service.link('sign_in', await service.account('bench@example.org'));
process.send!({ origin: service.origin, link });
process.once('message', () => void service.close().then(() => process.exit(0)));
