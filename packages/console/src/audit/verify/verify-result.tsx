import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { createCheckpointFile } from './checkpoint-file.ts';
import { FactTable } from './fact-table.tsx';
import { FoundChange } from './found-change.tsx';
import { useProvenFacts } from './use-proven-facts.ts';
import type { Verification } from './use-verification.ts';

interface VerifyResultProps {
  readonly verification: Verification;
  /** Called when the user follows a link to a record. */
  readonly onFollow: () => void;
}

const PACKAGE_NAME = 'evidence.zip';

/** The verdict: what is proven and what is not, or the first record that is not as it was sealed. */
export function VerifyResult({ verification, onFollow }: VerifyResultProps) {
  const { finding } = verification.verdict;
  return (
    <section className="verify-result" data-verdict={finding === undefined ? 'whole' : 'changed'}>
      {finding === undefined ? (
        <Proven verification={verification} />
      ) : (
        <FoundChange finding={finding} verification={verification} onFollow={onFollow} />
      )}
      <Files verification={verification} />
    </section>
  );
}

function Proven({ verification }: Pick<VerifyResultProps, 'verification'>) {
  const { t } = useTranslation();
  const { facts, unproven } = useProvenFacts(verification);
  const { records } = verification.verdict;
  return (
    <>
      <h3 className="verify-result__title">
        <Icon name="check" />
        {t(records === 0 ? 'audit.verify.whole.none' : 'audit.verify.whole', { count: records })}
      </h3>
      <FactTable facts={facts} />
      <p>{unproven}</p>
    </>
  );
}

function Files({ verification: { file, keys, checkpoint, verdict } }: Pick<VerifyResultProps, 'verification'>) {
  const { t } = useTranslation();
  const { latest, finding } = verdict;
  const command = `sluice audit verify ${PACKAGE_NAME} --keys operator-keys.txt`;
  const saveCheckpoint = async () => {
    if (latest !== undefined)
      saveFile(await createCheckpointFile(latest, keys), `audit-checkpoint-${checkpoint?.number}.json`);
  };
  return (
    <>
      <div className="verify-dialog__buttons">
        {finding === undefined && latest !== undefined && (
          <Button icon="download" onPress={() => void saveCheckpoint()}>
            {t('audit.verify.save-checkpoint')}
          </Button>
        )}
        <Button icon="download" onPress={() => saveFile(file, PACKAGE_NAME)}>
          {t('audit.verify.save-package')}
        </Button>
      </div>
      <p className="verify-result__command">
        <code>{command}</code>
        <CopyButton text={command} label={t('action.copy-command')} />
      </p>
    </>
  );
}
