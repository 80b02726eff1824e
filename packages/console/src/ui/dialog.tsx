import { type ReactNode, useRef } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import { useOpenDialog } from './open-dialogs.ts';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called when the user closes the dialog. Undefined: only its own buttons close it. */
  readonly onClose?: () => void;
  /** `drawer`: as high as the window, at its start. Default: `m`. */
  readonly width?: 'm' | 'l' | 'drawer';
  /** `alertdialog` for a decision that the user must take before going on. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children: ReactNode;
}

/** Modal dialog. The focus moves into it and returns afterwards; Escape closes it. */
export function Dialog({ title, isOpen, onClose, width = 'm', role = 'dialog', children }: DialogProps) {
  const element = useRef<HTMLElement>(null);
  useOpenDialog(isOpen, (event) => {
    if (event.key === 'Escape') onClose?.();
    else element.current?.focus();
  });
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen={isOpen}
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => open || onClose?.()}
    >
      <Modal className="dialog-modal" data-width={width}>
        <AriaDialog ref={element} className="dialog" role={role}>
          <Heading slot="title" className="dialog__title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface DialogActionsProps {
  /** Closes a dialog that changes something, without the change: "Cancel". */
  readonly onCancel?: () => void;
  /** Closes a dialog that only shows something, or has done its work: "Close". */
  readonly onClose?: () => void;
  /** Buttons that lead to other steps, such as a deletion, apart from the main action. */
  readonly others?: ReactNode;
  /** The main action. */
  readonly children?: ReactNode;
}

/** Row of buttons at the end of a dialog; the main action comes last. */
export function DialogActions({ onCancel, onClose, others, children }: DialogActionsProps) {
  const { t } = useTranslation();
  return (
    <div className="dialog__actions">
      {others !== undefined && others !== false && <div className="dialog__others">{others}</div>}
      {onCancel !== undefined && <Button onPress={onCancel}>{t('action.cancel')}</Button>}
      {onClose !== undefined && <Button onPress={onClose}>{t('action.close')}</Button>}
      {children}
    </div>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  /** Name of the button that goes on. */
  readonly action: string;
  /** Name of the button that changes nothing. Default: "Cancel". */
  readonly cancel?: string;
  readonly isOpen: boolean;
  /** Whether `children` are still loading, which disables the confirmation. Default: false. */
  readonly isWaiting?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Consequences of the change. */
  readonly children: ReactNode;
}

/** Asks before a change that takes something away. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const { title, action, cancel = t('action.cancel'), isOpen, isWaiting = false, onConfirm, onClose, children } = props;
  return (
    <Dialog role="alertdialog" title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      <DialogActions>
        <Button onPress={onClose}>{cancel}</Button>
        <Button
          kind="danger"
          isDisabled={isWaiting}
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
