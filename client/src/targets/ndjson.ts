import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Batch } from '../sync/target.ts'
import { damaged, productIn, takeTexts, textsOf } from '../sync/unread.ts'
import type { Product } from '../answers.ts'
import type { Damage, Held, VerifiableTarget } from '../verify/held.ts'
import { codeOf, DirectoryError, DirectoryLock } from './directory-lock.ts'

export { DirectoryError }

// DIRECTORY/STORE/0000000000000400.ndjson has the products 400 to 599, by ID, one a line; DIRECTORY/STORE/position has the position of the
// mirror. So `cat DIRECTORY/main/*.ndjson` gives all products in their order.

/** How many IDs share a file, which a small change rewrites. As many as a request may name, so that one request repairs a file. */
const WIDTH = 200
const FILE = /^(\d{16})\.ndjson$/
/** The service's form of a slug; nothing else may become the name of a directory. */
const SLUG = /^[a-z0-9][a-z0-9_-]*$/i

export interface NdjsonOptions {
  /** Drops lines that cannot be read, instead of throwing, when a file is written again: for a repair, which writes their products anew. */
  dropDamaged?: boolean
}

/** A mirror in a directory of NDJSON files. One process at a time writes it; others may read. */
export class NdjsonTarget implements VerifiableTarget {
  /** Ten files of 200 IDs, so that most files are written once. */
  readonly fillSize = 2_000
  readonly #directory: string
  readonly #isDropping: boolean
  readonly #lock: DirectoryLock
  /** The latest batch of each store: the batches of a store are written one after the other. */
  readonly #last = new Map<string, Promise<unknown>>()
  readonly #opened = new Set<string>()

  constructor(directory: string, { dropDamaged = false }: NdjsonOptions = {}) {
    this.#directory = directory
    this.#isDropping = dropDamaged
    this.#lock = new DirectoryLock(join(directory, 'shelfwire.lock'))
  }

  /** Locks the directory; otherwise the first batch does. @throws DirectoryError where another process has locked it */
  async lock(): Promise<void> {
    await makeDirectory(this.#directory)
    await this.#lock.hold()
  }

  /** Releases the directory when all batches are written. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#last.values())
    await this.#lock.release()
  }

  async position(store: string): Promise<string | null> {
    return textOf(join(this.#place(store), 'position'))
  }

  apply(batch: Batch): Promise<boolean> {
    const before = this.#last.get(batch.store) ?? Promise.resolve()
    const written = before.catch(() => {}).then(() => this.#apply(batch))
    this.#last.set(batch.store, written)
    return written
  }

  async #apply(batch: Batch): Promise<boolean> {
    const { store, from, position, removed } = batch
    await this.lock()
    const place = this.#place(store)
    await this.#open(store, place)
    if ((await this.position(store)) !== from) return false
    /** The changed lines by the first ID of their file, then by product ID; undefined: removed. */
    const changes = new Map<number, Map<number, string | undefined>>()
    const note = (id: number, line: string | undefined) => {
      const first = id - (id % WIDTH)
      const ofFile = changes.get(first) ?? new Map<number, string | undefined>()
      changes.set(first, ofFile.set(id, line))
    }
    for (const { id, text, isUnread } of textsOf(batch)) {
      if (isUnread && productIn(text)?.id !== id) throw damaged(text)
      note(id, text)
    }
    for (const id of removed) note(id, undefined)
    for (const [first, ofFile] of changes) await this.#rewrite(join(place, nameOf(first)), first, ofFile)
    // the files must be on disk before the position says that they are
    await settle(place)
    await replace(join(place, 'position'), position)
    await settle(place)
    return true
  }

