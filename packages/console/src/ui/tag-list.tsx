import { Link } from '../router/link.tsx';
import { searchPath } from '../router/search-address.ts';
import { Badge } from './badge.tsx';
import { VisibleText } from './visible-text.tsx';
import './tag-list.css';

interface TagListProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** Most tags that are shown. Default: all. */
  readonly max?: number;
}

/** Tags of an object. Each leads to the objects that have it. */
export function TagList({ label, tags, max = tags.length }: TagListProps) {
  if (tags.length === 0) return null;
  const hidden = tags.length - max;
  return (
    <ul className="tag-list" aria-label={label}>
      {tags.slice(0, max).map((tag) => (
        <li key={tag}>
          <Link className="tag-list__tag" to={searchPath({ tag })}>
            <Badge>
              <VisibleText text={tag} />
            </Badge>
          </Link>
        </li>
      ))}
      {hidden > 0 && <li className="tag-list__more">{`+${hidden}`}</li>}
    </ul>
  );
}
