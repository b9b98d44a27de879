/** Nested lists [trials][channels][samples]. */
export type NestedTrials = readonly (readonly ArrayLike<number>[])[];
/** Trials of the caller: nested lists, or one typed array with its `shape`. */
export interface TrialsInput {
    readonly x: NestedTrials | Float32Array | Float64Array;
    /** [trials, channels, samples]; required with a typed array. */
    readonly shape?: readonly [number, number, number] | readonly number[] | null;
}
/** Trials in one float32 array, [trials × channels × samples]. */
export interface PackedTrials {
    readonly values: Float32Array;
    readonly trials: number;
    readonly channels: number;
    readonly samples: number;
}
/**
 * Puts trials into one float32 array. Throws RefusedError, which names the place, if the lists have different lengths,
 * a number is not finite, or `shape` does not match.
 */
export declare const packTrials: ({ x, shape }: TrialsInput) => PackedTrials;
/** Copies the trials at these indices, in that order. */
export declare function takeTrials({ values, channels, samples }: PackedTrials, indices: readonly number[]): PackedTrials;
/** The fields `x` and `shape` of a request; `x` is base64 of little-endian float32. */
export declare function encodeTrials(packed: PackedTrials): {
    x: string;
    shape: [number, number, number];
};
