import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { DirectoryError, NdjsonTarget } from '../../client/src/targets/ndjson.ts'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'

// The directory of a mirror: its lock, shared by the stores of one process, and lines that another program wrote into its files.

let root: string
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'shelfwire-ndjson-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
const fresh = () => join(root, String(++count))

const many = (products: number) => Array.from({ length: products }, (_, i) => ({ id: i + 1 }))

test('stores that begin at once share its lock, which is given up once', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const stores = ['de', 'pl', 'fr']
    const fake = new FakeShelfwire({ stores: stores.map((slug) => ({ slug })), products: many(3) })
    const directory = fresh()
    const target = new NdjsonTarget(directory)
    await new Shelfwire(fake).sync({ stores, target }).once()
    expect((await readdir(directory)).sort()).toEqual(['de', 'fr', 'pl', 'shelfwire.lock'])
    await expect(new NdjsonTarget(directory).lock()).rejects.toBeInstanceOf(DirectoryError)
    await target.close()
    expect((await readdir(directory)).sort()).toEqual(['de', 'fr', 'pl'])
  }
})

test('a lock that could not be taken is taken by the next call', async () => {
  const directory = fresh()
  const [first, second] = [new NdjsonTarget(directory), new NdjsonTarget(directory)]
  await first.lock()
  const refused = await Promise.allSettled([second.lock(), second.lock()])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await first.close()
  await Promise.all([second.lock(), second.lock()])
  await second.close()
})

test('a second line of a product is found, whichever of them is right, and a repair writes one', async () => {
  const fake = new FakeShelfwire({ products: many(5) })
  const shelf = new Shelfwire(fake)
  const directory = fresh()
  const filled = new NdjsonTarget(directory)
  await shelf.sync({ stores: ['main'], target: filled }).once()
  await filled.close()
  const file = join(directory, 'main', '0000000000000000.ndjson')
  const right = await readFile(file, 'utf8')
  const stale = right.split('\n')[2]!.replace('"id":3', '"id":3,"old":true')
  for (const damage of [
    () => writeFile(file, `${stale}\n${right}`),
    () => appendFile(file, `${stale}\n`),
    () => appendFile(file, `${right.split('\n')[2]}\n`),
  ]) {
    await damage()
    const target = new NdjsonTarget(directory, { dropDamaged: true })
    const [found] = await shelf.verify(target, { stores: ['main'] })
    expect(found?.isEqual).toBe(false)
    expect(found?.damages).toMatchObject([{ file }])
    await shelf.verify(target, { stores: ['main'], repair: true })
    expect(await readFile(file, 'utf8')).toBe(right)
    expect((await shelf.verify(target, { stores: ['main'] }))[0]?.isEqual).toBe(true)
    await target.close()
  }
})
