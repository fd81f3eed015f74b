import { hash } from 'node:crypto'
import { must } from '../../platform/must.ts'

/** Words per slot: 96 bits of the key's hash, and the line plus one, where 0 means that the slot is free. */
const WORDS = 4
const SHARDS = 256
const SLOTS_MIN = 16

/**
 * Maps keys to lines, in about 25 bytes per key whatever its length: a file may have millions of new keys. Two keys are confused if 96 bits of their
 * SHA-256 are equal, as with the tags of payloads; among five million keys that is less likely (10^-16) than a memory error. Its shards grow one by
 * one, so that no single step takes long.
 */
export class KeyLines {
  readonly #shards: Uint32Array[] = []
  readonly #counts = new Uint32Array(SHARDS)
  #last: { key: string; words: Uint32Array } | undefined

  /** The line of a key; undefined if it has none. */
  get(key: string): number | undefined {
    const words = this.#wordsOf(key)
    const shard = this.#shards[shardOf(words)]
    if (shard === undefined) return undefined
    const line = must(shard[slotOf(shard, words, 0) + WORDS - 1])
    return line === 0 ? undefined : line - 1
  }

  /** @param line at most 4,294,967,294 */
  set(key: string, line: number): void {
    const words = this.#wordsOf(key)
    const at = shardOf(words)
    let shard = (this.#shards[at] ??= new Uint32Array(SLOTS_MIN * WORDS))
    const count = must(this.#counts[at])
    if (10 * (count + 1) * WORDS > 7 * shard.length) this.#shards[at] = shard = grown(shard)
    const slot = slotOf(shard, words, 0)
    if (shard[slot + WORDS - 1] === 0) this.#counts[at] = count + 1
    for (let i = 0; i < words.length; i++) shard[slot + i] = must(words[i])
    shard[slot + WORDS - 1] = line + 1
  }

  /** The memory that it takes, in bytes. */
  get bytes(): number {
    return this.#shards.reduce((sum, shard) => sum + (shard?.byteLength ?? 0), 0)
  }

  #wordsOf(key: string): Uint32Array {
    if (this.#last?.key === key) return this.#last.words
    const digest = hash('sha256', key, 'buffer')
    const words = new Uint32Array(WORDS - 1)
    for (let i = 0; i < words.length; i++) words[i] = digest.readUInt32LE(4 * i)
    this.#last = { key, words }
    return words
  }
}

const shardOf = (words: Uint32Array): number => must(words[0]) % SHARDS

/** The index in a shard of the entry whose words are those of `words` at `from`, or of the free slot for it. */
function slotOf(shard: Uint32Array, words: Uint32Array, from: number): number {
  const slots = shard.length / WORDS
  for (let slot = Math.floor(must(words[from]) / SHARDS) % slots; ; slot = (slot + 1) % slots) {
    const at = slot * WORDS
    if (shard[at + WORDS - 1] === 0) return at
    if (shard[at] === words[from] && shard[at + 1] === words[from + 1] && shard[at + 2] === words[from + 2]) return at
  }
}

function grown(shard: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * shard.length)
  for (let from = 0; from < shard.length; from += WORDS)
    if (shard[from + WORDS - 1] !== 0) larger.set(shard.subarray(from, from + WORDS), slotOf(larger, shard, from))
  return larger
}
