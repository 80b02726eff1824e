import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const LICENSE_FILE = 'LICENSE';
/** Folder of an installed package within the path of one of its modules. */
const PACKAGE_FOLDER = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Adds the licences of packages that only workers contain: the option `build.license` lists those of the page. */
export function workerLicenses(fileName: string): { readonly page: Plugin; readonly worker: Plugin } {
  const folders = new Set<string>();
  let path: string;
  return {
    worker: {
      name: 'collect-worker-packages',
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle))
          for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
            const [, folder] = PACKAGE_FOLDER.exec(id) ?? [];
            if (folder !== undefined) folders.add(folder);
          }
      },
    },
    page: {
      name: 'write-worker-licenses',
      apply: 'build',
      configResolved({ root, build }) {
        path = join(root, build.outDir, fileName);
      },
      closeBundle() {
        const listed = readFileSync(path, 'utf8');
        for (const folder of folders) {
          const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
          const heading = `## ${name} - ${version} (${license})`;
          if (listed.includes(heading)) continue;
          appendFileSync(path, `\n${heading}\n\n${readFileSync(join(folder, LICENSE_FILE), 'utf8').trim()}\n`);
        }
      },
    },
  };
}
