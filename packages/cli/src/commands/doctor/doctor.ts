import { visibleLine } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { CommandContext, Connection } from '../../context.ts';
import { type CheckResult, type CheckStatus, messageOf } from '../../doctor/check.ts';
import { checkProxies, createProxyOf } from '../../doctor/check-network.ts';
import { runChecks } from '../../doctor/run-checks.ts';
import { CommandError } from '../../errors.ts';
import { findHosts } from '../../profiles/connect.ts';
import type { Output } from '../../terminal/terminal.ts';
import { VERSION } from '../../version.ts';

const LABELS = { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;
const COLORS: Readonly<Record<CheckStatus, number>> = { ok: 32, warning: 33, failed: 31, skipped: 90 };
const LABEL_WIDTH = 9;
const NAME_WIDTH = 31;
/** Width of a message beside its name. A message with less room begins on a line of its own. */
const MESSAGE_WIDTH_MIN = 30;

function format(
  { name, status, message }: CheckResult,
  { hasColor, isTerminal, columns }: Output,
  wrapText: (text: string, columns: number, indent: number) => string,
): string {
  const label = LABELS[status].padEnd(LABEL_WIDTH);
  const colored = hasColor ? `\u001b[${COLORS[status]}m${label}\u001b[39m` : label;
  const text = visibleLine(message);
  if (!isTerminal) return `${colored}${name.padEnd(NAME_WIDTH)}${text}\n`;
  const indent = LABEL_WIDTH + NAME_WIDTH;
  if (columns - indent >= MESSAGE_WIDTH_MIN)
    return `${colored}${name.padEnd(NAME_WIDTH)}${wrapText(text, columns, indent)}\n`;
  return `${colored}${name}\n${' '.repeat(LABEL_WIDTH)}${wrapText(text, columns, LABEL_WIDTH)}\n`;
}

/** Connects; a login that cannot be used is one of the things to report. */
const connectOrExplain = ({ connect }: CommandContext): Promise<Connection | { readonly problem: string }> =>
  connect().catch((error: unknown) => ({ problem: messageOf(error) }));

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check the way to both hosts, the login, and that results stream',
  description:
    'Each line is ok, or says what to do. Checked are DNS, TLS, health, back ends, clocks and versions of both hosts, the login and its permissions, whether something on the way buffers streams (by a statement of about a second), and proxies. A warning does not change the exit code; a failure makes it 1.',
  arguments: {},
  options: {},
  examples: [
    { command: 'doctor', does: 'checks everything for the current login', notRun: 'its lines differ by computer' },
    {
      command: 'doctor --profile staging --json',
      does: 'prints the results of another profile as JSON',
      notRun: 'needs a profile',
    },
  ],
  routes: ['GET /health', 'GET /ready', 'GET /live', 'GET /me', 'POST /query'],
  run: async (context) => {
    const { terminal, globals, environment, signal } = context;
    const results: CheckResult[] = [];
    const report = async (result: CheckResult): Promise<void> => {
      results.push(result);
      if (globals.isJson) return;
      // Widths of all scripts take time to load, and only a terminal needs them.
      const { wrapText } = await import('../../terminal/wrap-text.ts');
      await terminal.stdout.write(format(result, terminal.stdout, wrapText));
    };
    const login = await connectOrExplain(context);
    const hosts = 'problem' in login ? await findHosts(environment, globals) : login;
    await report(await checkProxies(environment, hosts));
    if (hosts !== undefined) {
      const proxyOf = await createProxyOf(environment);
      await runChecks({ hosts, login, version: VERSION, proxyOf, signal }, report);
    } else if ('problem' in login) await report({ name: 'Login', status: 'failed', message: login.problem });
    const failed = results.filter(({ status }) => status === 'failed').length;
    if (globals.isJson) await terminal.stdout.write(`${JSON.stringify({ ok: failed === 0, checks: results })}\n`);
    if (failed > 0) throw new CommandError(`${failed} of ${results.length} checks failed.`);
  },
});
