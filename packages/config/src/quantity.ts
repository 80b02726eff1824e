/** Bounds of an integer with a unit, such as `30s` or `64MiB`. A number without a unit is ambiguous and rejected. */
export interface QuantityBounds {
  readonly min?: string;
  readonly max?: string;
}

interface QuantityText {
  readonly noun: string;
  readonly example: string;
}

type Units = Readonly<Record<string, number>>;

export const DURATION_UNITS: Units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
export const BYTE_UNITS: Units = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** Returns the quantity in the smallest unit, or undefined. `0` needs no unit. */
function parseQuantity(text: string, units: Units): number | undefined {
  if (text === '0') return 0;
  const match = /^(\d{1,15})([A-Za-z]+)$/.exec(text);
  const unit = match?.[2] ?? '';
  if (match === null || !Object.hasOwn(units, unit)) return undefined;
  const value = Number(match[1]) * (units[unit] ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function quantityParser(units: Units, { noun, example }: QuantityText, bounds: QuantityBounds) {
  const limit = (text: string | undefined, otherwise: number): number => {
    if (text === undefined) return otherwise;
    const value = parseQuantity(text, units);
    if (value === undefined) throw new TypeError(`"${text}" is not a bound such as ${example}.`);
    return value;
  };
  const min = limit(bounds.min, 0);
  const max = limit(bounds.max, Number.MAX_SAFE_INTEGER);
  const { min: least, max: most } = bounds;
  const range = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  const form = [`${noun} such as \`${example}\``, ...range].join(', ');
  return {
    form,
    parse(text: string): number {
      const value = parseQuantity(text, units);
      if (value === undefined || value < min || value > max) {
        throw new Error(`must be a ${form} (units: ${Object.keys(units).join(', ')})`);
      }
      return value;
    },
  };
}
