import type { Schemas } from '../api.ts'
import type { Catalog } from './catalog.ts'
import { timestamp } from './feed-reads.ts'
import { secondOf } from './parameters.ts'
import { Problem } from './problem.ts'
import { MIRROR_CHECK } from './writes/body-shapes.ts'
import { parsedBody, refuse, requireShape } from './writes/request.ts'

// The reports of mirrors on whether they are equal. The service limits their rate; the fake does not.

type Check = Schemas['MirrorCheck']

const BODY_MAX = 4_096
const PER_STORE = 20
const DAYS = 30
const DAY = 86_400

export class MirrorChecks {
  readonly #catalog: Catalog
  readonly #now: () => number
  /** In the order of their latest reports. */
  #told: readonly Check[] = []

  constructor(catalog: Catalog, now: () => number) {
    this.#catalog = catalog
    this.#now = now
  }

  /** The reports of the last 30 days on active stores, by store and name. */
  list(): Check[] {
    const oldest = timestamp(this.#seconds - DAYS * DAY)
    const known = this.#told.filter(({ told_at: at }) => at >= oldest)
    return this.#catalog.active.flatMap(({ slug }) =>
      known.filter(({ store }) => store === slug).sort((a, b) => (a.mirror < b.mirror ? -1 : 1)),
    )
  }

  /** @throws Problem */
  tell(headers: Headers, text: string): Check {
    if (new TextEncoder().encode(text).length > BODY_MAX)
      throw new Problem('payload-too-large', `the body must be at most ${BODY_MAX} bytes`)
    const body = requireShape(parsedBody('POST', headers, text), MIRROR_CHECK, 'check')
    const { mirror, differing, since_id: id } = body as { mirror: string; differing: number; since_id: number }
    const since = secondOf(String(body['since']))
    if (since === null) refuse('check', [{ name: 'since', reason: 'must be a time such as 2026-11-20T10:00:00+00:00' }])
    const { slug } = this.#catalog.find(body['store'] as string | undefined)
    const { changes } = this.#catalog.log.window(slug, { kind: 'pair', since: since ?? 0, id }, 1)
    const toldAt = timestamp(this.#seconds)
    const asOf = changes.length === 0 ? toldAt : timestamp(since ?? 0)
    const before = this.#told.find((one) => one.store === slug && one.mirror === mirror)
    const isEqual = differing === 0
    const check: Check = {
      store: slug,
      mirror,
      differing,
      as_of: asOf,
      equal_as_of: isEqual ? asOf : (before?.equal_as_of ?? null),
      differs_since: isEqual ? null : (before?.differs_since ?? toldAt),
      told_at: toldAt,
    }
    const others = this.#told.filter((one) => one !== before)
    const ofStore = [...others.filter(({ store }) => store === slug), check].slice(-PER_STORE)
    this.#told = [...others.filter(({ store }) => store !== slug), ...ofStore]
    return check
  }

  get #seconds(): number {
    return Math.floor(this.#now() / 1_000)
  }

  /** @returns a function that returns to the present state */
  remember(): () => void {
    const told = this.#told
    return () => {
      this.#told = told
    }
  }
}
