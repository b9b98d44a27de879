import { bundlePages } from '../../api/pages/bundle.ts';
import { startPagesService } from '../support/pages-service.ts';

/** The process that `pages.ts` starts: the service with an account, listening. Its pages are made while it starts. */
const [service] = await Promise.all([startPagesService(), bundlePages()]);
const link = await service.link('sign_in', await service.account('bench@example.org'));
process.send!({ origin: service.origin, link });
process.once('message', () => void service.close().then(() => process.exit(0)));
