import type { ReportedObject } from '@sluice/client';

export type ObjectChange = NonNullable<ReportedObject['changes']>[number];

/** Returns a value of a property as a string of limited length, empty for no value. */
export function valueText(value: ObjectChange['before'], charactersMax: number): string {
  const text = value === null ? '' : typeof value === 'string' ? value : value.join(', ');
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}
