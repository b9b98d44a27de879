import { parseArgs } from 'node:util';
import { type OwnRecording, UsageError } from './own-recording.ts';

export const demoHelp = `npm run demo [-- OPTIONS]

  --data FILE           your own recording: EDF+ or BDF with annotations; give it several times for several sessions
  --labels T1=fists,…   what each annotation means; without it, every annotation that occurs five times is a class
  --window 0,4          seconds after the annotation; without it, chosen from the annotations' durations
  --help

Without --data: the sample recording of this repository, an extract of the EEG Motor Movement/Imagery
Database, subject 1.`;

/** Parses the command line; null: the user asked for help. Throws UsageError. */
export function readDemoOptions(args: readonly string[]): { own: OwnRecording | null } | null {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string', multiple: true },
        labels: { type: 'string' },
        window: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${demoHelp}`);
  }
  if (values.help) return null;
  const labels = values.labels === undefined ? null : readLabels(values.labels);
  const window = values.window === undefined ? null : readWindow(values.window);
  if (!values.data) {
    if (labels || window) throw new UsageError('--labels and --window belong to --data FILE.');
    return { own: null };
  }
  return { own: { files: values.data, labels, window } };
}

function readLabels(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const bad = pairs.find((pair) => pair.length !== 2 || !pair[0] || !pair[1]);
  if (bad) throw new UsageError(`--labels takes pairs such as T1=fists,T2=feet; "${bad.join('=')}" is not one.`);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function readWindow(text: string): [number, number] {
  const [from, to, ...more] = text.split(',').map(Number);
  if (more.length || !(to - from >= 0.2))
    throw new UsageError(`--window takes two numbers of seconds such as 0,4, at least 0.2 s apart; it is "${text}".`);
  return [from, to];
}
