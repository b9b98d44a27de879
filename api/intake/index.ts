/**
 * From the bytes of a request to validated fields and scaled numbers. Resampling happens in `api/threads/intake.ts`.
 */
export { headPositions } from './channels.ts';
export { expiryWarnings } from './expiry.ts';
export { nothingToRead } from './flat.ts';
export { contextsOf, recordingsOf, sessionsOf } from './grouping.ts';
export { labelFindings } from './labels.ts';
export { parseBody } from './parse.ts';
export { refusal, type Problem, type Refusal, type Sent } from './problems.ts';
export { readKnown, rememberRead } from './read-known.ts';
export { readTrials, type Envelope, type What } from './read-trials.ts';
export { readZeroShot } from './read-zero-shot.ts';
export { scan } from './scan.ts';
export { signalReport, windowsOf } from './signal.ts';
