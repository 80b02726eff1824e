import { useTranslation } from '../../i18n/translate.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { VisibleText, visibleText } from '../../ui/visible-text.tsx';
import type { InviteLine, LineFault } from './invite-lines.ts';
import type { LineResult } from './use-invite-several.ts';
import './invite-table.css';

interface InviteTableProps {
  readonly lines: readonly InviteLine[];
  /** Results by e-mail. Undefined: nothing is sent yet. */
  readonly results: ReadonlyMap<string, LineResult> | undefined;
}

/** The lines of a list, each with its fault or result. */
export function InviteTable({ lines, results }: InviteTableProps) {
  const { t, formatNumber } = useTranslation();
  return (
    <div className="invite-table">
      <DataTable
        label={t('admin.invite-several.lines')}
        items={lines}
        idOf={({ line }) => String(line)}
        columns={[
          {
            id: 'email',
            title: t('admin.user.email'),
            cell: ({ email }) => <VisibleText text={email} />,
          },
          {
            id: 'line',
            title: t('admin.invite-several.line'),
            cell: ({ line }) => formatNumber(line),
            isNumber: true,
          },
          { id: 'roles', title: t('admin.roles'), cell: ({ roles }) => roles.join(', ') },
          {
            id: 'result',
            title: t('admin.invite-several.result'),
            cell: (line) =>
              line.fault === undefined ? (
                <ResultText email={line.email} result={results?.get(line.email)} />
              ) : (
                <FaultText fault={line.fault} />
              ),
          },
        ]}
      />
    </div>
  );
}

function FaultText({ fault }: { readonly fault: LineFault }) {
  const { t } = useTranslation();
  const sentence = useFaultSentence();
  return (
    <>
      <Badge tone={fault.kind === 'exists' ? 'neutral' : 'danger'}>{t('admin.invite-several.left-out')}</Badge>{' '}
      <VisibleText text={sentence(fault)} />
    </>
  );
}

/** Returns a function from a fault to its sentence. */
function useFaultSentence(): (fault: LineFault) => string {
  const { t, formatNumber } = useTranslation();
  return (fault) => {
    switch (fault.kind) {
      case 'unknown-role':
        return t('admin.invite-several.fault.unknown-role', { role: fault.role });
      case 'repeated':
        return t('admin.invite-several.fault.repeated', { line: formatNumber(fault.line) });
      case 'rejected':
        return fault.message;
      case 'no-email':
        return t('admin.invite-several.fault.no-email');
      case 'too-long':
        return t('admin.invite-several.fault.too-long');
      case 'exists':
        return t('admin.invite-several.fault.exists');
    }
  };
}

interface ResultTextProps {
  readonly email: string;
  readonly result: LineResult | undefined;
}

function ResultText({ email, result }: ResultTextProps) {
  const { t } = useTranslation();
  if (result === undefined) return <Badge tone="info">{t('admin.invite-several.is-new')}</Badge>;
  if (result.state === 'waiting') return <Badge>{t('admin.invite-several.waiting')}</Badge>;
  if (result.state === 'failed')
    return (
      <>
        <Badge tone="danger">{t('admin.invite-several.failed')}</Badge> <VisibleText text={result.message} />
      </>
    );
  return (
    <span className="invite-table__link">
      <Badge tone="success">{t('admin.invite-several.invited')}</Badge>
      <CopyButton text={result.url} label={t('admin.invite-several.copy-one', { email: visibleText(email) })} />
    </span>
  );
}
