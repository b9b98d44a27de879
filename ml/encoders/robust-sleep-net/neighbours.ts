/** Number of neighbouring epochs on each side. Measured: with few epochs, five in total stage best. */
export const reach = 2;

/**
 * Rows that are read with each of `count` epochs of a recording; the epoch itself is in the middle. At both ends the
 * order is mirrored, so that every epoch has as many neighbours, and none shows its position. Without an order each
 * epoch is its own neighbour.
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
