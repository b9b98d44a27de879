import { raiseFamily, raiseMethod, raiseResampler } from './raise-versions.ts';

/** The API's threads in a version of the service in which a method, a recipe and the resampler were raised. */
raiseMethod('tangent-logistic');
raiseFamily('cov');
raiseResampler();
await import('../../api/threads/entry.ts');
