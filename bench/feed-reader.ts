import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { JSONParser } from '@streamparser/json'
import { parse } from 'csv-parse'
import { streamXlsxRows } from 'hucre/xlsx'
import { SaxesParser } from 'saxes'
import { runImport } from '../src/imports/run.ts'
import { silentLog } from '../src/platform/log.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { readMappingDocument } from '../src/supplier-files/mapping-document.ts'
import { readOfferPages } from '../src/supplier-files/read-offers.ts'
import { FEEDS, type FeedFormat } from './feed-files.ts'

// `node bench/feed-reader.ts bare|ours|import FORMAT FILE [ACCOUNT SUPPLIER]`: reads a file in a process of its own. bare: with the library that
// parses the format and nothing else; ours: as an import does; import: as an import into DATABASE_URL that must change nothing. Prints the rows,
// the processor seconds (which other work on the machine does not change), and the seconds.

const [how, name = '', file = '', ...ids] = process.argv.slice(2)
const format = name as FeedFormat
const runtime =
  how === 'import' ? await openRuntime(readSettings({ ...process.env, LOG_LEVEL: 'silent' }), silentLog) : undefined
const cpu = process.cpuUsage()
const from = performance.now()
const rows = how === 'bare' ? await bare() : runtime === undefined ? await ours() : await imported(runtime)
const wallSeconds = (performance.now() - from) / 1_000
const { user, system } = process.cpuUsage(cpu)
process.stdout.write(`${JSON.stringify({ rows, seconds: (user + system) / 1_000_000, wallSeconds })}\n`)
await runtime?.[Symbol.asyncDispose]()

function pages() {
  return readOfferPages(
    createReadStream(file, { highWaterMark: 1_048_576 }),
    readMappingDocument(FEEDS[format].mapping),
  )
}

async function ours(): Promise<number> {
  let count = 0
  for await (const page of pages()) {
    const bad = page.find((row) => 'faults' in row)
    if (bad !== undefined) throw new Error(JSON.stringify(bad))
    count += page.length
  }
  return count
}

async function imported({ db, wake }: Runtime): Promise<number> {
  const [accountId = 0, supplierId = 0] = ids.map(Number)
  const request = { accountId, supplier: { supplierId, currency: 'EUR' }, mode: 'full' as const }
  const report = await runImport(db, wake, request, pages())
  if (report.unchanged !== report.rows) throw new Error(`${report.unchanged} of ${report.rows} rows are unchanged`)
  return report.rows
}

/** Only parses. */
async function bare(): Promise<number> {
  const bytes = createReadStream(file, { highWaterMark: 1_048_576 })
  let count = 0
  if (format === 'csv' || format === 'csv.gz') {
    const parser = parse({ delimiter: ';', columns: true })
    const source = format === 'csv' ? bytes : bytes.pipe(createGunzip())
    for await (const _ of source.pipe(parser)) count++
  } else if (format === 'ndjson') {
    for await (const line of createInterface({ input: bytes })) {
      JSON.parse(line)
      count++
    }
  } else if (format === 'json') {
    const parser = new JSONParser({ paths: ['$.data.products.*'], keepStack: false })
    parser.onValue = () => void count++
    for await (const chunk of bytes) parser.write(chunk as Buffer)
  } else if (format === 'xlsx') {
    count = -1
    for await (const _ of streamXlsxRows(await readFile(file))) count++
  } else {
    const record = { xml: 'product', google: 'item', bmecat: 'PRODUCT' }[format]
    const parser = new SaxesParser({ xmlns: false })
    parser.on('text', () => {})
    parser.on('opentag', () => {})
    parser.on('closetag', ({ name: closed }) => {
      if (closed === record) count++
    })
    bytes.setEncoding('utf8')
    for await (const chunk of bytes) parser.write(chunk as string)
    parser.close()
  }
  return count
}
