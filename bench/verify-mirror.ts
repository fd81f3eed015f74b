import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import process from 'node:process'
import type { DigestBlock } from '../client/src/answers.ts'
import { SqliteTarget } from '../client/src/targets/sqlite.ts'
import { compare } from '../client/src/verify/verify.ts'
import { blocksOf } from '../client/src/verify/digested.ts'
import { openHash } from '../client/src/verify/halves.ts'
import type { Shelf } from '../client/src/verify/comparison.ts'
import type { VerifiableTarget } from '../client/src/verify/held.ts'

// `node bench/verify-mirror.ts [products]`: time and memory of comparing a mirror in SQLite with a store, where both are equal. The service is
// replaced by a list of its digests, because only the mirror's side is measured.

const PRODUCTS = Number(process.argv[2] ?? 1_000_000)
const STORE = 'main'
const CURSOR = { since: '2026-11-28T00:00:00+00:00', since_id: 1 }
const TEXT = 'Cotton, woven in Portugal, with a lining that can be taken out and washed. '.repeat(6)

const directory = await mkdtemp(join(tmpdir(), 'shelfwire-verify-'))
try {
  const file = join(directory, 'mirror.db')
  new SqliteTarget(file).close()
  fill(file)
  const target = new SqliteTarget(file)
  const digests: DigestBlock[] = []
  for await (const { block, held, digests: of } of blocksOf(target.held(STORE), openHash()))
    digests.push({
      block,
      products: held.length,
      ...of,
    })
  const alone: VerifiableTarget = {
    position: (store) => target.position(store),
    ids: (...of) => target.ids(...of),
    apply: (batch) => target.apply(batch),
    held: (store) => target.held(store),
  }
  for (const [name, measured] of [
    ['one thread', alone],
    ['threads', target],
  ] as const)
    for (let turn = 0; turn < 3; turn++) await measure(name, measured, digests)
  target.close()
} finally {
  await rm(directory, { recursive: true, force: true })
}

function fill(file: string): void {
  const db = new DatabaseSync(file)
  const insert = db.prepare('insert into shelfwire_product (store, id, product) values (?, ?, ?)')
  db.exec('begin')
  for (let id = 1; id <= PRODUCTS; id++) insert.run(STORE, id, textOf(id))
  db.prepare('insert into shelfwire_position (store, position) values (?, ?)').run(
    STORE,
    JSON.stringify({ kind: 'following', ...CURSOR }),
  )
  db.exec('commit')
  db.close()
}

function textOf(id: number): string {
  return JSON.stringify({
    id,
    sku: `SKU-${id}`,
    ean: null,
    title: `Shirt no. ${id}`,
    description: TEXT,
    manufacturer: 'Acme',
    images: [`https://pictures.example/${id}-1.jpg`, `https://pictures.example/${id}-2.jpg`],
    store: STORE,
    excluded: false,
    exclusion_reason: null,
    attributes: [{ key: 'colour', label: 'Colour', value: 'navy' }],
    created_at: CURSOR.since,
    updated_at: CURSOR.since,
    prices: [1, 2].map((group) => ({
      customer_group_id: group,
      customer_group: `Group ${group}`,
      base_cost: 10,
      computed_price: 12.5 + group,
      currency: 'EUR',
      applied_rule_id: 1,
    })),
    stock: id % 50,
  })
}

async function measure(name: string, target: VerifiableTarget, data: DigestBlock[]): Promise<void> {
  const page = { store: STORE, next_since: CURSOR.since, next_id: CURSOR.since_id }
  const shelf = {
    changes: async () => ({ ...page, changes: [], has_more: false }),
    digest: async () => ({ ...page, data, meta: { next_after_block: null } }),
  } as unknown as Shelf
  const [from, cpu] = [performance.now(), process.cpuUsage()]
  const { findings, products } = await compare({
    shelf,
    target,
    store: STORE,
    detailed: 0,
    onProgress: () => {},
    signal: new AbortController().signal,
  })
  const seconds = (performance.now() - from) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6)
  process.stdout.write(
    `${name}: ${products} products in ${seconds.toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of processor, ${megabytes} MB, ${findings.length} differences\n`,
  )
}
