import { ANSWER_SHAPES } from './answer-shapes.ts';

/**
 * Shape of a value in an answer: a type, a list, or the members of an object. The name of a member that may be absent ends with `?`, that of
 * one that may be null with `|null`. A token can be sent in a header. Other values of strings are not checked, and more members are allowed:
 * a newer host may send them.
 */
export type Shape = 'string' | 'token' | 'number' | 'boolean' | 'object' | 'any' | readonly [Shape] | ObjectShape;
interface ObjectShape {
  readonly [member: string]: Shape;
}

/** Returns the place of the first violation and what must be there, or undefined. */
type Check = (value: unknown, path: string) => string | undefined;

const checks = new Map<Shape, Check>();

/** Deeper values overflow the stack of JSON.stringify and of other recursive functions. */
const DEPTH_MAX = 500;

const isTooDeep = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((each) => isTooDeep(each, depth - 1)));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NAMES: Readonly<Record<string, string>> = { string: 'a string', number: 'a number', boolean: 'true or false' };

/** Characters that a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

function createTypeCheck(type: Exclude<Shape, readonly [Shape] | ObjectShape>): Check {
  if (type === 'token')
    return (value, path) =>
      typeof value === 'string' && TOKEN.test(value)
        ? undefined
        : `${path} must be a string of printable ASCII characters`;
  const name = NAMES[type];
  // The largest numbers of JSON are infinite.
  if (name !== undefined)
    return (value, path) =>
      typeof value === type && value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY
        ? undefined
        : `${path} must be ${name}`;
  return (value, path) => (type === 'any' || isObject(value) ? undefined : `${path} must be an object`);
}

function createListCheck(element: Shape): Check {
  const check = checkOf(element);
  return (value, path) => {
    if (!Array.isArray(value)) return `${path} must be a list`;
    for (let index = 0; index < value.length; index += 1) {
      const violation = check(value[index], `${path}[${index}]`);
      if (violation !== undefined) return violation;
    }
    return undefined;
  };
}

/** Returns the check of a member, for the object that may have it. */
function createMemberCheck(key: string, shape: Shape): (value: object, prefix: string) => string | undefined {
  const [, name = '', optional, nullable] = /^(.*?)(\?)?(\|null)?$/.exec(key) ?? [];
  const check = checkOf(shape);
  return (value, prefix) => {
    const found: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (found === undefined) return optional === undefined ? `${prefix}${name} is missing` : undefined;
    return found === null && nullable !== undefined ? undefined : check(found, `${prefix}${name}`);
  };
}

function createObjectCheck(shape: ObjectShape): Check {
  const members = Object.entries(shape).map(([key, member]) => createMemberCheck(key, member));
  return (value, path) => {
    if (!isObject(value)) return `${path} must be an object`;
    const prefix = path === ANSWER ? '' : `${path}.`;
    for (const check of members) {
      const violation = check(value, prefix);
      if (violation !== undefined) return violation;
    }
    return undefined;
  };
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** Returns the check of a shape, which is made once. */
function checkOf(shape: Shape): Check {
  let check = checks.get(shape);
  if (check === undefined) {
    if (typeof shape === 'string') check = createTypeCheck(shape);
    else check = isList(shape) ? createListCheck(shape[0]) : createObjectCheck(shape);
    checks.set(shape, check);
  }
  return check;
}

const ANSWER = 'it';

/** Returns what is wrong with a value, such as `columns[0].name must be a string`, or undefined. */
export const violationOf = (shape: Shape, value: unknown): string | undefined =>
  isTooDeep(value, DEPTH_MAX) ? `${ANSWER} is nested too deeply` : checkOf(shape)(value, ANSWER);

/**
 * Checks the JSON body of a successful response, undefined for none.
 * @returns what is wrong with it, such as `data[0].title must be a string`, or undefined
 */
export function findViolation(operation: string, answer: unknown): string | undefined {
  const shapes: Readonly<Record<string, Shape>> = ANSWER_SHAPES;
  const mayBeEmpty = shapes[`${operation}?`];
  const shape = mayBeEmpty ?? shapes[operation];
  if (shape === undefined || (answer === undefined && mayBeEmpty !== undefined)) return undefined;
  return answer === undefined ? `${ANSWER} is empty` : violationOf(shape, answer);
}
