import { catalogue } from '../../ml/encoders/catalogue/index.ts';
import { Refusal } from './config-values.ts';

/** Ids of catalogued models, with commas or spaces between them; `none`: no model. */
export function modelIds(value: string): readonly string[] {
  const ids = value.split(/[\s,]+/).filter(Boolean);
  if (ids.length === 1 && ids[0].toLowerCase() === 'none') return [];
  const permitted = catalogue.filter(({ licence }) => licence.hostedUse).map(({ id }) => id);
  const there = `there are ${permitted.join(', ')}, or none`;
  for (const id of ids) {
    const model = catalogue.find((each) => each.id === id);
    if (!model) throw new Refusal(`names "${id}", which is no model that may be used; ${there}.`);
    if (!model.licence.hostedUse)
      throw new Refusal(`names ${id}, whose licence forbids it: ${model.licence.why}; ${there}.`);
  }
  return [...new Set(ids)];
}
