import { expect, it } from '@jest/globals';
import type { CatalogNames, TablePath } from './catalog-names.ts';
import { completeSql } from './complete-sql.ts';

const TABLES: readonly TablePath[] = [
  ['demo', 'vega', 'flights'],
  ['demo', 'vega', 'flowers'],
  ['demo', 'vega', 'Odd.name "x"'],
  ['sales', 'main', 'orders'],
];
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  flights: ['origin', 'distance', 'From'],
  orders: ['order_id', 'price'],
};
const names: Pick<CatalogNames, 'below' | 'tables'> = {
  tables: () => TABLES,
  below: (path) => [
    ...new Set(
      path.length === 3
        ? (COLUMNS[path[2] ?? ''] ?? [])
        : TABLES.filter((table) => path.every((part, index) => table[index] === part)).map(
            (table) => table[path.length] ?? '',
          ),
    ),
  ],
};

it.each([
  ['', 'sel', ['select'], 'sel'],
  ['', 'SEL', ['SELECT'], 'SEL'],
  ['', 'SELECT * FROM ', ['demo.', 'sales.'], ''],
  ['', 'SELECT * FROM demo.', ['demo.vega.'], 'demo.'],
  ['', 'SELECT * FROM demo.vega.fl', ['demo.vega.flights', 'demo.vega.flowers'], 'demo.vega.fl'],
  ['', 'SELECT * FROM flig', ['demo.vega.flights'], 'flig'],
  ['', 'SELECT * FROM demo.vega.odd', ['demo.vega."Odd.name ""x"""'], 'demo.vega.odd'],
  ['', 'SELECT * FROM demo.vega."Od', ['demo.vega."Odd.name ""x"""'], 'demo.vega."Od'],
  ['', 'SELECT * FROM demo.vega."fl', ['demo.vega."flights"', 'demo.vega."flowers"'], 'demo.vega."fl'],
  ['', 'SELECT * FROM "demo".vega.flo', ['"demo".vega.flowers'], '"demo".vega.flo'],
  ['', 'SELECT * FROM flights WHERE ori', ['origin'], 'ori'],
  ['', 'SELECT * FROM flights WHERE "Fr', ['"From"'], '"Fr'],
  ['', 'SELECT "a" "b', [], '"b'],
  ['SELECT *\nFROM demo.vega.flights f\n', 'WHERE f.d', ['f.distance'], 'f.d'],
  ['', 'SELECT * FROM flights f JOIN orders AS o ON o.', ['o.order_id', 'o.price'], 'o.'],
  ['', 'SELECT * FROM flights WHERE flights.', ['flights."From"', 'flights.distance', 'flights.origin'], 'flights.'],
  ['', "SELECT * FROM flights WHERE origin = 'ori", [], ''],
  ['', 'SELECT 1 -- ori', [], ''],
  // No function that begins like a column of the statement; other functions are offered.
  ['', 'SELECT * FROM orders WHERE pri', ['price'], 'pri'],
  ['', 'SELECT * FROM flights WHERE printf', ['printf('], 'printf'],
  ['', 'SELECT zzz', [], 'zzz'],
])('completes %j %j', (before, line, words, begun) => {
  expect(completeSql(names, before, line)).toEqual([words, begun]);
});
