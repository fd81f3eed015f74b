import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { STORE_PRODUCTS } from '../api/catalog.ts'
import { exchange, type Answer } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { useRead } from '../api/read.ts'
import { revised } from '../api/resources.ts'

const READ = 'GET /panel/api/accounts/{account_id}/product-pictures'
export type Pictures = Answer<typeof READ>['data']
export type Picture = Pictures['pictures'][number]
/** The owner's list of pictures; null: the suppliers' is shown. */
export type OwnList = readonly string[] | null

const SAVE_AFTER_MS = 500
const LOOK_EVERY_MS = 5_000
const TRIES_MAX = 3
/** Browsers send at most 64 kB of a page that is closed. */
const KEPT_ALIVE_CHARACTERS = 20_000

const same = (a: OwnList, b: OwnList) => JSON.stringify(a) === JSON.stringify(b)
const listed = ({ pictures }: Pictures) => pictures.filter(({ is_listed: isListed }) => isListed).map(({ url }) => url)
const ownOf = (data: Pictures): OwnList => (data.is_own ? listed(data) : null)

/** Somebody else has changed the list meanwhile. */
export class ListConflict extends Error {
  readonly theirs: OwnList
  constructor(theirs: OwnList) {
    super('the list was changed meanwhile')
    this.theirs = theirs
  }
}

/**
 * The pictures of a product, and changes of their order: shown at once, saved a moment later, one after the other. What is not saved
 * stays as it was made, with what went wrong.
 */
