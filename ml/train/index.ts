/** Fitting, choosing, reporting and predicting: everything a job or a prediction does with features. */
export { completeCurve } from '../evidence/learning-curve.ts';
export { createWorkspace } from '../methods/index.ts';
export type { Workspace } from '../methods/index.ts';
export { chooseCandidate } from './choose.ts';
export { datasetShape, trainClassifier, trainingData } from './classifier.ts';
export { dropHopeless, scoreFirstFold } from './first-fold.ts';
export { fitWinner } from './fit.ts';
export { storedFormat } from './formats.ts';
export { measureGrowth } from './growth.ts';
export { learningPoint, shares } from './learning-curve.ts';
export { planFolds } from './plan.ts';
export { holdsPool, leadingOf, partsOf, poolId, withPool } from './pool.ts';
export { predictFeatures, predictTrials } from './predict.ts';
export type { PredictOptions } from './predict.ts';
export { buildReport } from './report.ts';
export { scoreCandidate } from './score.ts';
export { weigh } from './weigh.ts';
export type * from './types.ts';
