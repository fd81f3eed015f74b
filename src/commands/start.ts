import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction } from '../db/sql.ts'
import {
  DEMO_ACCOUNT,
  DEMO_EMAIL,
  demoPassword,
  demoTokens,
  fillDemo,
  openDemo,
  type DemoAccess,
} from '../demo/seed.ts'
import { startPictureServer } from '../demo/pictures/server.ts'
import { accountsList } from '../accounts/accounts.sql.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Service } from '../service.ts'
import { ACCESS_FILE, DEMO_ALLOW } from './demo-note.ts'
import { openPrinter } from './print.ts'
import { serve } from './serve.ts'

const DEMO_PRODUCTS = 2_000

/** `npm start`: the whole service in one process, with a demo account at the first start. */
export async function start(): Promise<void> {
  // quiet by default, so that the greeting is seen
  process.env['LOG_LEVEL'] ??= 'warn'
  process.env['OUTBOUND_ALLOW'] ??= DEMO_ALLOW
  // the demo's pictures come from this machine
  process.env['MIRROR_PER_SECOND'] ??= '20'
  const closing: (() => Promise<void>)[] = []
  try {
    await serve(['api', 'work'], async (runtime, service) => {
      process.stdout.write(greeting(await demoAccess(runtime, closing), service))
    })
  } finally {
    for (const close of closing) await close()
  }
}

/** The content of ACCESS_FILE. */
interface DemoNote extends DemoAccess {
  /** False while the demo is being filled; the next start then continues to fill it. */
  isFilled: boolean
  /** Where its suppliers' server of pictures listens; a note of an older release has none. */
  picturesPort?: number
}

/** Access to the demo, which is created or completed if needed; null when the database has only other accounts. */
async function demoAccess(runtime: Runtime, closing: (() => Promise<void>)[]): Promise<DemoAccess | null> {
  const file = join(runtime.settings.dataDir, ACCESS_FILE)
  const keep = (note: DemoNote) => writeFile(file, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
  const accounts = await accountsList(runtime.db)
  const demo = accounts.find((row) => row.name === DEMO_ACCOUNT)
  if (demo === undefined && accounts.length > 0) return null
  // with DATABASE_URL and SECRET_KEY nothing else has needed it yet; before the account, whose tokens would be lost
  await mkdir(runtime.settings.dataDir, { recursive: true }).catch((error: unknown) => {
    throw new ShelfwireError(
      'settings-invalid',
      `DATA_DIR ${runtime.settings.dataDir} cannot be created: ${asError(error).message}`,
      { cause: error },
    )
  })
  let note = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as DemoNote,
    () => null,
  )
  if (note === null || note.accountId !== demo?.accountId) {
    // tokens cannot be read back from the database: without the file the demo gets new ones
    const access =
      demo === undefined
        ? await openDemo(runtime.db)
        : { accountId: demo.accountId, ...(await inTransaction(runtime.db, (tx) => demoTokens(tx, demo.accountId))) }
    note = { ...access, password: '', isFilled: false }
    await keep(note)
  }
  // missing, too, from a file of a release without the panel
  if ((note.password ?? '') === '') {
    note = { ...note, password: await demoPassword(runtime.db, note.accountId) }
    await keep(note)
  }
  const pictures = await startPictureServer(note.picturesPort ?? 0).catch((error: unknown) => {
    // those that were not fetched yet are asked for again after the next start
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
    await keep({ ...note, isFilled: true })
  }
  return note
}

function greeting(access: DemoAccess | null, service: Service): string {
  const base = `${service.url}/v1`
  const head = `\nShelfwire is running.\n\n  API             ${base}\n  Panel           ${service.url}/panel\n  Documentation   ${service.url}/docs\n`
  if (access === null) {
    return `${head}\nThis data directory has accounts but no demo; create a token with\n\n  npx shelfwire token create --account ID --access connector\n\nand who signs in to its panel with\n\n  npx shelfwire member create --account ID --email ADDRESS\n\nStop with Ctrl-C.\n`
  }
  return `${head}
  Demo account    ${DEMO_ACCOUNT}: stores uk (en-GB, GBP), de (de-DE, EUR), pl (pl-PL, PLN)
  Connector token ${access.connectorToken}
  Full token      ${access.fullToken}
  Panel login     ${DEMO_EMAIL}, password ${access.password}

Try it:

  curl -s -H 'Authorization: Bearer ${access.connectorToken}' '${base}/products?store=de&per_page=1'

Receive changes, in two other terminals; the first prints the secret for the second:

  npx shelfwire endpoint create --account ${access.accountId} --url http://127.0.0.1:9000/hook --events price,content,removed
  npx shelfwire listen --url http://127.0.0.1:9000/hook --secret SECRET

Stop with Ctrl-C; the data stays for the next start.
`
}
