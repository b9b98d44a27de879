/** From the bytes of a request to validated fields and scaled numbers. Resampling happens in `api/threads/intake.ts`. */
export { parseBody } from './parse.ts';
export { refusal, type Problem, type Refusal } from './problems.ts';
export { readTrials, schemas, type Envelope, type TrialsRead, type What } from './read-trials.ts';
export { readZeroShot, type ZeroShotRead } from './read-zero-shot.ts';
export { signalReport } from './signal-report.ts';
export { headPositions } from './positions.ts';
export { contextsOf, recordingsOf, sessionsOf, type Grouping } from './grouping.ts';
export { windowsOf } from './size.ts';
export { classCounts, labelWarnings } from './class-counts.ts';
