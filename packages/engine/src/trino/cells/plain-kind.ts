import { type CellStyle, mayExceedDouble } from '@sluice/encoders';
import { isNeverFormula } from './csv-cells.ts';
import { isNested, scalarKind } from './json-cells.ts';
import type { PlainKind } from './plain-cursor.ts';
import type { TrinoType } from './types.ts';

/** Returns the kind of the plain cells of a column. */
export function plainKind(type: TrinoType, style: CellStyle): PlainKind {
  if (isNested(type)) return 'never';
  if (style.notation === 'csv') return plainField(type, style);
  return style.notation === 'json' ? plainJson(type, style) : 'never';
}

function plainJson(type: TrinoType, style: CellStyle): PlainKind {
  const isQuoted = style.bigNumbers === 'string' && mayExceedDouble(type.name);
  return isQuoted ? 'never' : plainScalar(type, 'string');
}

const plainField = (type: TrinoType, style: CellStyle): PlainKind =>
  plainScalar(type, isNeverFormula(type, style) ? 'field' : 'never');

function plainScalar(type: TrinoType, ofTexts: PlainKind): PlainKind {
  switch (scalarKind(type)) {
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'float':
      return 'number';
    case 'decimal':
      return 'quoted number';
    case 'text':
      return ofTexts;
    default:
      return 'never';
  }
}
