import { limits } from '../../infra/contract/limits.ts';
import { prices } from '../../infra/contract/prices.ts';

/**
 * Prints the interface description and the documentation with other prices and limits than the service has. A process
 * of its own, since
 * modules read the tables as they load.
 */
Object.assign(prices, { createFee: 11_000_000n, hostingMonth: 12_000_000n, window: 13_000n });
Object.assign(limits, {
  numbersPerRequest: 5_111_111,
  bodyBytes: 71 * 1024 * 1024,
  minClasses: 72,
  minTrialsPerClass: 73,
  nearestSiteMillimetres: 74,
  rateWindowSeconds: 75,
  collectingDays: 76,
  hostingDays: 77,
  testModelDays: 78,
  idempotencyKeyDays: 79,
});
const { openApiDocument } = await import('../../api/docs/openapi.ts');
const { operations } = await import('../../api/routes/routes.ts');
const { docsPages, renderPage } = await import('../../api/docs/site.ts');
process.stdout.write(JSON.stringify(openApiDocument(operations)) + docsPages.map(renderPage).join(''));
