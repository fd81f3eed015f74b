import { asBusy, openFairTurns, type Turn } from '../platform/turns/fair-turns.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { openYielding } from '../platform/turns/yielding.ts'

// The number of products in a list is limited, and so is the size of each, but a page of the largest products is 40 MB. So reads of lists
// take turns by their number of products, and a list that turns out large needs a place from its reading until the client has received it.
// docs/decisions/246-large-answers-have-places.md says why.

/** A list of products that has been read: a JSON object in parts. Commas belong between its members. */
export interface ListParts {
  head: string
  members: readonly string[]
  tail: string
  /** Tag of the whole, without quotes. */
  tag: string
}

/** A list that is ready to be sent. */
export interface ReadList {
  /** Bytes for a large list, which is encoded part by part. */
  body: string | Buffer
  tag: string
  /** The place of a large list, to be ended by the sender. */
  place?: LargePlace
}

/** The place of a large answer. End it when the answer has been sent, or its client has disconnected. */
export interface LargePlace {
  /** Runs work that occupies a thread of the process (compression), when it is this account's turn. */
  code<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

export interface LargeAnswers {
  /**
   * Reads a list for an account. If it turns out large and the memory for large answers, of the account or of all, is taken, it is
   * dropped and read again when there is a place for it. Small lists never wait for large ones.
   * @param products the most products that the list may have, or as many texts: the weight of its turn.
   * @throws ShelfwireError rate-limited when too many lists wait
   */
  read(accountId: number, products: number, read: () => Promise<ListParts>): Promise<ReadList>
  /** Bytes that have places, and the number of large lists that wait for one. */
  readonly state: { held: number; waiting: number }
}

const waiting = {
  waitingMax: LIMITS.listsWaitingMax,
  waitingPerKeyMax: LIMITS.listsWaitingPerAccountMax,
}

export function openLargeAnswers(): LargeAnswers {
  const reading = openFairTurns('lists that are read', {
    atOnce: LIMITS.listProductsAtOnce,
    perKey: LIMITS.listProductsPerAccountMax,
    ...waiting,
  })
  const holding = openFairTurns('large answers', {
    atOnce: LIMITS.largeAnswersBytesMax,
    perKey: LIMITS.largeAnswersBytesPerAccountMax,
    ...waiting,
  })
  const coding = openFairTurns('large answers that are coded', {
    atOnce: LIMITS.largeAnswersCodedAtOnce,
    perKey: 1,
    ...waiting,
  })
  const placeOf = (accountId: number, turn: Turn): LargePlace => ({
    code: (work) => coding.run(accountId, work),
    end: () => turn[Symbol.dispose](),
  })
  /** @param held a place taken for the list before. @returns the list, or the number of bytes for which there is no place yet */
  const attempt = async (
    accountId: number,
    products: number,
    read: () => Promise<ListParts>,
    held?: Turn,
  ): Promise<ReadList | number> => {
    const weight = Math.max(1, products)
    // take() needs no promise when a turn is free, which is the usual case
    using _reading = reading.take(accountId, weight) ?? (await reading.acquire(accountId, { weight }))
    const parts = await read()
    const { head, members, tail, tag } = parts
    if (charactersOf(parts) <= LIMITS.largeAnswerCharacters) {
      held?.[Symbol.dispose]()
      return { body: `${head}${members.join(',')}${tail}`, tag }
    }
    const bytes = await bytesOf(parts)
    const turn = held ?? holding.take(accountId, bytes)
    if (turn === undefined) return bytes
    try {
      return { body: await encoded(parts, bytes), tag, place: placeOf(accountId, turn) }
    } catch (error) {
      turn[Symbol.dispose]()
      throw error
    }
  }
  return {
    async read(accountId, products, read) {
      try {
        let found = await attempt(accountId, products, read)
        while (typeof found === 'number') {
          // the list that was read is not referenced any more while this waits
          const turn = await holding.acquire(accountId, { weight: found })
          try {
            found = await attempt(accountId, products, read, turn)
          } catch (error) {
            turn[Symbol.dispose]()
            throw error
          }
        }
        return found
      } catch (error) {
        throw asBusy(error, 'lists', LIMITS.listRetrySeconds)
      }
    },
    get state() {
      const { running: held, waiting: waits } = holding.state
      return { held, waiting: waits }
    },
  }
}

function charactersOf({ head, members, tail }: ListParts): number {
  let characters = head.length + tail.length + members.length
  for (const member of members) characters += member.length
  return characters
}

/** The number of bytes in UTF-8. It is counted member by member and yields to other requests. */
async function bytesOf({ head, members, tail }: ListParts): Promise<number> {
  const turn = openYielding()
  let bytes = Buffer.byteLength(head) + Buffer.byteLength(tail) + Math.max(0, members.length - 1)
  for (const member of members) {
    bytes += Buffer.byteLength(member)
    const pause = turn()
    if (pause !== null) await pause
  }
  return bytes
}

const COMMA = 44

async function encoded({ head, members, tail }: ListParts, bytes: number): Promise<Buffer> {
  const turn = openYielding()
  const body = Buffer.allocUnsafeSlow(bytes)
  let at = body.write(head)
  for (let i = 0; i < members.length; i++) {
    if (i > 0) body[at++] = COMMA
    at += body.write(must(members[i]), at)
    const pause = turn()
    if (pause !== null) await pause
  }
  body.write(tail, at)
  return body
}
