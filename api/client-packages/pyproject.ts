/** The part of a pyproject.toml that the metadata of a wheel needs. */
export interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly 'requires-python': string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly dependencies: readonly string[];
  readonly classifiers: readonly string[];
  readonly extras: Readonly<Record<string, readonly string[]>>;
  readonly scripts: Readonly<Record<string, string>>;
}

/**
 * Reads the tables `project`, `project.optional-dependencies` and `project.scripts`. Their values are texts and lists
 * of texts, which TOML writes as JSON does, with commas at the end of lists. A test compares the wheel with the one
 * that Python's own tools build.
 */
export function readProject(toml: string): Project {
  const table = <Value>(name: string): Record<string, Value> => {
    const [, body = ''] = toml.split(`\n[${name}]\n`);
    const rows = body.split(/\n\[/)[0].matchAll(/^"?([\w-]+)"? = (\[[^]*?\]$|".*"$)/gm);
    return Object.fromEntries(
      [...rows].map(([, key, value]) => [key, JSON.parse(value.replace(/,\s*\]$/, ']')) as Value]),
    );
  };
  return {
    ...(table<unknown>('project') as unknown as Project),
    extras: table('project.optional-dependencies'),
    scripts: table('project.scripts'),
  };
}
