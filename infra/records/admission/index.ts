export { createAdmissionQueue } from './admission-queue.ts';
export type { AdmissionQueue } from './admission-queue.ts';
export type { Admission, AdmissionRequest, Admitted, Credential, Funds, RateState, Refused } from './admit.ts';
export {
  beginIdempotency,
  finishIdempotency,
  freeIdempotency,
  letGoIdempotency,
  setIdempotentJob,
  storedAnswer,
} from './idempotency.ts';
export type { Begun, IdempotentJob, StoredAnswer } from './idempotency.ts';
export { createLeaseKeeper, releaseLease } from './leases.ts';
export type { LeaseKeeper } from './leases.ts';
export { reapAdmission } from './reap-admission.ts';
export { loggedRequests, reapRequestLog } from './request-log.ts';
export type { LogFilter, LoggedRequest, LogPage } from './request-log.ts';
export { readServing, setServing } from './serving.ts';
export type { ServingState } from './serving.ts';
export { usageByDay } from './usage-by-day.ts';
export type { UsageDay } from './usage-by-day.ts';
export {
  countEstimate,
  countFinalEstimate,
  countWaitingEstimate,
  endWait,
  finishRequest,
  recordUsage,
} from './usage.ts';
export type { UsageCounts, UsageEvent } from './usage.ts';
export { usageReport } from './usage-report.ts';
export type { UsageReport } from './usage-report.ts';
