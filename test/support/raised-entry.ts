import { raiseAnswer, raiseFamily, raiseMethod, raiseResampler } from './raise-versions.ts';

/**
 * The API's threads in a version of the service in which a method, a recipe, the resampler and the answer were raised.
 */
raiseMethod('tangent-logistic');
raiseFamily('cov');
raiseResampler();
raiseAnswer();
await import('../../api/threads/entry.ts');
