import { headPositionOf } from '../channels/index.ts';
import type { Position } from '../channels/index.ts';
import { scope } from '../kernels/index.ts';
import { matmul } from '../linalg/index.ts';
import type { Matrix } from '../matrix.ts';
import { groupsAt } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { bandsOf } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';
import { spectrumOf } from './trial-source.ts';
import { surfaceLaplacian } from './surface-laplacian.ts';
import { windowedLogPower } from './windowed-power.ts';

/** Positions of the channels in the head frame: the given ones, else the template's; null if one has none. */
function channelPositions({
  channelNames,
  positions,
}: Pick<SignalShape, 'channelNames' | 'positions'>): readonly Position[] | null {
  const all = channelNames.map((name, row) => positions?.[row] ?? headPositionOf(name));
  return all.every((position) => position !== undefined) ? all : null;
}

/** Cache of the last matrices by positions, so that a request of one trial does not compute them again. */
const matrices = new Map<string, Matrix>();

function laplacianOf(positions: readonly Position[]): Matrix {
  const id = positions.join(' ');
  const matrix = matrices.get(id) ?? surfaceLaplacian(positions);
  if (matrices.size >= 64) matrices.clear();
  matrices.set(id, matrix);
  return matrix;
}

/** The matrix of some channels, and buffers for one trial before and after it. */
interface Room {
  readonly matrix: Matrix;
  readonly signal: Matrix;
  readonly density: Float64Array;
}

/** Null where a channel has no position. */
function makeRoom(shape: SignalShape): Room | null {
  const positions = channelPositions(shape);
  if (!positions) return null;
  const { channels: rows, samples: columns } = shape;
  const signal: Matrix = { data: new Float64Array(rows * columns), rows, columns };
  return { matrix: laplacianOf(positions), signal, density: new Float64Array(rows * columns) };
}

/**
 * 'laplacian/logpower': log band power [channels × bands] of the surface Laplacian of the trial, from the positions of
 * its channels (`positions` override the template). Empty if a channel has no position.
 */
export const laplacianFamily: RecipeFamily = (args) => {
  if (args !== 'logpower')
    throw new RangeError(`There is no feature set 'laplacian/${args}'; there is 'laplacian/logpower'.`);
  const known = new WeakMap<SignalShape, Room | null>();
  const roomOf = (shape: SignalShape): Room | null => {
    if (!known.has(shape)) known.set(shape, makeRoom(shape));
    return known.get(shape)!;
  };
  return {
    storable: true,
    dimension: (shape) => (channelPositions(shape) ? shape.channels * bandsOf(shape).length : 0),
    write({ shape, data }, out, at) {
      const { channels, samples } = shape;
      const room = roomOf(shape);
      if (!room) return;
      const { matrix, signal, density } = room;
      signal.data.set(data);
      matmul(matrix, signal, density);
      scope(() => {
        const groups = groupsAt(density, channels, samples);
        const spectrum = (segment: number) => spectrumOf(shape, density, () => groups, segment);
        out.set(windowedLogPower({ rows: channels, at: () => groups, spectrum }, shape), at);
      });
    },
  };
};
