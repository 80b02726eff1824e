import { describe, expect, it } from '@jest/globals';
import { commandOf, type GridKey } from './grid-keyboard.ts';

const context = { active: { row: 5, column: 2 }, bounds: { rows: 100, columns: 6 }, page: 20 };
const press = (name: string, from = context) => {
  const parts = name.split('+');
  const key: GridKey = {
    key: parts.at(-1) === 'Space' ? ' ' : (parts.at(-1) ?? ''),
    ctrlKey: parts.includes('Control'),
    metaKey: parts.includes('Meta'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
  };
  return commandOf(key, from);
};
const moved = (row: number, column: number, extend = false) => ({
  type: 'select',
  action: { type: 'move', to: { row, column }, extend },
});

describe('the keys of the grid', () => {
  it.each([
    ['ArrowUp', moved(4, 2)],
    ['ArrowDown', moved(6, 2)],
    ['ArrowLeft', moved(5, 1)],
    ['ArrowRight', moved(5, 3)],
    ['Shift+ArrowDown', moved(6, 2, true)],
    ['Control+ArrowUp', moved(0, 2)],
    ['Control+ArrowDown', moved(99, 2)],
    ['Control+ArrowLeft', moved(5, 0)],
    ['Meta+ArrowRight', moved(5, 5)],
    ['Home', moved(5, 0)],
    ['End', moved(5, 5)],
    ['Control+Home', moved(0, 0)],
    ['Control+End', moved(99, 5)],
    ['Control+Shift+End', moved(99, 5, true)],
    ['PageUp', moved(0, 2)],
    ['PageDown', moved(25, 2)],
    ['Control+a', { type: 'select', action: { type: 'selectAll' } }],
    ['Control+c', { type: 'copy' }],
    ['Meta+C', { type: 'copy' }],
    ['Enter', { type: 'open' }],
    ['F2', { type: 'open' }],
    ['Space', { type: 'open' }],
    ['Shift+Space', { type: 'select', action: { type: 'selectRow', row: 5, extend: false } }],
    ['Alt+ArrowRight', { type: 'resize', by: 16 }],
    ['Alt+ArrowLeft', { type: 'resize', by: -16 }],
  ])('%s', (name, command) => expect(press(name)).toEqual(command));

  it('sorts by the column of a header cell', () => {
    const header = { ...context, active: { row: -1, column: 2 } };
    expect(press('Enter', header)).toEqual({ type: 'sort' });
    expect(press('Space', header)).toEqual({ type: 'sort' });
  });

  it.each(['Tab', 'Shift+Tab', 'Escape', 'a', 'F5', 'Control+Enter', 'Control+Shift+c', 'Alt+F4', '__proto__'])(
    'leaves %s to the page',
    (name) => expect(press(name)).toBeUndefined(),
  );
});
