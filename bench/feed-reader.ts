import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { JSONParser } from '@streamparser/json'
import { parse } from 'csv-parse'
import { streamXlsxRows } from 'hucre/xlsx'
import { SaxesParser } from 'saxes'
import { mappingOf } from '../src/supplier-files/preset-mapping.ts'
import { readOfferPages } from '../src/supplier-files/read-offers.ts'
import { FEEDS, type FeedFormat } from './feed-files.ts'

// `node bench/feed-reader.ts bare|ours FORMAT FILE`: reads a file in a process of its own, by the library that parses the format and nothing
// else, or as an import does, and prints the rows, the processor seconds and the peak of memory.

const [how, format = '', file = ''] = process.argv.slice(2)
const rows = how === 'bare' ? await bare(format as FeedFormat, file) : await ours(format as FeedFormat, file)
const { user, system } = process.cpuUsage()
// processor seconds: they are the same beside other work
const seconds = (user + system) / 1_000_000
const status = await readFile('/proc/self/status', 'utf8')
const peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
process.stdout.write(`${JSON.stringify({ rows, seconds, peakMb })}\n`)

async function ours(name: FeedFormat, path: string): Promise<number> {
  let count = 0
  const mapping = mappingOf(FEEDS[name].mapping)
  for await (const page of readOfferPages(createReadStream(path, { highWaterMark: 1_048_576 }), mapping)) {
    const bad = page.find((row) => 'faults' in row)
    if (bad !== undefined) throw new Error(JSON.stringify(bad))
    count += page.length
  }
  return count
}

/** Only parses. */
async function bare(name: FeedFormat, path: string): Promise<number> {
  const bytes = createReadStream(path, { highWaterMark: 1_048_576 })
  let count = 0
  if (name === 'csv' || name === 'csv.gz') {
    const parser = parse({ delimiter: ';', columns: true })
    const source = name === 'csv' ? bytes : bytes.pipe(createGunzip())
    for await (const _ of source.pipe(parser)) count++
  } else if (name === 'ndjson') {
    for await (const line of createInterface({ input: bytes })) {
      JSON.parse(line)
      count++
    }
  } else if (name === 'json') {
    const parser = new JSONParser({ paths: ['$.data.products.*'], keepStack: false })
    parser.onValue = () => void count++
    for await (const chunk of bytes) parser.write(chunk as Buffer)
  } else if (name === 'xlsx') {
    count = -1
    for await (const _ of streamXlsxRows(await readFile(path))) count++
  } else {
    const record = { xml: 'product', google: 'item', bmecat: 'PRODUCT' }[name]
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
