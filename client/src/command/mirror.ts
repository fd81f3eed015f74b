import type { Shelfwire } from '../shelfwire.ts'
import type { Status } from '../sync/sync.ts'
import { positionOf } from '../sync/position.ts'
import type { Target } from '../sync/target.ts'
import { EXIT, failureOf, isFinal, type Failure } from './failure.ts'
import { checkSources } from './mirror-source.ts'
import { openMirror } from './opened-mirror.ts'
import {
  chosenStores,
  JSON_HELP,
  JSON_OPTION,
  MIRROR_HELP,
  MIRROR_OPTIONS,
  openService,
  parsed,
  SERVICE_HELP,
  SERVICE_OPTIONS,
} from './options.ts'
import { count, counted, Output } from './output.ts'

export const MIRROR = {
  summary: 'keep a mirror of stores on this machine: fill it, then follow what changes',
  help: `Usage: shelfwire-client mirror (--sqlite FILE | --dir DIRECTORY) --url URL [options]

Keeps a mirror of stores on this machine: fills it, then follows what changes until Ctrl-C. Whatever ends it, a kill included, the same
command goes on from where it stood.

${MIRROR_HELP}
  --once               end when everything is there, instead of following
${SERVICE_HELP}
${JSON_HELP}`,
}

export async function mirror(args: readonly string[], ending: AbortSignal): Promise<number> {
  const values = parsed(args, {
    ...JSON_OPTION,
    ...SERVICE_OPTIONS,
    ...MIRROR_OPTIONS,
    once: { type: 'boolean' },
  })
  const service = await openService(values, ending)
  const stores = chosenStores(service, values.store)
  const { url, shelf } = service
  const opened = await openMirror(values, 'write')
  try {
    await checkSources(opened, url, stores, values.moved === true)
    await opened.note(stores.map(({ slug, id }) => ({ store: slug, url, storeId: id })))
    const failed = new AbortController()
    const signal = AbortSignal.any([ending, failed.signal])
    const report = new Report(new Output(values.json === true), shelf, opened.target, url, (failure) =>
      failed.abort(failure),
    )
    const sync = shelf.sync({
      stores: stores.map(({ slug }) => slug),
      target: opened.target,
      onStatus: (status) => report.tell(status),
    })
    for (const { slug } of stores) await report.countBefore(slug)
    try {
      await (values.once === true ? sync.once({ signal }) : sync.run({ signal }))
    } finally {
      report.end()
    }
    // aborted by the report, where a failure would not pass by itself
    failed.signal.throwIfAborted()
    return ending.aborted && values.once === true ? EXIT.interrupted : EXIT.done
  } finally {
    await opened.close()
  }
}

const LINE_EVERY_MS = 5_000
const OBJECT_EVERY_MS = 1_000

/** How far the fill of a store is. */
interface Fill {
  from: number
  /** Products that earlier processes have written. */
  before: number
  products: number
  total: number | null
}

/** Prints the progress of a mirror: on a terminal in one line that is overwritten, otherwise in a line every few seconds. */
class Report {
  readonly #output: Output
  readonly #shelf: Shelfwire
  readonly #target: Target
  readonly #url: string
  readonly #end: (failure: Failure) => void
  readonly #fills = new Map<string, Fill>()
  readonly #current = new Set<string>()
  readonly #from = performance.now()
  readonly #saidAt = new Map<string, number>()

  constructor(output: Output, shelf: Shelfwire, target: Target, url: string, end: (failure: Failure) => void) {
    this.#output = output
    this.#shelf = shelf
    this.#target = target
    this.#url = url
    this.#end = end
  }

