import type { Column } from '@sluice/contract';
import { hasTimes, type TrinoType, typeOfName } from '@sluice/engine';
import type { ClientSession } from '../client-session.ts';
import { RESERVED_WORDS } from '../reserved-words.ts';

/** Type of a column as clients parse it (`ClientTypeSignature` of Trino). */
export interface TypeSignature {
  readonly rawType: string;
  readonly arguments: readonly TypeArgument[];
}

type TypeArgument =
  | { readonly kind: 'TYPE'; readonly value: TypeSignature }
  | { readonly kind: 'LONG'; readonly value: number }
  | { readonly kind: 'NAMED_TYPE'; readonly value: NamedSignature };

/** A field of a row. One without a name has no `fieldName`. */
interface NamedSignature {
  readonly fieldName?: { readonly name: string };
  readonly typeSignature: TypeSignature;
}

/** Column of a page. */
export interface PageColumn {
  readonly name: string;
  /** Display name of the type, which people see. */
  readonly type: string;
  readonly typeSignature: TypeSignature;
}

type Capabilities = ClientSession['capabilities'];

interface PresentedType {
  readonly display: string;
  readonly signature: TypeSignature;
}

/** Trino's length of a varchar without a length. */
const UNBOUNDED_LENGTH = 2_147_483_647;
const NUMBERS = /\((\d+(?:,\d+)*)\)/;
const INTERVAL = /^interval /;
/** Name that needs no quotes, unless it is reserved (`Identifier` of Trino). */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
/** Types whose names Trino 476 writes with capitals. Columns have all names in lower case. */
const CAPITALS: ReadonlyMap<string, string> = new Map(
  [
    ...['HyperLogLog', 'P4HyperLogLog', 'SetDigest', 'JsonPath', 'ObjectId'],
    ...['Geometry', 'SphericalGeography', 'BingTile', 'KdbTree'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** Returns a column in the shape of Trino's pages. */
export function presentColumn({ name, type }: Column, capabilities: Capabilities): PageColumn {
  const { display, signature } = presentType(typeOfName(type), capabilities);
  return { name, type: display, typeSignature: signature };
}

/** Whether values of these columns must be cut for a client that knows only three digits of seconds. */
export const haveTimes = (columns: readonly Column[]): boolean =>
  columns.some(({ type }) => hasTimes(typeOfName(type)));

function presentType(type: TrinoType, capabilities: Capabilities): PresentedType {
  switch (type.base) {
    case 'array':
    case 'map':
      return presentParts(type, capabilities);
    case 'row':
      return presentRow(type, capabilities);
    // Trino has no type of months, days and seconds together.
    case 'interval':
      return VARCHAR;
    case 'number':
      return capabilities.number ? plain('number') : VARCHAR;
    default:
      if (type.parts.length > 0) return presentParts(type, capabilities);
      return hasTimes(type) && !capabilities.parametricDatetime ? plain(type.base) : presentScalar(type);
  }
}

function presentParts({ base, parts }: TrinoType, capabilities: Capabilities): PresentedType {
  const presented = parts.map((part) => presentType(part, capabilities));
  return {
    display: `${base}(${presented.map(({ display }) => display).join(', ')})`,
    signature: { rawType: base, arguments: presented.map(({ signature }) => ({ kind: 'TYPE', value: signature })) },
  };
}

/** Engines give names to fields without one, by their places; clients get no name then, as from Trino. */
function presentRow({ parts, fieldNames }: TrinoType, capabilities: Capabilities): PresentedType {
  const fields = parts.map((part, index) => {
    const { display, signature } = presentType(part, capabilities);
    const name = fieldNames[index];
    return name === undefined || name === `field${index}`
      ? { display, value: { typeSignature: signature } }
      : { display: `${fieldText(name)} ${display}`, value: { fieldName: { name }, typeSignature: signature } };
  });
  return {
    display: `row(${fields.map(({ display }) => display).join(', ')})`,
    signature: { rawType: 'row', arguments: fields.map(({ value }) => ({ kind: 'NAMED_TYPE', value })) },
  };
}

/** Returns the name of a field as SQL. */
function fieldText(name: string): string {
  const isPlain = PLAIN_NAME.test(name) && !RESERVED_WORDS.has(name.toLowerCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

function presentScalar({ name, base }: TrinoType): PresentedType {
  const numbers = NUMBERS.exec(name)?.[1]?.split(',').map(Number) ?? [];
  if (base === 'varchar' && numbers.length === 0) return VARCHAR;
  const capital = CAPITALS.get(base);
  if (capital !== undefined) return plain(capital);
  return { display: displayName(name), signature: { rawType: base, arguments: numbers.map(long) } };
}

/** Trino 476 writes the type of a column as SQL (`ProtocolUtil`): `decimal(5, 2)`, and the words of its two interval types in capitals. */
const displayName = (name: string): string => (INTERVAL.test(name) ? name.toUpperCase() : name.replaceAll(',', ', '));

const long = (value: number): TypeArgument => ({ kind: 'LONG', value });

const plain = (rawType: string): PresentedType => ({ display: rawType, signature: { rawType, arguments: [] } });

const VARCHAR: PresentedType = {
  display: 'varchar',
  signature: { rawType: 'varchar', arguments: [long(UNBOUNDED_LENGTH)] },
};
