import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimHome } from './home.ts';
import { type PostgresHome, postgresHome } from './postgres-home.ts';

let work: string;
let state: string;
let lines: string[];

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-postgres-home-'));
  state = join(work, 'state');
  await mkdir(state);
  lines = [];
});
afterEach(() => rm(work, { recursive: true }));

/** Simulates a start: claims the home, creates its data if there are none, and returns whether they are new. */
const start = async (name: string): Promise<PostgresHome & { readonly isNew: boolean }> => {
  const home = await claimHome(join(work, name));
  const place = await postgresHome(home, (line) => lines.push(line), state);
  const data = join(place.folder, 'data');
  const isNew = await stat(data).then(
    () => false,
    () => true,
  );
  await mkdir(data, { recursive: true });
  await home.release();
  return { ...place, isNew };
};

describe('postgresHome', () => {
  it('returns the same folder and passwords at every start', async () => {
    const first = await start('a');
    const { isNew, ...second } = await start('a');
    expect(isNew).toBe(false);
    expect(second).toEqual({ folder: first.folder, place: first.place, secrets: first.secrets });
    expect(lines).toEqual([]);
  });

  it('creates a new database when the home was deleted, because its passwords are lost', async () => {
    const first = await start('a');
    await rm(join(work, 'a'), { recursive: true });
    const second = await start('a');
    expect(second.isNew).toBe(true);
    expect(second.secrets).not.toEqual(first.secrets);
    expect(lines).toEqual([`Removed ${first.folder}, the database of a deleted home.`]);
  });

  it('moves the data with a moved home', async () => {
    const first = await start('a');
    await rename(join(work, 'a'), join(work, 'b'));
    const second = await start('b');
    expect(second.isNew).toBe(false);
    expect(second.secrets).toEqual(first.secrets);
    expect(await readdir(state)).toHaveLength(1);
  });

  it('leaves the data to the original when the home was copied', async () => {
    const first = await start('a');
    await cp(join(work, 'a'), join(work, 'b'), { recursive: true });
    const second = await start('b');
    expect(second.isNew).toBe(true);
    expect(second.folder).not.toBe(first.folder);
    expect((await start('a')).isNew).toBe(false);
  });

  it('announces a new database when the data are missing', async () => {
    const first = await start('a');
    await rm(first.folder, { recursive: true });
    expect((await start('a')).isNew).toBe(true);
    expect(lines).toEqual([`Found no database of this home in ${first.folder}: creating a new one.`]);
  });

  it('stores the passwords readable by the owner only', async () => {
    await start('a');
    expect((await stat(join(work, 'a', 'postgres.json'))).mode & 0o777).toBe(0o600);
  });
});
