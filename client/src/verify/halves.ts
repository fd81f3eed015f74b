// Tags of halves and digests of blocks, as docs/feed.md of the service explains them.

/** SHA-512 of a text, in base64url or as one character per byte (latin1). A promise where the runtime has only Web Crypto. */
export type Hash = (text: string, encoding: 'base64url' | 'latin1') => string | Promise<string>

interface Runtime {
  process?: { getBuiltinModule?: (name: string) => unknown }
}
interface NodeCrypto {
  hash?: (algorithm: 'sha512', text: string, encoding: 'base64url' | 'latin1') => string
}

/** Uses Node's own function, which is the fastest and synchronous, or Web Crypto where that is missing. */
export function openHash(): Hash {
  const { process } = globalThis as Runtime
  const { hash } = (process?.getBuiltinModule?.('node:crypto') ?? {}) as NodeCrypto
  if (hash !== undefined) return (text, encoding) => hash('sha512', text, encoding)
  const encoder = new TextEncoder()
  return async (of, encoding) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-512', encoder.encode(of)))
    const text = String.fromCharCode(...bytes)
    if (encoding === 'latin1') return text
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  }
}

export type Half = 'content' | 'price'
export const HALVES = ['content', 'price'] as const

/** The text of each half, without braces; empty where the text is no product. `,"prices":[` is the member: quotes within texts are escaped. */
function halvesOf(product: string): Record<Half, string> {
  const at = product.indexOf(',"prices":[')
  if (at === -1 || !product.startsWith('{') || !product.endsWith('}')) return { content: '', price: '' }
  return { content: product.slice(1, at), price: product.slice(at + 1, -1) }
}

export type Tags = Record<Half, string>

/** The tags of a product's text. They equal the service's where the text is exactly what it serves. */
export function tagsOf(product: string, hash: Hash): Tags | Promise<Tags> {
  const { content, price } = halvesOf(product)
  const [ofContent, ofPrice] = [hash(content, 'base64url'), hash(price, 'base64url')]
  const tag = (text: string) => text.slice(0, 16)
  if (typeof ofContent === 'string' && typeof ofPrice === 'string')
    return { content: tag(ofContent), price: tag(ofPrice) }
  return Promise.all([ofContent, ofPrice]).then(([one, other]) => ({ content: tag(one), price: tag(other) }))
}

/** The digest of one half of a block, to which products are added one by one. */
export class BlockDigest {
  readonly #bytes = new Uint8Array(16)

  /** Adds a product's half; the order does not matter. */
  add(id: number, tag: string, hash: Hash): void | Promise<void> {
    const hashed = hash(`${id}:${tag}`, 'latin1')
    if (typeof hashed !== 'string') return hashed.then((text) => this.#mix(text))
    this.#mix(hashed)
  }

  // byte by byte: converting each of two million hashes to a BigInt takes as long as hashing
  #mix(hashed: string): void {
    for (let at = 0; at < 16; at++) this.#bytes[at] = (this.#bytes[at] ?? 0) ^ hashed.charCodeAt(at)
  }

  /** As the service writes it: 32 hexadecimal digits. */
  get hex(): string {
    return [...this.#bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

/** The digest of a block without products. */
export const EMPTY = new BlockDigest().hex

/** How many ids a block has. */
export const BLOCK = 1_024
export const blockOf = (id: number): number => Math.floor(id / BLOCK)
