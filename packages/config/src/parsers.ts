import { Secret } from './secret.ts';
import { type Presence, type Setting, setting, type ValueOf } from './setting.ts';

/** Bounds of an integer with a unit, such as `30s` or `64MiB`. A number without a unit is ambiguous and rejected. */
interface QuantityBounds {
  readonly min?: string;
  readonly max?: string;
}

interface QuantityText {
  readonly noun: string;
  readonly example: string;
}

type Units = Readonly<Record<string, number>>;

const DURATION_UNITS: Units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BYTE_UNITS: Units = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** Returns the quantity in the smallest unit, or undefined. `0` needs no unit. */
function parseQuantity(text: string, units: Units): number | undefined {
  if (text === '0') return 0;
  const match = /^(\d{1,15})([A-Za-z]+)$/.exec(text);
  const unit = match?.[2] ?? '';
  if (match === null || !Object.hasOwn(units, unit)) return undefined;
  const value = Number(match[1]) * (units[unit] ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

function quantityParser(units: Units, { noun, example }: QuantityText, bounds: QuantityBounds) {
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

type Result<T, P extends Presence> = Setting<ValueOf<T, P>>;

export const string = <const P extends Presence>(
  name: string,
  options: P & { readonly pattern?: RegExp; readonly form?: string },
): Result<string, P> => {
  const { pattern, form = 'string' } = options;
  const parse = (text: string): string => {
    if (pattern !== undefined && !pattern.test(text)) throw new Error(`must be ${form}`);
    return text;
  };
  return setting(name, options, { form, parse });
};

export const integer = <const P extends Presence>(
  name: string,
  options: P & { readonly min: number; readonly max: number },
): Result<number, P> => {
  const form = `integer, ${options.min} to ${options.max}`;
  const parse = (text: string): number => {
    const value = Number(text);
    if (!/^-?\d{1,15}$/.test(text) || value < options.min || value > options.max) throw new Error(`must be an ${form}`);
    return value;
  };
  return setting(name, options, { form, parse });
};

/** Defines a share, from 0 to 1. */
export const share = <const P extends Presence>(name: string, options: P): Result<number, P> => {
  const form = 'number from 0 to 1';
  const parse = (text: string): number => {
    const value = Number(text);
    if (!/^\d(?:\.\d{1,6})?$/.test(text) || value > 1) throw new Error(`must be a ${form}`);
    return value;
  };
  return setting(name, options, { form, parse });
};

export const boolean = <const P extends Presence>(name: string, options: P): Result<boolean, P> => {
  const parse = (text: string): boolean => {
    if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
    return text === 'true';
  };
  return setting(name, options, { form: '`true` or `false`', parse });
};

export const choice = <const C extends string, const P extends Presence>(
  name: string,
  options: P & { readonly values: readonly C[] },
): Result<C, P> => {
  const parse = (text: string): C => {
    const value = options.values.find((candidate) => candidate === text);
    if (value === undefined) throw new Error(`must be one of ${options.values.join(', ')}`);
    return value;
  };
  return setting(name, options, { form: options.values.map((value) => `\`${value}\``).join(', '), parse });
};

/** Defines a duration, in milliseconds. */
export const duration = <const P extends Presence>(name: string, options: P & QuantityBounds): Result<number, P> =>
  setting(name, options, quantityParser(DURATION_UNITS, { noun: 'duration', example: '30s' }, options));

/** Defines a size, in bytes. */
export const bytes = <const P extends Presence>(name: string, options: P & QuantityBounds): Result<number, P> =>
  setting(name, options, quantityParser(BYTE_UNITS, { noun: 'size', example: '64MiB' }, options));

function parseUrl(text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !protocols.includes(url.protocol)) {
    throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  }
  return url;
}

/** Defines a URL without trailing slashes. Use `secretUrl` for a URL that contains a password. */
export const url = <const P extends Presence>(
  name: string,
  options: P & { readonly protocols?: readonly string[] },
): Result<string, P> => {
  const { protocols = ['http:', 'https:'] } = options;
  const parse = (text: string): string => {
    const { username, password } = parseUrl(text, protocols);
    if (username !== '' || password !== '') throw new Error('must be a URL without user name and password');
    return text.replace(/\/+$/, '');
  };
  return setting(name, options, { form: `URL (${protocols.map((protocol) => `${protocol}//`).join(', ')})`, parse });
};

/** Defines a list: the trimmed items between commas. */
export const list = <const P extends Presence>(
  name: string,
  options: P & { readonly pattern?: RegExp; readonly form?: string },
): Result<readonly string[], P> => {
  const { pattern = /./, form = 'items separated by commas' } = options;
  const parse = (text: string): readonly string[] => {
    const items = text.split(',').map((item) => item.trim());
    if (items.some((item) => !pattern.test(item))) throw new Error(`must be ${form}`);
    return Object.freeze(items);
  };
  return setting(name, options, { form, parse });
};

export const secret = <const P extends Presence>(
  name: string,
  options: P & { readonly charactersMin?: number },
): Result<Secret, P> => {
  const { charactersMin = 1 } = options;
  const parse = (text: string): Secret => {
    if (text.length < charactersMin) throw new Error(`must have at least ${charactersMin} characters`);
    return new Secret(text);
  };
  return setting(name, options, { form: 'secret', parse, isSecret: true });
};

/** Defines a URL that may contain a password. */
export const secretUrl = <const P extends Presence>(
  name: string,
  options: P & { readonly protocols: readonly string[] },
): Result<Secret, P> => {
  const parse = (text: string): Secret => {
    parseUrl(text, options.protocols);
    return new Secret(text);
  };
  const form = `secret URL (${options.protocols.map((protocol) => `${protocol}//`).join(', ')})`;
  return setting(name, options, { form, parse, isSecret: true });
};
