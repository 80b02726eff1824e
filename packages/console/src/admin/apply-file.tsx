import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AppliedFile } from './applied-file.tsx';
import { ConfigurationChanges } from './configuration-changes.tsx';
import { type Applied, effectOf, mediaTypeOf } from './configuration-diff.ts';
import { FileMistakes } from './file-mistakes.tsx';
import { useRereadAdmin } from './use-admin.ts';
import { useChangeNotice } from './use-change-notice.ts';
import './admin-list.css';

/** Limit of the host. */
const FILE_BYTES_MAX = 1024 * 1024;

/** Text that was typed and not applied. It survives a change of the tab, and is never stored: it may contain a secret. */
const kept = { text: '' };

interface Plan {
  /** The text whose changes these are. */
  readonly text: string;
  readonly changes: Applied;
}

/** Changes the tenant to match a configuration file, after its changes have been shown. */
export function ApplyFile() {
  const { t } = useTranslation();
  const [text, setText] = useState(kept.text);
  const [plan, setPlan] = useState<Plan>();
  const [applied, setApplied] = useState<Applied>();
  const [isTooLarge, setTooLarge] = useState(false);
  const client = useClient();
  const [sent, setSent] = useState('');
  const planning = useAction(async () => {
    setPlan(undefined);
    setSent(text);
    const headers = { 'content-type': mediaTypeOf(text) };
    setPlan({
      text,
      changes: await client.api.applyConfiguration({ query: { dry_run: 'true' }, body: text, headers }),
    });
  });
  const change = (next: string): void => {
    setText(next);
    kept.text = next;
    setTooLarge(false);
  };
  const open = async (file: File) => {
    if (file.size > FILE_BYTES_MAX) setTooLarge(true);
    else change(await file.text());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void planning.start();
  };
  return (
    <div className="admin-list">
      <form className="admin-list" onSubmit={submit}>
        <p>{t('admin.apply.about')}</p>
        <TextField
          label={t('admin.apply.file')}
          description={t('admin.apply.file.about')}
          value={text}
          lines={12}
          spellCheck="false"
          onChange={change}
          problem={isTooLarge ? t('admin.apply.too-large') : undefined}
        />
        <div className="admin-list__tools">
          <FileButton
            label={t('admin.apply.open')}
            accept={['.yaml', '.yml', '.json']}
            onOpen={(file) => void open(file)}
          />
          <Button kind="primary" type="submit" isDisabled={planning.isRunning || text.trim() === ''}>
            {t(planning.isRunning ? 'admin.apply.planning' : 'admin.apply.plan')}
          </Button>
        </div>
        <Failure error={planning.failure} />
        <FileMistakes error={planning.failure} text={sent} />
      </form>
      {plan !== undefined && <PlannedFile plan={plan} isCurrent={plan.text === text} onApplied={setApplied} />}
      {applied !== undefined && (
        <AppliedFile
          applied={applied}
          isAsShown={plan !== undefined && effectOf(plan.changes) === effectOf(applied)}
          onClose={() => {
            setApplied(undefined);
            setPlan(undefined);
          }}
        />
      )}
    </div>
  );
}

interface PlannedFileProps {
  readonly plan: Plan;
  /** The text is the one whose changes are shown. */
  readonly isCurrent: boolean;
  readonly onApplied: (applied: Applied) => void;
}

function PlannedFile({ plan, isCurrent, onApplied }: PlannedFileProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const notice = useChangeNotice();
  const { changes, text } = plan;
  const count = changes.created_count + changes.updated_count;
  const { start, isRunning, failure } = useAction(async () => {
    try {
      const applied = await client.api.applyConfiguration({
        body: text,
        headers: { 'content-type': mediaTypeOf(text) },
      });
      onApplied(applied);
      if (!applied.dry_run) notice(t('admin.apply.applied'), { action: 'APPLY_CONFIGURATION' });
    } finally {
      reread();
    }
  });
  return (
    <section className="admin-list" aria-label={t('admin.apply.changes')}>
      <h2>{t('admin.apply.changes')}</h2>
      <ConfigurationChanges applied={changes} />
      <Failure error={failure} />
      <FileMistakes error={failure} text={text} />
      {failure !== undefined && <p>{t('admin.apply.all-or-nothing')}</p>}
      {!isCurrent && <p role="status">{t('admin.apply.outdated')}</p>}
      {count > 0 && (
        <div className="admin-list__tools">
          <Button kind="danger" isDisabled={isRunning || !isCurrent} onPress={() => void start()}>
            {t('admin.apply.now', { count })}
          </Button>
        </div>
      )}
    </section>
  );
}
