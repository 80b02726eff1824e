import { describe, expect, it } from '@jest/globals';
import type { CatalogName } from '../name-index.ts';
import {
  filteredRows,
  keyOf,
  type Level,
  type Levels,
  sqlOf,
  type TreeName,
  type TreeRow,
  toTreeName,
  treeRows,
  treeStep,
  typeAhead,
} from './tree-rows.ts';

const KINDS = ['catalog', 'schema', 'table', 'column'] as const;

/** Name of a path such as `demo.vega.flights`. */
function named(dotted: string): TreeName {
  const path = dotted.split('.');
  const kind = KINDS[path.length - 1] as CatalogName['kind'];
  return toTreeName({ name: path.at(-1) ?? '', kind, detail: null, description: null, path: path.slice(0, -1) });
}

const level = (names: readonly string[], fields: Partial<Level> = {}): Level => ({
  ...{ names: names.map(named), next: undefined, isLoading: false, error: null },
  ...fields,
});

const pathOf = (dotted: string): readonly string[] => (dotted === '' ? [] : dotted.split('.'));
const levelsOf = (loaded: Readonly<Record<string, Level>>): Levels =>
  new Map(Object.entries(loaded).map(([dotted, each]) => [keyOf(pathOf(dotted)), each]));

const LEVELS = levelsOf({
  '': level(['demo', 'shop']),
  demo: level(['demo.vega', 'demo.void']),
  'demo.vega': level(['demo.vega.airports', 'demo.vega.flights'], { next: 'more' }),
  'demo.vega.flights': level(['demo.vega.flights.origin', 'demo.vega.flights.delay']),
  'demo.void': level([]),
});

/** Rows as text: indented names, with `+` for closed and `-` for open ones, and the kinds of notes. */
const drawn = (rows: readonly TreeRow[]): readonly string[] =>
  rows.map((row) => {
    const sign = row.kind !== 'name' || row.isOpen === undefined ? ' ' : row.isOpen ? '-' : '+';
    return `${' '.repeat(row.depth - 1)}${sign}${row.kind === 'name' ? row.name.name : row.kind}`;
  });

const opened = (...dotted: readonly string[]) => {
  const keys = new Set(dotted.map((each) => keyOf(pathOf(each))));
  return (key: string) => keys.has(key);
};

describe('treeRows', () => {
  it('has the names of open levels, and says where more are to be loaded and where there are none', () => {
    const rows = treeRows(LEVELS, opened('demo', 'demo.vega', 'demo.vega.flights', 'demo.void', 'shop'));
    expect(drawn(rows)).toEqual([
      '-demo',
      ' -vega',
      '  +airports',
      '  -flights',
      '    origin',
      '    delay',
      '   pending',
      ' -void',
      '   empty',
      '-shop',
      '  pending',
    ]);
    expect(rows[2]).toMatchObject({ depth: 3, position: 1, size: -1 });
    expect(rows[5]).toMatchObject({ depth: 4, position: 2, size: 2 });
  });

  it('keeps the loaded names above a page that failed', () => {
    const error = new Error('gone');
    const levels = levelsOf({ '': level(['a', 'b'], { next: 'more', error }) });
    const rows = treeRows(levels, () => false);
    expect(drawn(rows)).toEqual(['+a', '+b', ' failed']);
    expect(rows.at(-1)).toMatchObject({ error, path: [] });
  });

  it('gives the note below a level another key after each page', () => {
    const keysOf = (names: readonly string[]) =>
      treeRows(levelsOf({ '': level(names, { next: 'more' }) }), () => false);
    expect(keysOf(['a']).at(-1)?.key).not.toBe(keysOf(['a', 'b']).at(-1)?.key);
  });
});