export function usePictureList(accountId: number, productId: number) {
  const client = useQueryClient()
  const [wanted, setWanted] = useState<{ list: OwnList } | null>(null)
  const [past, setPast] = useState<readonly OwnList[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const query = useRead(
    READ,
    { params: { account_id: accountId }, query: { product: productId } },
    isWaiting ? { everyMs: LOOK_EVERY_MS } : {},
  )
  const data = query.data?.data
  // a picture that waits is looked at again, without a reload
  const hasPending = data?.pictures.some(({ state, is_listed: isListed }) => isListed && state === 'pending') === true
  useEffect(() => setWaiting(hasPending), [hasPending])
  /** What the changes here were made to. */
  const base = useRef<OwnList>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isBusy = useRef(false)
  const target = useRef<{ list: OwnList } | null>(null)
  /** The stored list, as far as it is known: a page that is being closed has no time to read it. */
  const stored = useRef<Stored | null>(null)

  const refresh = async () => {
    await client.invalidateQueries({ queryKey: [READ] })
    void client.invalidateQueries({ queryKey: [STORE_PRODUCTS, accountId, productId] })
  }
  const take = (): { list: OwnList } | null => {
    const next = target.current
    target.current = null
    return next
  }
  const flush = async () => {
    if (isBusy.current || target.current === null) return
    isBusy.current = true
    setSaving(true)
    setError(null)
    try {
      for (let next = take(); next !== null; next = take()) {
        try {
          stored.current = await writeList(accountId, productId, base.current, next.list)
          base.current = next.list
        } catch (caught) {
          // a later change is sent with the next attempt
          target.current ??= next
          throw caught
        }
      }
      await refresh()
      setWanted((now) => (target.current === null ? null : now))
    } catch (caught) {
      setError(caught)
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }
  const own: OwnList = wanted === null ? (data === undefined ? null : ownOf(data)) : wanted.list
  const change = (list: OwnList, isUndo = false) => {
    if (data === undefined) return
    if (wanted === null && !isBusy.current) {
      base.current = ownOf(data)
      stored.current = null
      readStored(accountId, productId).then(
        (found) => (stored.current ??= found),
        () => undefined,
      )
    }
    setPast((before) => (isUndo ? before.slice(0, -1) : [...before, own]))
    setWanted({ list })
    target.current = { list }
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush(), SAVE_AFTER_MS)
  }
  useLeaving({ accountId, productId, base, stored, target, isBusy, timer }, error)
  const order = useMemo(
    () => (data === undefined ? [] : wanted === null || wanted.list === null ? listed(data) : wanted.list),
    [data, wanted],
  )
  return {
    query,
    data,
    own,
    /** URLs in the order in which they are shown. */
    order,
    change,
    canUndo: past.length > 0,
    undo: () => {
      if (past.length > 0) change(past.at(-1) ?? null, true)
    },
    isSaving: isSaving || wanted !== null,
    error,
    retry: () => void flush(),
    /** Takes out one that was added: as it was before where nothing else was changed since. */
    giveUp: (url: string) => {
      const rest = order.filter((entry) => entry !== url)
      const before = past.at(-1)
      const isLast = before !== undefined && data !== undefined && same(before ?? listed(data), rest)
      setError(null)
      change(isLast ? before : rest, isLast)
    },
    /** Forgets what was not saved. */
    takeTheirs: async () => {
      target.current = null
      setPast([])
      setError(null)
      // at once: changes made while the list is read again apply to the list that is shown
      setWanted(null)
      await refresh()
    },
    /** Saves it in place of what somebody else has saved. */
    keepMine: async (theirs: OwnList) => {
      base.current = theirs
      await flush()
    },
  }
}

/** What is being saved of a list, for the moment in which the page is left. */
interface Unsent {
  accountId: number
  productId: number
  /** What the changes were made to. */
  base: RefObject<OwnList>
  /** The stored list, as far as it is known. */
  stored: RefObject<Stored | null>
  target: RefObject<{ list: OwnList } | null>
  isBusy: RefObject<boolean>
  timer: RefObject<ReturnType<typeof setTimeout> | undefined>
}

/** Saves what still waits when the page is left or the tab closed. @param error of the last attempt; null: none */
function useLeaving({ accountId, productId, base, stored, target, isBusy, timer }: Unsent, error: unknown): void {
  // leaving saves what is still waiting to be saved
  const leave = useRef(() => undefined as void)
  useEffect(() => {
    leave.current = () => {
      clearTimeout(timer.current)
      if (target.current !== null && !isBusy.current)
        void writeList(accountId, productId, base.current, target.current.list).catch(() => undefined)
    }
  })
  useEffect(() => () => leave.current(), [])
  // so does closing the tab, as far as one request can; otherwise the browser asks before it closes
  const close = useRef((_event: Event) => undefined as void)
  useEffect(() => {
    close.current = (event) => {
      if (target.current === null && !isBusy.current) return
      const { current: known } = stored
      const body = { images: target.current?.list ?? null }
      const canSend =
        target.current !== null &&
        !isBusy.current &&
        error === null &&
        known !== null &&
        same(known.list, base.current) &&
        JSON.stringify(body).length <= KEPT_ALIVE_CHARACTERS
      if (event.type === 'beforeunload') {
        if (!canSend) event.preventDefault()
      } else if (canSend) {
        clearTimeout(timer.current)
        void exchange('PATCH /v1/account/products/{id}', {
          accountId,
          params: { id: productId },
          body,
          revision: known.revision,
          isKeptAlive: true,
        }).catch(() => undefined)
      }
    }
  })
  useEffect(() => {
    const listen = (event: Event) => close.current(event)
    window.addEventListener('beforeunload', listen)
    window.addEventListener('pagehide', listen)
    return () => {
      window.removeEventListener('beforeunload', listen)
      window.removeEventListener('pagehide', listen)
    }
  }, [])
}

/** The own list as it is stored, with the revision of its product. */
interface Stored {
  list: OwnList
  revision: string
}

async function readStored(accountId: number, productId: number): Promise<Stored> {
  const answer = await exchange('GET /v1/account/products/{id}', { accountId, params: { id: productId } })
  const { data, revision } = revised<{ images: OwnList }>(answer)
  return { list: data.images, revision }
}

/** Writes the list in place of the one that it was made of. @throws ListConflict; Problem */
async function writeList(accountId: number, productId: number, before: OwnList, after: OwnList): Promise<Stored> {
  for (let tries = 1; ; tries++) {
    const present = await readStored(accountId, productId)
    if (same(present.list, after)) return present
    if (!same(present.list, before)) throw new ListConflict(present.list)
    try {
      const answer = await exchange('PATCH /v1/account/products/{id}', {
        accountId,
        params: { id: productId },
        body: { images: after },
        revision: present.revision,
      })
      return { list: after, revision: revised(answer).revision }
    } catch (error) {
      // something else of the product was changed between reading and writing
      if (asProblem(error).status !== 412 || tries >= TRIES_MAX) throw error
    }
  }
}
