// `npm pack` runs this first: it builds the service as JavaScript into dist/, and the panel into panel/dist. It installs the development
// packages, which `npm start` leaves out. Plain JavaScript that uses only Node's own modules, like all of bin/.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildBundle } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'
import { failLaunch, LaunchError } from './node24.mjs'
import { buildPanel } from './panel.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

try {
  // these options are meant for `npm pack`, but the `npm` that installs the packages would obey them, too
  for (const name of ['dry_run', 'json', 'omit', 'include', 'workspace', 'workspaces', 'pack_destination'])
    delete process.env[`npm_config_${name}`]
  await ensureInstalled()
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  await buildBundle(join(ROOT, 'dist'))
  if (!(await buildPanel())) throw new LaunchError('the package would have no panel')
} catch (error) {
  failLaunch(error)
}