  tell(status: Status): void {
    const { store, state } = status
    if (state !== 'current' && state !== 'filling') this.#current.delete(store)
    switch (state) {
      case 'filling':
        return this.#filling(store, status.products)
      case 'current':
        return this.#isCurrent(store)
      case 'following': {
        const { products, removed } = status
        const removals = removed === 0 ? '' : `, ${count(removed)} removed`
        return this.#say(status, `${store}: ${counted(products, 'product', 'products')} written${removals}`)
      }
      case 'reset':
        return this.#say(
          status,
          `${store}: the service was restored from a backup older than this mirror; filling it again`,
        )
      case 'waiting':
        return this.#say(status, `${store}: another process fills this mirror; waiting for it`)
      case 'unknown-store':
        return this.#say(status, `${store}: not active now; what the mirror has of it stays, and it is asked for again`)
      case 'retrying': {
        const failure = failureOf(status.error, this.#url)
        if (isFinal(failure)) return this.#end(failure)
        const { code, message } = failure
        const seconds = Math.ceil(status.pauseMs / 1_000)
        return this.#say(
          { store, state, code, message, pause_seconds: seconds },
          `${store}: trying again in ${seconds} s: ${message}`,
        )
      }
    }
  }

  end(): void {
    this.#output.live('')
  }

  #say({ state, ...fields }: { store: string; state: string } & Record<string, unknown>, text: string): void {
    this.#output.event(state, { time: new Date().toISOString(), ...fields }, text)
  }

  #isCurrent(store: string): void {
    const fill = this.#fills.get(store)
    this.#fills.delete(store)
    if (fill !== undefined) this.#showFills()
    // reported again after each answer without changes, which is every few seconds
    if (this.#current.has(store)) return
    this.#current.add(store)
    const filled =
      fill === undefined ? '' : `filled with ${counted(fill.before + fill.products, 'product', 'products')}, `
    this.#say({ store, state: 'current' }, `${store}: ${filled}up to date`)
  }

  #filling(store: string, products: number): void {
    const known = this.#fills.get(store)
    const fill = known ?? this.#begin(store)
    fill.products = products
    this.#showFills()
    const now = performance.now()
    const every = this.#output.isJson ? OBJECT_EVERY_MS : LINE_EVERY_MS
    if (this.#output.isLive || now - (this.#saidAt.get(store) ?? this.#from) < every) return
    this.#saidAt.set(store, now)
    const { before, total } = fill
    const state = { store, state: 'filling', products: before + products, total, per_second: rateOf(fill) }
    this.#say(state, fillText(store, fill))
  }

  /** The total is requested in parallel; the fill does not wait for it. */
  #begin(store: string): Fill {
    const fill: Fill = { from: performance.now(), before: 0, products: 0, total: null }
    this.#fills.set(store, fill)
    const show = () => this.#showFills()
    void this.#shelf.products
      .list({ store, perPage: 1 })
      .then(({ meta }) => (fill.total = meta.total))
      .then(show, () => {})
    return fill
  }

  /** Counts the products that an interrupted fill has written. To be called before the fill continues. */
  async countBefore(store: string): Promise<void> {
    const text = await this.#target.position(store)
    const position = text === null ? null : positionOf(store, text)
    if (position?.kind !== 'filling') return
    const fill = this.#begin(store)
    for (let after = 0, ids = await this.#target.ids(store, after, 1_000); ids.length > 0;) {
      fill.before += ids.filter((id) => id <= position.after).length
      after = ids.at(-1) ?? position.after
      if (after >= position.after) break
      ids = await this.#target.ids(store, after, 1_000)
    }
    fill.from = performance.now()
  }

  #showFills(): void {
    const [first, ...more] = this.#fills
    if (first === undefined) return this.#output.live('')
    // one line has no room for several bars
    const fills = [...this.#fills.values()]
    this.#output.live(more.length === 0 ? fillText(...first) : fillText(`${fills.length} stores`, together(fills)))
  }
}

function together(fills: readonly Fill[]): Fill {
  const sum = (of: (fill: Fill) => number) => fills.reduce((all, fill) => all + of(fill), 0)
  return {
    from: Math.min(...fills.map(({ from }) => from)),
    before: sum(({ before }) => before),
    products: sum(({ products }) => products),
    total: fills.some(({ total }) => total === null) ? null : sum(({ total }) => total ?? 0),
  }
}

/** Products per second; null in the first second. */
function rateOf({ from, products }: Fill): number | null {
  const seconds = (performance.now() - from) / 1_000
  return seconds < 1 ? null : Math.round(products / seconds)
}

function fillText(store: string, fill: Fill): string {
  const { before, products, total } = fill
  const done = before + products
  const of = total === null ? '' : ` of ${count(Math.max(total, done))}`
  const bar = total === null || total === 0 ? '' : ` ${barOf(Math.min(1, done / total))}`
  const rate = rateOf(fill)
  return `${store}: filling${bar} ${count(done)}${of} products${rate === null ? '' : `, ${count(rate)} a second`}`
}

const BAR = 20
const barOf = (share: number) => '█'.repeat(Math.floor(share * BAR)).padEnd(BAR, '░')
