import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

/** Describes the machine of a run in one sentence, without its name. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? '';
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const kind = model === '' || model === 'unknown' ? '' : ` (${model})`;
  return `${availableParallelism()} processors${kind}, ${memory} of memory, ${system()}, Node.js ${process.versions.node}`;
}

function system(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    return `${name} (${arch()})`;
  } catch {
    return `${platform()} (${arch()})`;
  }
}
