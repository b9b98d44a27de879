/**
 * The pages of models, reports and recordings, with everything they share: one part of the bundle, so that a browser
 * loads it with few requests and the first page does not wait for it.
 */
export { default as Compare } from './models/compare.tsx';
export { default as Create } from './models/create.tsx';
export { default as List } from './models/list.tsx';
export { default as Model } from './models/model.tsx';
export { default as Sample } from './pages/sample.tsx';
export { default as Shared } from './pages/shared.tsx';
export { default as Usage } from './pages/usage/usage.tsx';
export { default as WithoutTrials } from './models/zero-shot/zero-shot.tsx';
