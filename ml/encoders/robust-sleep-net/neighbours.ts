/** Epochs on either side that an epoch is read with: of few epochs on, five in all told stages best. */
export const reach = 2;

/**
 * For each of `count` epochs of a recording the rows that it is read with, itself in the middle; at both ends the order
 * turns back, so that every epoch has as many neighbours and none tells where it stands. Without an order an epoch is
 * its own neighbour.
 */
export const around = (count: number, inOrder: boolean): readonly Int32Array[] =>
  Array.from({ length: count }, (_, row) =>
    Int32Array.from({ length: 2 * reach + 1 }, (_, i) => (inOrder ? turnedBack(row + i - reach, count) : row)),
  );

function turnedBack(row: number, count: number): number {
  if (count === 1) return 0;
  const period = 2 * (count - 1);
  const within = ((row % period) + period) % period;
  return within < count ? within : period - within;
}
