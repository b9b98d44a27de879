import type { FittedPatterns, TrainingData } from '../types.ts';

/** Patterns of the refitted method by channel, or null with the reason. */
export function patternsBlock(
  { method, patterns, reason }: FittedPatterns,
  { classes, features }: TrainingData,
): Record<string, unknown> {
  return {
    patterns: patterns && {
      method,
      source: 'Haufe et al. 2014, NeuroImage 87',
      unit: patterns.unit,
      channels: [...features.shape.channelNames],
      components: patterns.components.map((each) => ({
        name: each.name,
        class: each.class,
        class_weights: each.weights && Object.fromEntries(classes.map((name, k) => [name, each.weights![k]])),
        values: [...each.values],
      })),
    },
    patterns_reason: reason,
  };
}
