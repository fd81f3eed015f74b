import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Mapping } from '../src/supplier-files/mapping/mapping.ts'
import type { readOfferPages } from '../src/supplier-files/read-offers.ts'
import type { ReadLimits } from '../src/supplier-files/rows.ts'
import { FEEDS, writeFeed, type FeedFormat } from './feed-files.ts'
import { firstLine, start } from './processes.ts'

// `node bench/read-turns.ts DIRECTORY [FORMATS]`: reads suppliers' files without a database, in the tree of another commit (`git worktree add
// --detach DIRECTORY REF`, with its node_modules) and in this one. They take turns (A B B A), each in a process of its own, which reads the file
// several times. The least processor time counts, because it is the one that other work on the machine has disturbed least. BENCH_ROWS sets another
// size.

const OURS = fileURLToPath(new URL('..', import.meta.url))
const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000)
const PASSES = 12
const ROUNDS = 2

interface Taken {
  /** Processor time per row in µs: of the first pass, which includes V8's compilers, and the least of all passes. */
  first: number
  least: number
}

async function readSeveralTimes(tree: string, format: FeedFormat, file: string): Promise<Taken> {
  const load = (path: string) => import(pathToFileURL(join(tree, path)).href)
  const { readOfferPages: read } = (await load('src/supplier-files/read-offers.ts')) as {
    readOfferPages: typeof readOfferPages
  }
  const { readMappingDocument } = (await load('src/supplier-files/mapping-document.ts')) as {
    readMappingDocument: (mapping: unknown) => Mapping
  }
  const { LIMITS: limits } = (await load('src/platform/limits.ts')) as {
    LIMITS: ReadLimits & { fileReaderRows?: number }
  }
  // as many rows at a time as an import of that tree reads
  const asImported = { ...limits, importPageRows: limits.fileReaderRows ?? limits.importPageRows }
  const times: number[] = []
  for (let pass = 0; pass < PASSES; pass++) {
    const before = process.cpuUsage()
    let rows = 0
    for await (const page of read(createReadStream(file), readMappingDocument(FEEDS[format].mapping), asImported))
      rows += page.length
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / rows)
  }
  return { first: times[0] ?? NaN, least: Math.min(...times) }
}

async function compareTrees(other: string, formats: readonly FeedFormat[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-read-'))
  try {
    console.log('| format | the other tree | this tree | | read once |\n|---|---|---|---|---|')
    for (const format of formats) {
      const file = join(directory, `file.${format}`)
      await writeFeed(format, file, ROWS)
      const taken: Record<'theirs' | 'ours', Taken[]> = { theirs: [], ours: [] }
      for (let round = 0; round < ROUNDS; round++)
        for (const who of ['theirs', 'ours', 'ours', 'theirs'] as const) {
          const child = start(['bench/read-turns.ts', who === 'ours' ? OURS : other, format, file], {})
          taken[who].push(JSON.parse(await firstLine(child, () => true)) as Taken)
        }
      const best = (who: 'theirs' | 'ours', what: keyof Taken) => Math.min(...taken[who].map((one) => one[what]))
      const say = (who: 'theirs' | 'ours') => `${best(who, 'least').toFixed(1)} µs`
      const ratio = (what: keyof Taken) => `${(best('ours', what) / best('theirs', what)).toFixed(2)}x`
      console.log(`| ${format} | ${say('theirs')} | ${say('ours')} | ${ratio('least')} | ${ratio('first')} |`)
      await rm(file)
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const [tree = '.', formats = Object.keys(FEEDS).join(','), file] = process.argv.slice(2)
if (file === undefined) await compareTrees(resolve(tree), formats.split(',') as FeedFormat[])
else process.stdout.write(`${JSON.stringify(await readSeveralTimes(tree, formats as FeedFormat, file))}\n`)
