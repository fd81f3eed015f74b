import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_ACCOUNT, seedDemo, type DemoAccess } from '../demo/seed.ts'
import { accountsList } from '../accounts/store.ts'
import type { House, Service } from '../house.ts'
import { openPrinter } from './print.ts'
import { serve } from './serve.ts'

const DEMO_PRODUCTS = 2_000
/** Tokens are kept as hashes only, so the demo's are written down for the next start to print; mode 0600. */
const ACCESS_FILE = 'demo-access.json'

/** `npm start`: the whole service in one process, with a demo account at the first start. */
export async function start(): Promise<void> {
  // the greeting is what matters here; LOG_LEVEL brings the log back
  process.env['LOG_LEVEL'] ??= 'warn'
  await serve(['api', 'work'], async (house, service) => {
    process.stdout.write(greeting(await demoAccess(house), service))
  })
}

async function demoAccess(house: House): Promise<DemoAccess | null> {
  const file = join(house.settings.dataDir, ACCESS_FILE)
  const accounts = await accountsList(house.db)
  if (accounts.length > 0) {
    const access = await readFile(file, 'utf8').then((text) => JSON.parse(text) as DemoAccess, () => null)
    return access !== null && accounts.some((row) => row.accountId === access.accountId && row.name === DEMO_ACCOUNT) ? access : null
  }
  using progress = openPrinter(false).progress('Making the demo account')
  const access = await seedDemo(house, DEMO_PRODUCTS, ({ step, done, total }) => progress.update(done, total, step.padEnd(32)))
  await writeFile(file, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  return access
}

function greeting(access: DemoAccess | null, service: Service): string {
  const base = `${service.url}/v1`
  const head = `\nShelfwire is running.\n\n  API             ${base}\n  Documentation   ${service.url}/docs\n`
  if (access === null) {
    return `${head}\nThis data directory has accounts but no demo; make a token with\n\n  npx shelfwire token create --account ID --access connector\n\nStop with Ctrl-C.\n`
  }
  return `${head}
  Demo account    ${DEMO_ACCOUNT}: stores uk (en-GB, GBP), de (de-DE, EUR), pl (pl-PL, PLN)
  Connector token ${access.connectorToken}
  Full token      ${access.fullToken}

Try it:

  curl -s -H 'Authorization: Bearer ${access.connectorToken}' '${base}/products?store=de&per_page=1'

Stop with Ctrl-C; the data stays and the next start goes on with it.
`
}
