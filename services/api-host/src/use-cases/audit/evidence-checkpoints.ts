import { type Checkpoint, readCheckpoint } from '@sluice/audit';
import type { AuditChainStore } from '@sluice/store/audit';

interface CoveredRange {
  readonly tenantId: string;
  /** Inclusive. */
  readonly first: number;
  /** Inclusive. Less than `first` for an empty range. */
  readonly last: number;
}

const PAGE = 500;

async function findCheckpoint(
  chain: AuditChainStore,
  tenantId: string,
  number: number,
): Promise<Checkpoint | undefined> {
  const [found] = await chain.checkpoints(tenantId, { after: number - 1, size: 1 });
  return found;
}

/** Returns the number of the first checkpoint that covers a position. Numbers have no gaps, and sequences do not decrease. */
async function findCovering(
  chain: AuditChainStore,
  tenantId: string,
  sequence: number,
  latest: number,
): Promise<number> {
  let [low, high] = [1, latest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await findCheckpoint(chain, tenantId, middle);
    if (found === undefined || found.sequence >= sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Yields the checkpoints that verify a range of positions, by number: the one before it, those that cover it, later ones that sign the
 * removal of a part of it, and the latest one.
 */
export async function* evidenceCheckpoints(
  chain: AuditChainStore,
  { tenantId, first, last }: CoveredRange,
): AsyncGenerator<readonly Checkpoint[]> {
  const latest = await chain.head(tenantId);
  if (latest === undefined) return;
  let number = 0;
  if (first <= last) {
    const through = await findCovering(chain, tenantId, last, latest.number);
    number = Math.max(0, (await findCovering(chain, tenantId, first, latest.number)) - 2);
    while (number < through) {
      const page = await chain.checkpoints(tenantId, { after: number, size: Math.min(PAGE, through - number) });
      if (page.length === 0) return;
      yield page;
      number = page.at(-1)?.number ?? through;
    }
    for (const payload of (await chain.dropPayloads(tenantId)).reverse()) {
      const drop = readCheckpoint(payload);
      const isPart = drop?.dropped?.some(({ from, to }) => from <= last && to >= first) ?? false;
      if (drop === undefined || !isPart || drop.number <= number || drop.number >= latest.number) continue;
      const found = await findCheckpoint(chain, tenantId, drop.number);
      if (found !== undefined) yield [found];
      number = drop.number;
    }
  }
  if (latest.number > number) yield [latest];
}
