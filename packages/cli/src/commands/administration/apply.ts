import type { ApiOperationTypes } from '@sluice/client';
import { visibleLine, visibleText } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import { readConfiguration } from '../../configuration-files/read-configuration.ts';
import { type Applied, applyConfiguration, planConfiguration } from '../../configuration-files/send-configuration.ts';
import type { CommandContext } from '../../context.ts';
import { CancelledError, CommandError, UsageError } from '../../errors.ts';
import { changeLines, type DiffStyle, objectLine } from '../../output/diff.ts';
import { formatCount } from '../../output/quantity.ts';
import { askLine } from '../../terminal/prompt.ts';
import type { Output, Terminal } from '../../terminal/terminal.ts';

type Change = ApiOperationTypes['applyConfiguration']['result']['changes'][number];

const toMembers = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : { value };

const isSame = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Returns the lines that show a change: its object, and with `isFull` each member before and after. Nothing for an unchanged object. */
function describeChange(change: Change, style: DiffStyle & { readonly isFull: boolean }): string[] {
  const { action, kind, name } = change;
  if (action === 'none') return [];
  const head = objectLine(action === 'create' ? '+' : '~', `${kind} ${name}`, style);
  if (!style.isFull) return [head];
  const before = change.before === null ? {} : toMembers(change.before);
  const after = toMembers(change.after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lines = names.flatMap((member) => {
    const [valueBefore, valueAfter] = [before[member], after[member]];
    if (isSame(valueBefore, valueAfter) || ((valueBefore ?? null) === null && (valueAfter ?? null) === null)) return [];
    return [
      `    ${visibleText(member)}`,
      ...changeLines(valueBefore, valueAfter, style).map((line) => `      ${line}`),
    ];
  });
  return [head, ...lines];
}

const formatCounts = ({
  created_count: created,
  updated_count: updated,
  unchanged_count: unchanged,
}: Applied): string =>
  `${formatCount(created)} to create, ${formatCount(updated)} to change, ${formatCount(unchanged)} as in the file.`;

async function printPlan({ stdout, stderr }: Terminal, plan: Applied, isFull: boolean): Promise<void> {
  const style = { hasColor: stdout.hasColor, isFull };
  for (const change of plan.changes) for (const line of describeChange(change, style)) await stdout.write(`${line}\n`);
  await stderr.write(`${formatCounts(plan)}\n`);
}

/** Prints what the host shows only once. */
async function printSecrets(output: Output, { changes }: Applied): Promise<void> {
  for (const { kind, name, invitation, client_secret: secret } of changes) {
    if (invitation !== null)
      await output.write(`invitation of ${visibleLine(kind)} ${visibleLine(`${name}: ${invitation.url}`)}\n`);
    if (secret !== null) await output.write(`client secret of ${visibleLine(`${name}: ${secret}`)}\n`);
  }
}

/** Only `y` and `yes` are a yes. */
async function requireConsent({ terminal, signal }: CommandContext): Promise<void> {
  const answer = await askLine(terminal, 'Apply these changes? [y/N]', signal).catch((error: unknown) => {
    throw error instanceof CancelledError ? new CancelledError('Cancelled. Nothing was applied.') : error;
  });
  if (!/^y(?:es)?$/i.test(answer)) throw new CommandError('Nothing was applied.');
}

/** Returns the changes as text, without the invitations and secrets that the host shows once, so that two responses compare. */
const describeEffect = ({ changes }: Applied): string =>
  JSON.stringify(changes.map(({ kind, name, action, before, after }) => [kind, name, action, before, after]));

async function reportApplied(terminal: Terminal, plan: Applied, applied: Applied): Promise<void> {
  const { created_count: created, updated_count: updated } = applied;
  await printSecrets(terminal.stdout, applied);
  await terminal.stderr.write(`Applied: ${formatCount(created)} created, ${formatCount(updated)} changed.\n`);
  if (describeEffect(plan) !== describeEffect(applied))
    await terminal.stderr.write('Someone else changed the tenant meanwhile, so this is not what was shown above.\n');
}

export const apply = defineCommand({
  name: 'apply',
  summary: 'Change the tenant to match a configuration file',
  description: [
    'Roles, accounts, identity provider, audit settings, domains, datamaps and marketplace items, from YAML or JSON, in one transaction. Objects that the file does not name stay.',
    'First asks the host what would change and shows it. Then asks you on a terminal, or applies at once with --yes. An invitation or secret of a new account is printed once.',
    'With --json, prints the response of the API as one line.',
  ].join('\n\n'),
  arguments: { file: { meaning: 'File to apply; - for stdin.', isRequired: true, completes: 'file' } },
  options: {
    diff: { kind: 'flag', meaning: 'Show the changes value by value, not only the objects that change.' },
    dryRun: { kind: 'flag', meaning: 'Show the changes and apply nothing.' },
    yes: { kind: 'flag', short: 'y', meaning: 'Apply without asking.' },
  },
  examples: [
    { command: 'apply acme.yaml --diff', does: 'shows the changes, and asks before applying them', notRun: 'it asks' },
    {
      command: 'apply acme.yaml --diff --dry-run',
      does: 'shows the changes only',
      notRun: 'acme.yaml is your own file',
    },
    { command: 'apply acme.yaml --yes', does: 'applies the file in a script', notRun: 'acme.yaml is your own file' },
  ],
  routes: ['POST /admin/apply'],
  run: async (context, { arguments: { file }, options }) => {
    const { terminal, globals, connect, signal } = context;
    const { diff, dryRun, yes } = options;
    const mayAsk = terminal.isInteractive && file !== '-' && !globals.isJson;
    if (!dryRun && !yes && !mayAsk)
      throw new UsageError(
        'This needs your consent, which is asked for on a terminal only, and not with --json or a file from stdin. Add --yes to apply the file, or --dry-run to see the changes.',
      );
    const configuration = await readConfiguration(file, terminal.stdin, signal);
    const { client } = await connect();
    const plan = await planConfiguration(client, configuration, signal);
    if (!globals.isJson) await printPlan(terminal, plan, diff);
    const isOnlyShown = dryRun || configuration.value['dry_run'] === true;
    if (isOnlyShown) {
      if (globals.isJson) await terminal.stdout.write(`${JSON.stringify(plan)}\n`);
      return;
    }
    const changes = plan.created_count + plan.updated_count;
    if (changes === 0 && !globals.isJson) return;
    if (!yes) await requireConsent(context);
    const applied = await applyConfiguration(client, configuration, signal);
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify(applied)}\n`);
    await reportApplied(terminal, plan, applied);
  },
});
