import { describe, expect, it } from '@jest/globals';
import { linesOfPaths } from './lines-of-paths.ts';

const linesOf = async (text: string, ...paths: string[]) => [...(await linesOfPaths(text, paths)).values()];

describe('the lines of mistakes in a configuration', () => {
  it('are those of the value, or of the nearest one around it', async () => {
    const text = '# acme\nusers:\n  - email: a@acme.example\n    roles: [one]\n  - email: b\n    roles:\n      - two\n';
    expect(await linesOf(text, 'users[0].roles[0]', 'users[1].roles[0]', 'users[1].other', 'users', 'gone')).toEqual([
      4, 7, 5, 2, 2,
    ]);
  });

  it('are those of JSON too', async () => {
    expect(await linesOf('{\n  "roles": [\n    { "name": "" }\n  ]\n}', 'roles[0].name')).toEqual([3]);
  });

  it.each(['users: [', '', '\t- x: *a'])('are unknown in a file that is neither: %p', async (text) => {
    expect(await linesOf(text, 'users[0]')).toEqual([]);
  });
});
