/** Limits of one request, as in the documentation of the service. */
export declare const limits: {
    /** Largest trials × channels × samples, both at the rate sent and at `resampledHz`. */
    readonly numbersPerRequest: 4000000;
    /** Most windows. A trial counts as one window for each whole four seconds, at least one. */
    readonly windowsPerRequest: 4096;
    readonly windowSeconds: 4;
    /** Rate in Hz to which the service resamples. */
    readonly resampledHz: 256;
};
/** Size of a trial. */
export interface TrialSize {
    readonly channels: number;
    readonly samples: number;
    readonly samplingRateHz: number;
}
/** Windows of one trial, for the limit of a request and for the price. */
export declare function windowsPerTrial({ samples, samplingRateHz }: TrialSize): number;
/**
 * Largest number of trials of this size in one request. At least 1: the service itself refuses a trial that is too
 * large.
 */
export declare function trialsPerRequest(size: TrialSize): number;
