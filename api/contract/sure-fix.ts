import type { Change, FieldError } from '../../infra/contract/errors.ts';
import { answerable, isChange } from '../../infra/contract/invalid-request.ts';

type Body = Readonly<Record<string, unknown>>;

/** `channels[3]` → `['channels', 3]`. */
const pathOf = (field: string): (string | number)[] =>
  [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => (index === undefined ? key : Number(index)));

function withValue(holder: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  const copy: unknown = Array.isArray(holder) ? [...(holder as unknown[])] : { ...(holder as object) };
  const inside = (copy as Record<string | number, unknown>)[key];
  (copy as Record<string | number, unknown>)[key] = rest.length === 0 ? value : withValue(inside, rest, value);
  return copy;
}

/**
 * The body after a fix: an object of fields is merged into it (null removes a field), a value replaces the failing
 * field.
 */
function applyFix(body: Body, field: string, fix: unknown): Body {
  if (!isChange(fix)) return withValue(body, pathOf(field), fix) as Body;
  const removed = new Set(Object.keys(fix).filter((key) => fix[key] === null));
  const kept = Object.entries({ ...body, ...fix }).filter(([key]) => !removed.has(key));
  return Object.fromEntries(kept);
}

/** The difference between two bodies, as an object to merge. */
const changeOf = (from: Body, to: Body): Body => ({
  ...Object.fromEntries(Object.keys(from).flatMap((key) => (Object.hasOwn(to, key) ? [] : [[key, null]]))),
  ...Object.fromEntries(Object.entries(to).filter(([key, value]) => from[key] !== value)),
});

/** The problems with each fix as a change of the body. A value inside a field becomes a change of the whole field. */
export const withChanges = <T extends FieldError>(problems: readonly T[], body: Body): T[] =>
  problems.map((problem) =>
    problem.alternatives
      ? { ...problem, alternatives: problem.alternatives.map((fix) => changeFor(body, problem.field, fix)) }
      : problem,
  );

function changeFor(body: Body, field: string, fix: unknown): Change {
  if (isChange(fix)) return fix;
  const [whole] = pathOf(field);
  return { [whole]: field === whole ? fix : applyFix(body, field, fix)[whole] };
}

/**
 * A request with more failures gets no combined fix. The limits are: failures in all, and failures whose fix moves a
 * field.
 */
const mostFixed = { entries: 1_024, fields: 24 };

/**
 * The fixes that an error offers. If applying the first fix of the first failing field makes the request valid: its
 * fixes. Else one object that fixes all failing fields at once, if that makes the request valid. Else none. `passes`
 * validates a changed body.
 */
export function sureFixes(
  problems: readonly FieldError[],
  body: Body,
  passes: (changed: Body) => boolean,
): readonly Change[] {
  const [{ field, alternatives: [own] = [], alternatives = [] }] = problems;
  if (own !== undefined && passes(applyFix(body, field, own)))
    return answerable(
      field,
      alternatives.map((fix) => changeFor(body, field, fix)),
    );
  const fixes = problems.filter((problem) => problem.alternatives?.length);
  const moving = fixes.filter((problem) => isChange(problem.alternatives![0])).length;
  if (problems.length === 1 || fixes.length === 0) return [];
  if (problems.length > mostFixed.entries || moving > mostFixed.fields) return [];
  const fixedBody = fixes.reduce(
    (changed, problem) => applyFix(changed, problem.field, problem.alternatives![0]),
    body,
  );
  return passes(fixedBody) ? answerable('', [changeOf(body, fixedBody)]) : [];
}