  async #rewrite(file: string, first: number, changes: ReadonlyMap<number, string | undefined>): Promise<void> {
    const text = await textOf(file)
    const lines = new Map<number, string>()
    const onDamage = this.#isDropping ? () => {} : refuse
    for (const { id, line } of linesIn(file, text ?? '', first, onDamage)) lines.set(id, line)
    for (const [id, line] of changes)
      if (line === undefined) lines.delete(id)
      else lines.set(id, line)
    if (lines.size === 0) return rm(file, { force: true })
    const ids = [...lines.keys()].sort((a, b) => a - b)
    const rewritten = ids.map((id) => `${lines.get(id)}\n`).join('')
    if (rewritten !== text) await replace(file, rewritten)
  }

  async ids(store: string, after: number, limit: number): Promise<number[]> {
    const ids: number[] = []
    const onDamage = this.#isDropping ? () => {} : refuse
    for await (const page of this.#files(store, after, onDamage)) {
      for (const { id } of page) if (id > after && ids.length < limit) ids.push(id)
      if (ids.length === limit) break
    }
    return ids
  }

  /** The products of a store by ID ascending. @param onDamage called with each damage; without it, a DirectoryError is thrown */
  async *walk(store: string, onDamage: (damage: Damage) => void = refuse): AsyncGenerator<Product> {
    for await (const page of this.#files(store, 0, onDamage)) for (const { product } of page) yield product
  }

  async *held(store: string, onDamage: (damage: Damage) => void = refuse): AsyncGenerator<Held[]> {
    for await (const page of this.#files(store, 0, onDamage))
      // sorted, because something else may have changed the order of the lines
      yield page.map(({ id, line }) => ({ id, text: line })).sort((a, b) => a.id - b.id)
  }

  /** The lines of each file that may have ids above `after`. */
  async *#files(store: string, after: number, onDamage: (damage: Damage) => void): AsyncGenerator<Line[]> {
    const place = this.#place(store)
    const names = await readdir(place).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    const firsts = names.flatMap((name) => FILE.exec(name)?.[1] ?? []).map(Number)
    for (const first of firsts.sort((a, b) => a - b)) {
      if (first + WIDTH <= after) continue
      const file = join(place, nameOf(first))
      yield [...linesIn(file, (await textOf(file)) ?? '', first, onDamage)]
    }
  }

  /** The stores that have a position. */
  async stores(): Promise<string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    const stores: string[] = []
    for (const entry of entries)
      if (entry.isDirectory() && SLUG.test(entry.name) && (await this.position(entry.name)) !== null)
        stores.push(entry.name)
    return stores.sort()
  }

  #place(store: string): string {
    if (!SLUG.test(store)) throw new TypeError(`"${store}" is not the slug of a store`)
    return join(this.#directory, store)
  }

  /** Makes the store's directory, and removes temporary files of a process that was killed. */
  async #open(store: string, place: string): Promise<void> {
    if (this.#opened.has(store)) return
    await makeDirectory(place)
    for (const name of await readdir(place)) if (name.endsWith('.tmp')) await rm(join(place, name), { force: true })
    this.#opened.add(store)
  }
}

takeTexts(NdjsonTarget.prototype)

interface Line {
  id: number
  line: string
  product: Product
}

function* linesIn(file: string, text: string, first: number, onDamage: (damage: Damage) => void): Generator<Line> {
  const lines = text.split('\n')
  // a complete file ends with a line feed: otherwise its last line was cut off, and an empty line is reported for it
  const rest = lines.pop()
  if (rest !== '') lines.push('')
  let number = 0
  const ids = new Set<number>()
  for (const line of lines) {
    number++
    const product = productIn(line)
    // of two lines for one product, it is unknown which one is right
    if (product === null || product.id < first || product.id >= first + WIDTH || ids.has(product.id))
      onDamage({ file, line: number, first, last: first + WIDTH - 1 })
    else {
      ids.add(product.id)
      yield { id: product.id, line, product }
    }
  }
}

function refuse({ file, line }: Damage): never {
  throw new DirectoryError(
    'damaged',
    `${file}, line ${line} is no product, or one that the file has twice: it was cut off or changed by something else. \`shelfwire-client verify --repair\` reads what is missing from the service`,
  )
}

/** Makes a directory and those above it. Node's own `recursive` never returns on a file system that makes no directories, such as /proc. */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const above = dirname(path)
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || above === path) throw error
    await makeDirectory(above)
    await mkdir(path)
  }
}

const nameOf = (first: number) => `${String(first).padStart(16, '0')}.ndjson`

/** @returns null where there is no such file */
async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
}

/** Replaces a file atomically: a reader, and a process after a crash, finds either the old content or the new one. */
async function replace(file: string, text: string): Promise<void> {
  const written = `${file}.tmp`
  const handle = await open(written, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(written, file)
}

/** Waits until the names in a directory are on disk. Windows does not open directories, and needs no such call. */
async function settle(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null)
  if (handle === null) return
  try {
    await handle.sync().catch((error: unknown) => {
      if (!['EPERM', 'EINVAL', 'EISDIR'].includes(codeOf(error) ?? '')) throw error
    })
  } finally {
    await handle.close()
  }
}
