import { Link } from '../router/link.tsx';
import { searchPath } from '../router/search-address.ts';
import { Badge } from './badge.tsx';
import { VisibleText } from './visible-text.tsx';
import './tag-list.css';

/** A tag or a domain of an object, and the way to others that have it. */
interface TagLink {
  readonly id: string;
  readonly text: string;
  readonly to: string;
  readonly isDomain?: boolean;
}

interface TagLinksProps {
  readonly label: string;
  readonly links: readonly TagLink[];
  /** Most links that are shown. Default: all. */
  readonly max?: number;
}

/** Tags or domains of an object, each a link. */
export function TagLinks({ label, links, max = links.length }: TagLinksProps) {
  if (links.length === 0) return null;
  const hidden = links.length - max;
  return (
    <ul className="tag-list" aria-label={label}>
      {links.slice(0, max).map(({ id, text, to, isDomain = false }) => (
        <li key={`${isDomain ? 'domain' : 'tag'} ${id}`}>
          <Link className="tag-list__tag" to={to}>
            <Badge tone={isDomain ? 'info' : 'neutral'}>
              <VisibleText text={text} />
            </Badge>
          </Link>
        </li>
      ))}
      {hidden > 0 && <li className="tag-list__more">{`+${hidden}`}</li>}
    </ul>
  );
}

interface TagListProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** Most tags that are shown. Default: all. */
  readonly max?: number;
}

/** Tags of an object. Each leads to the objects that have it. */
export function TagList({ label, tags, max }: TagListProps) {
  const links = tags.map((tag) => ({ id: tag, text: tag, to: searchPath({ tag }) }));
  return <TagLinks label={label} links={links} {...(max === undefined ? {} : { max })} />;
}

/** Tags that lead nowhere. */
export function PlainTags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <ul className="tag-list">
      {tags.map((tag) => (
        <li key={tag}>
          <Badge>
            <VisibleText text={tag} />
          </Badge>
        </li>
      ))}
    </ul>
  );
}
