import template from './template.json' with { type: 'json' };

export type Position = readonly [number, number, number];

const positions = new Map(Object.entries(template.electrodes as unknown as Record<string, Position>));

/** Every electrode name of the 10-05 template, canonical spelling, template order. */
export const electrodeNames: readonly string[] = [...positions.keys()];

/**
 * Legacy and second names of template electrodes (spec, "Legacy names"; O9 and O10 are the 10-20 names of I1 and I2).
 */
const legacyNames: Readonly<Record<string, string>> = {
  T3: 'T7',
  T4: 'T8',
  T5: 'P7',
  T6: 'P8',
  O9: 'I1',
  O10: 'I2',
};

const canonical = new Map<string, string>([
  ...electrodeNames.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(legacyNames).map(([legacy, name]) => [legacy.toLowerCase(), name] as const),
]);

/**
 * Canonical 10-05 spelling of an electrode name in any case, legacy names included; undefined for what is not an
 * electrode.
 */
export function canonicalName(name: string): string | undefined {
  return canonical.get(name.toLowerCase());
}

/**
 * Position of an electrode in metres, in the frame of the template (colin27, MNI axes); any case, legacy names
 * included.
 */
export function positionOf(name: string): Position | undefined {
  const known = canonicalName(name);
  return known === undefined ? undefined : positions.get(known);
}

/** Nasion and the left and right preauricular points of the template, metres. */
export const fiducials = template.fiducials as unknown as {
  readonly nasion: Position;
  readonly lpa: Position;
  readonly rpa: Position;
};
