import { mkdir } from 'node:fs/promises'
import { inTransaction } from '../../db/sql.ts'
import {
  DEMO_ACCOUNT,
  DEMO_EMAIL,
  demoPassword,
  demoTokens,
  fillDemo,
  openDemo,
  DEMO_PRODUCTS,
} from '../../demo/seed.ts'
import { startPictureServer } from '../../demo/pictures/server.ts'
import { accountsList } from '../../accounts/accounts.sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Service } from '../../service.ts'
import { DEMO_ALLOW, keepNote, readNote, type DemoNote } from '../console/demo-note.ts'
import { fillInBackground, openShop, webhookGreeting, type OpenShop } from './demo-shop.ts'
import { backdateAccount } from '../../demo/past/alive.ts'
import { openPrinter } from '../console/print.ts'
import { firstOwnerNote, serve } from './serve.ts'

/** `npm start`: the whole service in one process, with a demo account at the first start unless DEMO=no. */
export async function start(): Promise<void> {
  // quiet by default, so that the greeting can be seen
  process.env['LOG_LEVEL'] ??= 'warn'
  if (process.env['DEMO'] !== 'no') process.env['OUTBOUND_ALLOW'] ??= DEMO_ALLOW
  // faster than the default, because the demo's pictures are served by this machine
  process.env['MIRROR_PER_SECOND'] ??= '20'
  const closing: (() => Promise<void>)[] = []
  try {
    await serve(['api', 'work'], async (runtime, service) => {
      const access = runtime.settings.demo ? await demoAccess(runtime, closing) : null
      const shop = access === null ? null : await openShop(runtime, access, closing)
      const firstOwner = access === null ? await firstOwnerNote(runtime.log, service) : null
      process.stdout.write(greeting(access, service, shop, firstOwner))
      return shop === null || access === null ? undefined : fillInBackground(runtime, access, shop)
    })
  } finally {
    for (const close of closing) await close()
  }
}

/** The access to the demo, which is created or completed if needed; null if the database has only other accounts. */
async function demoAccess(runtime: Runtime, closing: (() => Promise<void>)[]): Promise<DemoNote | null> {
  const { dataDir } = runtime.settings
  const keep = (note: DemoNote) => keepNote(dataDir, note)
  const accounts = await accountsList(runtime.db)
  const demo = accounts.find((row) => row.name === DEMO_ACCOUNT)
  if (demo === undefined && accounts.length > 0) return null
  // with DATABASE_URL and SECRET_KEY, nothing has needed the directory yet; created before the account, whose tokens
  // would be lost without it
  await mkdir(dataDir, { recursive: true }).catch((error: unknown) => {
    throw new ShelfwireError('settings-invalid', `DATA_DIR ${dataDir} cannot be created: ${asError(error).message}`, {
      cause: error,
    })
  })
  let note = await readNote(dataDir)
  if (note === null || note.accountId !== demo?.accountId) {
    // tokens cannot be read back from the database: without the file the demo gets new ones
    const access =
      demo === undefined
        ? await openDemo(runtime.db)
        : { accountId: demo.accountId, ...(await inTransaction(runtime.db, (tx) => demoTokens(tx, demo.accountId))) }
    note = { ...access, password: '', isFilled: false }
    await keep(note)
  }
  // also missing in a file of a release without the panel
  if ((note.password ?? '') === '') {
    note = { ...note, password: await demoPassword(runtime.db, note.accountId) }
    await keep(note)
  }
  const pictures = await startPictureServer(note.picturesPort ?? 0).catch((error: unknown) => {
    // pictures that were not fetched yet are fetched after the next start
    runtime.log.warn({ err: error }, 'the demo’s pictures cannot be served')
    return null
  })
  if (pictures !== null) {
    closing.push(() => pictures.close())
    if (note.picturesPort === undefined && !note.isFilled) {
      note = { ...note, picturesPort: pictures.port }
      await keep(note)
    }
  }
  if (!note.isFilled) {
    using progress = openPrinter(false).progress('Creating the demo account')
    await fillDemo(
      runtime,
      note.accountId,
      DEMO_PRODUCTS,
      ({ step, done, total }) => progress.update(done, total, step.padEnd(32)),
      note.picturesPort === undefined ? undefined : `http://127.0.0.1:${note.picturesPort}/`,
    )
    if (demo === undefined) await backdateAccount(runtime.db, note.accountId)
    note = { ...note, isFilled: true }
    await keep(note)
  }
  return note
}

function greeting(access: DemoNote | null, service: Service, shop: OpenShop | null, firstOwner: string | null): string {
  const base = `${service.url}/v1`
  const head = `\nShelfwire is running.\n\n  API             ${base}\n  Panel           ${service.url}/panel\n  Documentation   ${service.url}/docs\n`
  if (firstOwner !== null) return `${head}\n${firstOwner}\nStop with Ctrl-C; the data stays for the next start.\n`
  if (access === null) {
    return `${head}\nCreate a token of an account with\n\n  npx shelfwire token create --account ID --access connector\n\nand somebody who signs in to its panel with\n\n  npx shelfwire member create --account ID --email ADDRESS\n\nStop with Ctrl-C.\n`
  }
  return `${head}
  Demo account    ${DEMO_ACCOUNT}: stores uk (en-GB, GBP), de (de-DE, EUR), pl (pl-PL, PLN)
  Connector token ${access.connectorToken}
  Full token      ${access.fullToken}
  Panel login     ${DEMO_EMAIL}, password ${access.password}

Try it:

  curl -s -H 'Authorization: Bearer ${access.connectorToken}' '${base}/products?store=de&per_page=1'

${shop === null ? '' : webhookGreeting(access, service, shop)}Stop with Ctrl-C; the data stays for the next start.
`
}
