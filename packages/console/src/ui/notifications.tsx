import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from '../router/link.tsx';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import './notifications.css';

type Tone = 'success' | 'info' | 'danger';

interface Notification {
  readonly text: string;
  /** Default: info. A `danger` stays until the user closes it. */
  readonly tone?: Tone;
  /** Page with more about it. */
  readonly link?: { readonly to: string; readonly text: string };
}

interface ShownNotification extends Notification {
  readonly id: number;
}

const NOTIFIED = 'sluice:notified';
/** Long enough to read two sentences. */
const SHOWN_MS = 6000;
const SHOWN_MAX = 4;
const ICONS: Readonly<Record<Tone, IconName>> = { success: 'check', info: 'info', danger: 'error' };

let lastId = 0;

/** Shows a short message at the edge of the page, such as "Copied", and announces it. */
export function notify(notification: Notification): void {
  lastId += 1;
  window.dispatchEvent(new CustomEvent<ShownNotification>(NOTIFIED, { detail: { ...notification, id: lastId } }));
}

interface NotificationsProps {
  /** Name of the region, for screen readers. */
  readonly label: string;
  readonly closeLabel: string;
}

/** The place of notifications. The frame of the page has it once. */
export function Notifications({ label, closeLabel }: NotificationsProps) {
  const [shown, setShown] = useState<readonly ShownNotification[]>([]);
  useEffect(() => {
    const add = (event: Event): void => {
      const added = (event as CustomEvent<ShownNotification>).detail;
      // The same message once more replaces the first one, so that it is announced again, and not stacked.
      setShown((before) => [...before.filter(({ text }) => text !== added.text), added].slice(-SHOWN_MAX));
    };
    window.addEventListener(NOTIFIED, add);
    return () => window.removeEventListener(NOTIFIED, add);
  }, []);
  return (
    <section className="notifications" aria-label={label} aria-live="polite">
      {shown.map((notification) => (
        <NotificationCard
          key={notification.id}
          notification={notification}
          closeLabel={closeLabel}
          onClose={() => setShown((before) => before.filter(({ id }) => id !== notification.id))}
        />
      ))}
    </section>
  );
}

interface NotificationCardProps {
  readonly notification: Notification;
  readonly closeLabel: string;
  readonly onClose: () => void;
}

function NotificationCard({ notification, closeLabel, onClose }: NotificationCardProps) {
  const { text, tone = 'info', link } = notification;
  const [isPointed, setIsPointed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isHeld = isPointed || hasFocus;
  // Not a dependency of the effect: another notification must not start this one's time again.
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (tone === 'danger' || isHeld) return;
    const timer = setTimeout(() => close(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [tone, isHeld]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its time stops for a reader; what can be done is in its link and button
    <div
      className="notification"
      data-tone={tone}
      onPointerEnter={() => setIsPointed(true)}
      onPointerLeave={() => setIsPointed(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <Icon name={ICONS[tone]} />
      <p className="notification__text">
        {text}{' '}
        {link !== undefined && (
          <Link to={link.to} onClick={onClose}>
            {link.text}
          </Link>
        )}
      </p>
      <IconButton icon="close" size="s" label={closeLabel} onPress={onClose} />
    </div>
  );
}
