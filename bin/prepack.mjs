// What `npm pack` runs first: the service as JavaScript in dist/, and the panel in panel/dist. It installs the development packages, which
// `npm start` leaves out. Plain JavaScript with Node's own modules, like all of bin/.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'
import { failLaunch, LaunchError } from './node24.mjs'
import { buildPanel } from './panel.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

try {
  // said of the package that is made; the npm that installs would heed them, too
  for (const name of ['dry_run', 'json', 'omit', 'include', 'workspace', 'workspaces', 'pack_destination'])
    delete process.env[`npm_config_${name}`]
  await ensureInstalled()
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  // standard output is npm's, which prints JSON there when it is asked to
  const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  })
  if (compiled.status !== 0) throw new LaunchError('the sources could not be compiled, the messages are above')
  if (!(await buildPanel())) throw new LaunchError('the package would have no panel')
} catch (error) {
  failLaunch(error)
}
