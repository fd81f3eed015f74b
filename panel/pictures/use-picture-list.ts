import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
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
  const { current: saving } = useRef<Saving>({
    base: null,
    stored: null,
    target: null,
    isBusy: false,
    hasFailed: false,
  })

  const fail = (caught: unknown) => {
    saving.hasFailed = caught !== null
    setError(caught)
  }
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: [READ] })
    void client.invalidateQueries({ queryKey: [STORE_PRODUCTS, accountId, productId] })
  }
  const take = (): { list: OwnList } | null => {
    const next = saving.target
    saving.target = null
    return next
  }
  const flush = async () => {
    if (saving.isBusy || saving.target === null) return
    saving.isBusy = true
    setSaving(true)
    fail(null)
    try {
      for (let next = take(); next !== null; next = take()) {
        try {
          saving.stored = await writeList(accountId, productId, saving.base, next.list)
          saving.base = next.list
        } catch (caught) {
          // a later change is sent with the next attempt
          saving.target ??= next
          throw caught
        }
      }
      await refresh()
      setWanted((now) => (saving.target === null ? null : now))
    } catch (caught) {
      fail(caught)
    } finally {
      saving.isBusy = false
      setSaving(false)
    }
  }
  const own: OwnList = wanted === null ? (data === undefined ? null : ownOf(data)) : wanted.list
  const change = (list: OwnList, isUndo = false) => {
    if (data === undefined) return
    if (wanted === null && !saving.isBusy) {
      saving.base = ownOf(data)
      saving.stored = null
      readStored(accountId, productId).then(
        (found) => (saving.stored ??= found),
        () => undefined,
      )
    }
    setPast((before) => (isUndo ? before.slice(0, -1) : [...before, own]))
    setWanted({ list })
    saving.target = { list }
    clearTimeout(saving.timer)
    saving.timer = setTimeout(() => void flush(), SAVE_AFTER_MS)
  }
  useLeaving(accountId, productId, saving)
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
      fail(null)
      change(isLast ? before : rest, isLast)
    },
    /** Forgets what was not saved. */
    takeTheirs: async () => {
      saving.target = null
      setPast([])
      fail(null)
      // at once: changes made while the list is read again apply to the list that is shown
      setWanted(null)
      await refresh()
    },
    /** Saves it in place of what somebody else has saved. */
    keepMine: async (theirs: OwnList) => {
      saving.base = theirs
      await flush()
    },
  }
}

/** How far the list is saved. It is one object for as long as the page is open, so that leaving the page sees it as it is then. */
interface Saving {
  /** What the changes here were made to. */
  base: OwnList
  /** The stored list, as far as it is known: a page that is being closed has no time to read it. */
  stored: Stored | null
  /** What waits to be saved. */
  target: { list: OwnList } | null
  isBusy: boolean
  /** Whether the last attempt failed. */
  hasFailed: boolean
  timer?: ReturnType<typeof setTimeout>
}

/** Saves what still waits when the page is left or the tab closed. */
function useLeaving(accountId: number, productId: number, saving: Saving): void {
  // leaving saves what is still waiting to be saved
  const leave = useRef(() => undefined as void)
  useEffect(() => {
    leave.current = () => {
      const { timer, target, isBusy, base } = saving
      clearTimeout(timer)
      if (target !== null && !isBusy) void writeList(accountId, productId, base, target.list).catch(() => undefined)
    }
  })
  useEffect(() => () => leave.current(), [])
  // so does closing the tab, as far as one request can; otherwise the browser asks before it closes
  const close = useRef((_event: Event) => undefined as void)
  useEffect(() => {
    close.current = (event) => {
      const { timer, target, isBusy, hasFailed, stored, base } = saving
      if (target === null && !isBusy) return
      const body = { images: target?.list ?? null }
      const canSend =
        target !== null &&
        !isBusy &&
        !hasFailed &&
        stored !== null &&
        same(stored.list, base) &&
        JSON.stringify(body).length <= KEPT_ALIVE_CHARACTERS
      if (event.type === 'beforeunload') {
        if (!canSend) event.preventDefault()
      } else if (canSend) {
        clearTimeout(timer)
        void exchange('PATCH /v1/account/products/{id}', {
          accountId,
          params: { id: productId },
          body,
          revision: stored.revision,
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
