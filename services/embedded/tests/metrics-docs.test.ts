import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { describeMetrics } from '@sluice/observability';
import { parseMarkdownTables } from '@sluice/testkit';

const DOCS = new URL('../../../docs/', import.meta.url);
const page = await readFile(new URL('metrics.md', DOCS), 'utf8');
const { own, process } = describeMetrics();

const rowsOf = (metrics: typeof own) =>
  metrics.map(({ name, type, labels, meaning }) => ({
    Name: `\`${name}\``,
    Type: type,
    Labels: labels.map((label) => `\`${label}\``).join(', '),
    Meaning: meaning,
  }));

/** Names as a page writes them: metrics, and the series of a histogram. */
const NAME = /\b(?:sluice|http_server|db_client)_[a-z0-9_]+_[a-z0-9]+\b/g;
const SERIES = /_(?:bucket|count|sum)$/;

describe('docs/metrics.md', () => {
  it('lists exactly the metrics of a host, with their types and labels', () => {
    const [terms, listedOwn, listedProcess, ...others] = parseMarkdownTables(page);
    expect(terms?.length).toBeGreaterThan(0);
    expect(listedOwn).toEqual(rowsOf(own));
    expect(listedProcess).toEqual(rowsOf(process));
    expect(others).toEqual([]);
  });

  it('lists every metric that another page names', async () => {
    const known = new Set([...own, ...process].map(({ name }) => name));
    const pages = (await readdir(DOCS)).filter((name) => name.endsWith('.md'));
    const unknown: string[] = [];
    let found = 0;
    for (const name of pages) {
      const code = (await readFile(new URL(name, DOCS), 'utf8')).match(/`[^`]*`/g) ?? [];
      for (const metric of code.flatMap((text) => text.match(NAME) ?? [])) {
        if (!/_(?:total|seconds|bytes|up|running|queued|waiting|max|bucket|count|sum)$/.test(metric)) continue;
        found += 1;
        if (!known.has(metric) && !known.has(metric.replace(SERIES, ''))) unknown.push(`${name}: ${metric}`);
      }
    }
    expect(unknown).toEqual([]);
    expect(found).toBeGreaterThan(10);
  });

  it('has low cardinality: no label names a tenant, an account, a query or a statement', () => {
    const labels = new Set(own.flatMap((metric) => metric.labels));
    expect(
      [...labels].filter((label) => /tenant|user|client_id|account|query_id|sql|text|address/.test(label)),
    ).toEqual([]);
  });
});
