import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { ALERTS_FILE } from './start-prometheus.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[];
}

const text = await readFile(ALERTS_FILE, 'utf8');
const file = parse(text) as RuleFile;

export const ALERT_RULES: readonly AlertRule[] = file.groups.flatMap(({ rules }) => rules);

/** Windows of the rules, and those of the test. Restarts are counted over a longer one, because a host takes seconds to start. */
const WINDOWS: readonly (readonly [string, string])[] = [
  ['[1m]', '[20s]'],
  ['[5m]', '[20s]'],
  ['[15m]', '[2m]'],
];

const shorten = (expr: string): string =>
  WINDOWS.reduce((shortened, [window, short]) => shortened.replaceAll(window, short), expr);

/**
 * Writes the rules with shorter times, so that a test of a minute sees alerts that need several: `for` becomes one second, and the
 * windows of `WINDOWS` become seconds. Expressions and thresholds are those of the chart.
 */
export const writeFastRules = (path: string): Promise<void> =>
  writeFile(
    path,
    stringify({
      groups: file.groups.map(({ name, rules }) => ({
        name,
        rules: rules.map((rule) => ({
          ...rule,
          expr: shorten(rule.expr),
          ...(rule.for === undefined ? {} : { for: '1s' }),
        })),
      })),
    }),
  );

/** Returns the vector of a rule without the comparison that makes it an alert, over its short windows. */
export const vectorOf = ({ expr }: AlertRule): string => shorten(expr).replace(/ (?:>|==) [0-9.]+$/, '');
