import { Readable } from 'node:stream'
import { In } from 'typeorm'
import { Asset, AssetService, TransactionalConnection, type RequestContext } from '@vendure/core'
import { madeOf, noteMade } from '@shelfwire/client/shop'
import type { Shop } from '../vendure-shop.ts'
import { pictureName } from './picture-name.ts'
import type { AssetRow, Id } from './rows.ts'

// Copies pictures into the shop as assets, each once. One that cannot be loaded is logged, and tried again when a product that shows it changes, and
// by a repair.

const PICTURE = 'picture'
const LOAD_MS = 30_000
const BYTES_MAX = 20_000_000
const AT_ONCE = 4

interface Loaded {
  bytes: Buffer
  type: string
}

export class Pictures {
  readonly #shop: Shop
  readonly #ctx: RequestContext
  readonly #warn: (text: string) => void

  constructor(shop: Shop, ctx: RequestContext, warn: (text: string) => void) {
    this.#shop = shop
    this.#ctx = ctx
    this.#warn = warn
  }

  /** The pictures that the shop has already: URL -> asset. */
  async known(urls: readonly string[]): Promise<Map<string, Id>> {
    const made = await madeOf(this.#shop.db, PICTURE, urls)
    if (made.size === 0) return new Map()
    const assets = await this.#shop
      .get(TransactionalConnection)
      .getRepository<AssetRow>(this.#ctx, Asset)
      .find({ where: { id: In([...new Set(made.values())]) }, loadEagerRelations: false })
    const ids = new Map(assets.map(({ id }) => [String(id), id]))
    return new Map(
      [...made].flatMap(([url, text]) => {
        const id = ids.get(text)
        return id === undefined ? [] : [[url, id] as const]
      }),
    )
  }

  /** Copies the pictures that the shop lacks. @returns URL -> asset, without those that cannot be loaded */
  async idsFor(urls: readonly string[]): Promise<Map<string, Id>> {
    const ids = await this.known(urls)
    const missing = urls.filter((url) => !ids.has(url))
    const copyRest = async () => {
      for (let url = missing.shift(); url !== undefined; url = missing.shift()) {
        const id = await this.#copy(url)
        if (id !== null) ids.set(url, id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, copyRest))
    return ids
  }

  async #copy(url: string): Promise<Id | null> {
    try {
      const { bytes, type } = await load(url)
      const file = { filename: pictureName(url, type), mimetype: type, createReadStream: () => Readable.from([bytes]) }
      return await this.#shop.transaction(this.#ctx, async (ctx) => {
        const asset = await this.#shop.get(AssetService).create(ctx, { file: Promise.resolve(file) })
        if (!('id' in asset)) throw new Error(asset.message)
        await noteMade(this.#shop.kept(ctx), PICTURE, url, String(asset.id))
        return asset.id
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#warn(`Shelfwire: the picture ${url} cannot be copied into the shop: ${reason}`)
      return null
    }
  }
}

/** @throws Error with the reason why the picture cannot be used */
async function load(url: string): Promise<Loaded> {
  if (!/^https?:/i.test(url)) throw new Error('it is neither http nor https')
  const response = await fetch(url, { signal: AbortSignal.timeout(LOAD_MS) })
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const problem = problemOf(response, type)
  if (problem !== null || response.body === null) {
    await response.body?.cancel()
    throw new Error(problem ?? 'its server sends nothing')
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), type }
}

function problemOf({ ok, status }: Response, type: string): string | null {
  if (!ok) return `its server answers ${status}`
  return type.startsWith('image/') ? null : `its server calls it ${type === '' ? 'nothing' : type}, not a picture`
}
