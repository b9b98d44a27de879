import type { FailureWords } from '../ui/unreadable-words.ts';
import { severities, severityTitles, type Severity } from './severity.ts';

/** A point about the trials or the score, in words for people. */
export interface Point extends FailureWords {
  readonly severity: Severity;
}

/** With at least this many points, each group has a heading. */
const manyPoints = 4;

/** Points about the trials, the most serious first. A page that helps is linked once in each group. */
export function Points({
  points,
  withHelp = true,
}: {
  readonly points: readonly Point[];
  /** False for readers who cannot change the model. */
  readonly withHelp?: boolean;
}) {
  const said = [...new Map(points.map((each) => [each.words, each])).values()];
  return (
    <>
      {severities.map((severity) => {
        const own = said.filter((each) => each.severity === severity);
        if (own.length === 0) return null;
        const isLast = ({ help }: Point, i: number): boolean =>
          !own.slice(i + 1).some((later) => later.help?.words === help?.words);
        return (
          <div key={severity} class="points">
            {said.length >= manyPoints && <h3>{severityTitles[severity]}</h3>}
            <ul>
              {own.map((point, i) => (
                <li key={point.words}>
                  {point.words}
                  {withHelp && point.help && isLast(point, i) && (
                    <span class="help">
                      {' '}
                      <a href={point.help.href}>{point.help.words}</a>.
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}
