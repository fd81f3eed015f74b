// Prints the packages of an installation with their licences, as CycloneDX. `npm sbom --omit=dev` in a clone omits packages that both the
// service and a development package need (npm 11.19), and includes those of the panel's sources. So the list is made from a copy of the
// lock file without workspaces and development packages.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const made = mkdtempSync(join(tmpdir(), 'shelfwire-sbom-'))
// npm names the list's subject after its folder
const directory = join(made, 'shelfwire')
try {
  mkdirSync(directory)
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(new URL(`../${name}`, import.meta.url), join(directory, name))
  npm('ignore', 'pkg', 'delete', 'workspaces', 'devDependencies')
  npm('ignore', 'install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund')
  npm('inherit', 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')
} finally {
  rmSync(made, { recursive: true })
}

/** Runs npm on the copies, without the npm_* variables of the npm that runs this script. */
function npm(stdout, ...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  const { status, error } = spawnSync('npm', args, {
    cwd: directory,
    env,
    stdio: ['ignore', stdout, 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw error ?? new Error(`npm ${args[0]} ended with ${status}`)
}
