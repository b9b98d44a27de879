import { describe, expect, it } from 'vitest';
import { labramGraph } from '../../ml/encoders/labram/index.ts';
import { cases, farthest, outputs } from './labram-golden.ts';
import { seededWeights } from './labram-weights.ts';

describe('the graph of LaBraM, against braindecode with the same random weights', () => {
  it.each(cases)('$depth layers, $trials trials of $patches s and channels $channels agree to 1e-4', async (golden) => {
    const { sites, pooled, sitesData, pooledData } = await outputs(golden);
    expect(sites.dims).toEqual([golden.trials, golden.channels.length, 200]);
    expect(pooled.dims).toEqual([golden.trials, 200]);
    expect(golden.sites.length).toBe(Math.ceil(sitesData.length / golden.every));
    expect(golden.pooled.length).toBe(pooledData.length);
    expect(farthest(sitesData, golden.sites, golden.every)).toBeLessThan(1e-4);
    expect(farthest(pooledData, golden.pooled)).toBeLessThan(1e-4);
  });

  it('the order of the channels changes nothing, their names do', async () => {
    const [golden] = cases;
    const turned = await outputs(golden, golden.channels.map((_, i) => i).reverse());
    expect(farthest(turned.pooledData, golden.pooled)).toBeLessThan(1e-4);
    const renamed = await outputs({ ...golden, channels: ['Oz', ...golden.channels.slice(1)] });
    expect(farthest(renamed.pooledData, golden.pooled)).toBeGreaterThan(1e-3);
  });

  it('names the tensor that is missing or of another size', () => {
    const weights = seededWeights(1);
    expect(() => labramGraph(weights)).toThrow('hold no tensor student.blocks.1.norm1.weight');
    weights.set('student.pos_embed', { dims: [1, 128, 200], data: new Float32Array(128 * 200) });
    expect(() => labramGraph(weights, 1)).toThrow('student.pos_embed is 1 × 128 × 200, not 1 × 129 × 200');
  });
});