describe('filteredRows', () => {
  const filtered = (text: string, found: readonly string[] = [], toggled: readonly string[] = []) =>
    drawn(
      filteredRows({
        levels: LEVELS,
        text,
        found: found.map(named),
        toggled: new Set(toggled.map((each) => keyOf(pathOf(each)))),
      }),
    );

  it('shows loaded names that contain the text below what they are in', () => {
    expect(filtered('light')).toEqual(['-demo', ' -vega', '  +flights']);
    expect(filtered('ori')).toEqual(['-demo', ' -vega', '  -flights', '    origin']);
    expect(filtered('nothing')).toEqual([]);
  });

  it('adds what the host has found, once, also in levels that are not loaded', () => {
    const found = ['shop.main.lights', 'demo.vega.flights', 'demo.vega.streetlights'];
    expect(filtered('light', found)).toEqual([
      ...['-demo', ' -vega', '  +flights', '  +streetlights'],
      ...['-shop', ' -main', '  +lights'],
    ]);
  });

  it('opens and closes names', () => {
    expect(filtered('light', [], ['demo.vega.flights'])).toEqual([
      ...['-demo', ' -vega', '  -flights', '    origin', '    delay'],
    ]);
    expect(filtered('light', [], ['demo'])).toEqual(['+demo']);
    expect(filtered('shop', [], ['shop'])).toEqual(['-shop', '  pending']);
  });
});

describe('treeStep', () => {
  const rows = treeRows(LEVELS, opened('demo', 'demo.vega'));
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 6, 6],
    ['ArrowUp', 0, 0],
    ['PageDown', 1, 4],
    ['PageUp', 1, 0],
    ['Home', 4, 0],
    ['End', 0, 6],
    ['ArrowRight', 0, 1],
    ['ArrowRight', 2, 'open'],
    ['ArrowRight', 4, undefined],
    ['ArrowLeft', 1, 'close'],
    ['ArrowLeft', 4, 1],
    ['ArrowLeft', 2, 1],
    ['ArrowLeft', 6, undefined],
    ['Enter', 0, undefined],
  ] as const)('%s at row %d: %s', (key, index, step) => {
    expect(drawn(rows)).toEqual(['-demo', ' -vega', '  +airports', '  +flights', '   pending', ' +void', '+shop']);
    expect(treeStep(key, rows, index, 3)).toBe(step);
  });
});

describe('typeAhead', () => {
  const rows = treeRows(LEVELS, opened('demo', 'demo.vega'));
  it('finds the next name that begins with the text, and begins again at the top', () => {
    expect(typeAhead(rows, 0, 'V')).toBe(1);
    expect(typeAhead(rows, 1, 'v')).toBe(5);
    expect(typeAhead(rows, 5, 'v')).toBe(1);
    expect(typeAhead(rows, 5, 'vo')).toBe(5);
    expect(typeAhead(rows, 1, 'vo')).toBe(5);
    expect(typeAhead(rows, 1, 'x')).toBeUndefined();
  });
});

describe('sqlOf', () => {
  it.each([
    ['demo', 'demo'],
    ['demo.vega.order', 'demo.vega."order"'],
    ['demo.vega.flights.two words', '"two words"'],
  ])('writes %s as %s', (dotted, sql) => {
    expect(sqlOf(named(dotted))).toBe(sql);
  });
});

describe('50,000 tables', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `c.s.t${index}`);
  const levels = levelsOf({ '': level(['c']), c: level(['c.s']), 'c.s': level(names) });

  it('are flattened and filtered without a pause', () => {
    const flatten = () => treeRows(levels, opened('c', 'c.s'));
    const filter = () => filteredRows({ levels, text: 't', found: [], toggled: new Set() });
    expect([flatten().length, filter().length]).toEqual([50_002, 50_002]);
    const timed = (work: () => unknown): number => {
      const started = process.cpuUsage();
      for (let round = 0; round < 10; round += 1) work();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 10_000;
    };
    // A fixed piece of work says how fast the machine is now.
    const split = () => names.map((name) => name.split('.')).length;
    const [reference, flattened, filtered] = [timed(split), timed(flatten), timed(filter)];
    const texts = [reference, flattened, filtered].map((ms) => `${ms.toFixed(1)} ms`);
    console.info(`50,000 names: split ${texts[0]}, treeRows ${texts[1]}, filteredRows ${texts[2]}`);
    expect(Math.max(flattened, filtered) / reference).toBeLessThan(11);
  });
});
