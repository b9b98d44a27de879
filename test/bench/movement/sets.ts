import { shippedWeights } from '../../../infra/encoders/shipped-weights.ts';
import { matchTask } from '../../../api/intake/match-task.ts';
import { movementCard, networksWithout, provideMovementWeights } from '../../../ml/encoders/movement/index.ts';
import { evaluateOurs } from '../ours.ts';
import { mean, publish } from '../tables.ts';
import { splits, type Split } from '../tasks.ts';

interface Row {
  readonly name: string;
  readonly without: number;
  readonly with: number;
  readonly chosen: string;
}

/** Options of a create with the networks that have not seen the person; null: the network reads no such task. */
function withNetwork({ name, options, recording }: Split): Split['options'] | null {
  if (options.kind !== 'motor') return null;
  const networks = networksWithout(/S\d{3}/.exec(name) ?? []);
  const classes = [...new Set(recording.labels)].sort();
  const { channels: channelNames, samples, rateHz } = recording;
  const shape = { channelNames, seconds: samples / rateHz, sourceRateHz: rateHz };
  const { network } = matchTask({ description: `motor imagery: ${classes.join(' or ')}`, classes, shape });
  return {
    ...options,
    encoders: { movement: { hash: movementCard.sha256 } },
    networks,
    ...(network ? { network } : {}),
  };
}

/**
 * Creates with and without the movement network on the sets of movement: fit on the earlier sessions, test on the last.
 * Other sets have no candidate of the network.
 */
export function movementSets(filter = ''): void {
  provideMovementWeights(shippedWeights);
  const rows: Row[] = [];
  for (const split of splits(filter)) {
    const options = withNetwork(split);
    if (!options) continue;
    const [without, own] = [split.options, options].map((each) =>
      evaluateOurs({ ...split, options: each }, { hindsight: false }),
    );
    rows.push({
      name: split.name,
      without: without!.balancedAccuracy,
      with: own!.balancedAccuracy,
      chosen: own!.method,
    });
    console.log(
      `${split.name}: ${without!.balancedAccuracy.toFixed(3)} → ${own!.balancedAccuracy.toFixed(3)} ${own!.method}`,
    );
    publish('movement-sets.md', report(rows), { quiet: true });
  }
}

function report(rows: readonly Row[]): string {
  const groups = [...Map.groupBy(rows, ({ name }) => name.split('/')[0]!)];
  const line = (name: string, own: readonly Row[]): string => {
    const [without, known] = [mean(own.map((row) => row.without)), mean(own.map((row) => row.with))];
    return `| ${name} | ${own.length} | ${without.toFixed(3)} | ${known.toFixed(3)} | ${(known - without).toFixed(3)} |`;
  };
  return [
    '# Movement network on the sets of movement',
    '',
    'Whole creates with and without the network: fit on the earlier sessions, test on another one, each trial alone.',
    'No person is scored by a network that has seen them. Other sets have no candidate of the network.',
    '',
    '| set | splits | without | with | gain |',
    '|---|---|---|---|---|',
    ...groups.map(([name, own]) => line(name, own)),
    line('all', rows),
    '',
    '| split | without | with | chosen |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.name} | ${row.without.toFixed(3)} | ${row.with.toFixed(3)} | ${row.chosen} |`),
    '',
  ].join('\n');
}
