import { parseArgs } from 'node:util';
import type { Said } from '../../recordings/recording.ts';
import { capMaps } from '../../recordings/rules.ts';
import { type OwnRecording, UsageError } from './own-recording.ts';

export const demoHelp = `npm run demo [-- OPTIONS]

  --data FILE           your own recording with events (EDF, BDF, BrainVision, EEGLAB, FIF, OpenBCI or Muse text);
                        give it several times for several sessions, or for files that belong together
  --labels T1=fists,…   what each annotation means; without it, every annotation that occurs five times is a class
  --window 0,4          seconds after the annotation; without it, chosen from the annotations' durations
  --cut-spans           cut events that last for several windows into windows
  --unit uV             unit of channels whose unit the file does not say: uV, mV, V or nV
  --cap BioSemi64       names of a cap's positions: BioSemi32, BioSemi64 or BioSemi128
  --rename T3-x=T7,…    electrodes of channels, by their names in the file
  --encoding latin-1    encoding of the annotations: utf-8 or latin-1
  --rate 250            sampling rate of a text file that does not say it, Hz
  --trigger NAME        the channel whose changes are the events
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
        'cut-spans': { type: 'boolean' },
        unit: { type: 'string' },
        cap: { type: 'string' },
        rename: { type: 'string' },
        encoding: { type: 'string' },
        rate: { type: 'string' },
        trigger: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${demoHelp}`);
  }
  if (values.help) return null;
  const labels = values.labels === undefined ? null : readPairs('--labels', values.labels);
  const window = values.window === undefined ? null : readWindow(values.window);
  if (!values.data) {
    if (Object.keys(values).length > 0) throw new UsageError('All options belong to --data FILE.');
    return { own: null };
  }
  const said = saidBy(values);
  const more = {
    ...(Object.keys(said).length > 0 ? { said } : {}),
    ...(values['cut-spans'] ? { cutSpans: true } : {}),
  };
  return { own: { files: values.data, labels, window, ...more } };
}

/** Answers to what a file leaves open. Throws UsageError. */
function saidBy(values: Readonly<Record<string, unknown>>): Said {
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const oneOf = (name: string, known: readonly string[]): Record<string, string> => {
    const given = text(name);
    if (given === undefined) return {};
    if (!known.includes(given)) throw new UsageError(`--${name} is ${known.join(', ')}; it is "${given}".`);
    return { [name]: given };
  };
  const rateHz = text('rate') === undefined ? undefined : Number(text('rate'));
  if (rateHz !== undefined && !(rateHz > 0))
    throw new UsageError(`--rate takes a number of Hz; it is "${text('rate')}".`);
  const [rename, triggerChannel] = [text('rename'), text('trigger')];
  return {
    ...oneOf('unit', ['uV', 'mV', 'V', 'nV']),
    ...oneOf('cap', Object.keys(capMaps)),
    ...oneOf('encoding', ['utf-8', 'latin-1']),
    ...(rename === undefined ? {} : { names: readPairs('--rename', rename) }),
    ...(rateHz === undefined ? {} : { rateHz }),
    ...(triggerChannel === undefined ? {} : { triggerChannel }),
  };
}

function readPairs(option: string, text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const bad = pairs.find((pair) => pair.length !== 2 || !pair[0] || !pair[1]);
  if (bad) throw new UsageError(`${option} takes pairs such as T1=fists,T2=feet; "${bad.join('=')}" is not one.`);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function readWindow(text: string): [number, number] {
  const [from, to, ...more] = text.split(',').map(Number);
  if (more.length || !(to - from >= 0.2))
    throw new UsageError(`--window takes two numbers of seconds such as 0,4, at least 0.2 s apart; it is "${text}".`);
  return [from, to];
}
