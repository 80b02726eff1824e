import { useDomainNames } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Note, Row } from '../ui/layout.tsx';
import { StickyBar } from '../ui/page.tsx';
import { DiscardButton } from './discard-button.tsx';
import type { MetadataEdit } from './use-metadata-edit.ts';

/** Id of the form that the bar saves. A page has one. */
export const METADATA_FORM_ID = 'metadata-form';

/** Bar at the lower edge of the page, which saves an object and its columns from wherever the user is on the page. */
export function MetadataSaveBar({ edit }: { readonly edit: MetadataEdit }) {
  const { t } = useTranslation();
  const { isRunning, failure } = edit.saving;
  return (
    <StickyBar label={t('action.save')}>
      <Failure error={failure} />
      {edit.conflicts.length > 0 && <p>{t('steward.edit.decide')}</p>}
      <RemovedValues edit={edit} />
      <Row>
        <Button
          kind="primary"
          type="submit"
          form={METADATA_FORM_ID}
          isDisabled={isRunning || !edit.hasEdits || edit.isUnnamed || edit.conflicts.length > 0}
        >
          {t('action.save')}
        </Button>
        <DiscardButton hasEdits={edit.hasEdits} isDisabled={isRunning} onDiscard={edit.discard} />
        {edit.hasEdits && <Note size="s">{t('steward.edit.unsaved')}</Note>}
      </Row>
    </StickyBar>
  );
}

/** Removed values that are listed: the bar must not cover what the user types. */
const LISTED_MAX = 3;

/** Descriptions and tags that saving removes. Renders nothing without any. */
function RemovedValues({ edit }: { readonly edit: MetadataEdit }) {
  const { t } = useTranslation();
  const nameOf = useDomainNames();
  const losses = edit.removed.map(({ field, name, tags: lost }) => {
    const property = t(`describe.property.${name}`);
    const tags = name === 'domains' ? lost.map(nameOf) : lost;
    const what = field === null ? property : t('steward.conflict.field', { property, field: visibleText(field) });
    return tags.length === 0
      ? t('steward.impact.description', { what })
      : t('steward.impact.tags', { what, tags: tags.map(visibleText).join(', ') });
  });
  if (losses.length === 0) return null;
  const more = losses.length - LISTED_MAX;
  return (
    <Impact losses={more > 0 ? [...losses.slice(0, LISTED_MAX), t('steward.impact.more', { count: more })] : losses} />
  );
}
