import { asBusy, openFairTurns, type Turn } from '../platform/turns/fair-turns.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { openYielding } from '../platform/turns/yielding.ts'

// Products are bounded by their number, and each by its size; a page of the largest ones is 40 MB. So what is read for lists of products is
// read by turns, and a list that has become large has a place from when it is read until its client has it.
// docs/decisions/246-large-answers-have-places.md says why.

/** A list of products that has been read: a JSON object in parts, between whose members commas come. */
export interface ListParts {
  head: string
  members: readonly string[]
  tail: string
  /** Of the whole, without quotes. */
  tag: string
}

/** A list to be sent. */
export interface ReadList {
  /** A large one as bytes: it was encoded by parts. */
  body: string | Buffer
  tag: string
  /** Of a large one. */
  place?: LargePlace
}

/** The place of a large answer; to be ended when it has been sent, or its client is gone. */
export interface LargePlace {
  /** Does what holds a thread of the process, in turn. */
  code<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

export interface LargeAnswers {
  /**
   * Reads a list for an account. One that is large, while what the account or all may have of such answers in memory is taken, is forgotten and
   * read again when there is a place for it; smaller ones never wait for large ones.
   * @param products that it may have, or as many texts.
   * @throws ShelfwireError rate-limited when too many lists wait
   */
  read(accountId: number, products: number, read: () => Promise<ListParts>): Promise<ReadList>
  /** Bytes that have places, and how many large lists wait for one. */
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
  /** @param held the place that there is for it. @returns the bytes of a large list without a place */
  const attempt = async (
    accountId: number,
    products: number,
    read: () => Promise<ListParts>,
    held?: Turn,
  ): Promise<ReadList | number> => {
    const weight = Math.max(1, products)
    // without a promise where a turn is free, as it usually is
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
          // nothing of what was read is left while it waits
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

/** How many bytes it is in UTF-8, counted by parts: other requests are answered in between. */
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
