// What `npm pack` runs first: the service as JavaScript in dist/, and the panel in panel/dist. It installs the development packages, which
// `npm start` leaves out. Plain JavaScript with Node's own modules, like all of bin/.
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
  // said of the package that is made; the npm that installs would heed them, too
  for (const name of ['dry_run', 'json', 'omit', 'include', 'workspace', 'workspaces', 'pack_destination'])
    delete process.env[`npm_config_${name}`]
  await ensureInstalled()
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  await buildBundle(join(ROOT, 'dist'))
  if (!(await buildPanel())) throw new LaunchError('the package would have no panel')
} catch (error) {
  failLaunch(error)
}
