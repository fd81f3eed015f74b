import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import { blocksOf } from '../../client/src/verify/digested.ts'
import { openHash } from '../../client/src/verify/halves.ts'
import { startThreadsChild } from './threads-child.ts'

// Digests computed by threads: when threads are used, and how they fail. verify.full.pg.test.ts checks the results.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'shelfwire-threads-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const store = 'main'
/** The number of ids in each part that a thread reads. */
const APART = 65_536

let files = 0
function mirrorOf(ids: readonly (number | bigint)[]): string {
  const file = join(directory, `${++files}.db`)
  new SqliteTarget(file).close()
  const db = new DatabaseSync(file)
  const insert = db.prepare('insert into shelfwire_product (store, id, product) values (?, ?, ?)')
  for (const id of ids) insert.run(store, id, `{"id":${id},"prices":[],"stock":0}`)
  db.close()
  return file
}

function open(file: string, threadsFrom?: number, Target = SqliteTarget): SqliteTarget {
  const target = new Target(file, threadsFrom === undefined ? {} : { threadsFrom })
  onTestFinished(() => target.close())
  return target
}

describe.skipIf(availableParallelism() < 2)('digests by threads', () => {
  test('are for many products, not for few whose ids are far apart', () => {
    const file = mirrorOf(Array.from({ length: 300 }, (_, i) => 1 + i * APART))
    expect(open(file).digests(store)).toBeNull()
    expect(open(file, 301).digests(store)).toBeNull()
    expect(open(file, 300).digests(store)).not.toBeNull()
    expect(open(file, Number.POSITIVE_INFINITY).digests(store)).toBeNull()
    expect(open(file, 0).digests('other')).toBeNull()
  })

  test('are those of all blocks, however far apart the ids are', async () => {
    const target = open(mirrorOf([1, 1023, 1024, 70_000, APART * 40, 2 ** 52, 2 ** 53 - 1]), 0)
    const expected = []
    for await (const { block, held, digests } of blocksOf(target.held(store), openHash()))
      expected.push({ block, products: held.length, digests })
    const computed = []
    for await (const { block, products, digests } of target.digests(store)!) computed.push({ block, products, digests })
    expect(computed.sort((a, b) => a.block - b.block)).toEqual(expected)
    expect(computed).toHaveLength(6)
  })

  // an id beyond JavaScript's safe integers, in a part that the last thread reads while the reader is busy
  const damaged = () => {
    const threads = Math.min(8, availableParallelism())
    return mirrorOf([...Array.from({ length: threads }, (_, i) => 1 + i * APART), 2 ** 53 - 2, 2n ** 53n + 2n])
  }
  test.each(['throw', 'warn'] as const)(
    'a thread that fails while the reader is busy is an error of the reader (unhandled rejections: %s)',
    { timeout: 15_000 },
    async (unhandled) => {
      const child = startThreadsChild(damaged(), unhandled)
      onTestFinished(() => child.stop())
      const { code, said } = await child.ended
      expect(said).toMatch(/^caught after [1-9] blocks: .*9007199254740994/)
      expect(code).toBe(0)
    },
  )

  test.each([
    ['CommonJS', 'cjs', 'neutral'],
    ['CommonJS with an address of its own', 'cjs', 'node'],
    ['one module', 'esm', 'node'],
  ] as const)('there are none in a bundle, which compares on one thread: %s', async (_, format, platform) => {
    const name = join(directory, `${++files}.${format === 'cjs' ? 'cjs' : 'mjs'}`)
    await bundle(format, platform, name)
    const { SqliteTarget: Bundled } = createRequire(import.meta.url)(name) as { SqliteTarget: typeof SqliteTarget }
    expect(Bundled).not.toBe(SqliteTarget)
    const file = mirrorOf([1, 2])
    expect(open(file, 0, Bundled).digests(store)).toBeNull()
    expect(open(file, 0).digests(store)).not.toBeNull()
  })
})

interface Rolldown {
  rolldown(options: object): Promise<{ write(options: object): Promise<unknown>; close(): Promise<void> }>
}

/** Bundles the client with the bundler that bin/bundle.mjs and the panel use. */
async function bundle(format: string, platform: string, file: string): Promise<void> {
  const { rolldown } = (await import(
    pathToFileURL(join(ROOT, 'node_modules/rolldown/dist/index.mjs')).href
  )) as Rolldown
  const made = await rolldown({
    input: join(ROOT, 'client/src/targets/sqlite.ts'),
    platform,
    external: /^node:/,
    logLevel: 'silent',
  })
  await made.write({ file, format })
  await made.close()
}
