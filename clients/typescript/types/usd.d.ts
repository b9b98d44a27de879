/** Micro-dollars of an amount in USD, such as "2.00". Throws RefusedError for any other text. */
export declare function microUsd(text: string): bigint;
/** An amount of micro-dollars in USD, with two to six decimals. */
export declare function formatUsd(amount: bigint): string;
/** Throws RefusedError if the cost in micro-dollars is more than `maxUsd`; without it, every cost is allowed. */
export declare function requireAtMost(cost: bigint, maxUsd: number | string | undefined): void;
