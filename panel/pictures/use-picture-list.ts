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
/** The owner's list of picture URLs; null: the suppliers' pictures are shown. */
export type OwnList = readonly string[] | null

const SAVE_AFTER_MS = 500
const LOOK_EVERY_MS = 5_000
const TRIES_MAX = 3
/** The largest body that is sent while the page is being closed, for which browsers allow 64 kB. */
const KEPT_ALIVE_CHARACTERS = 20_000

const same = (a: OwnList, b: OwnList) => JSON.stringify(a) === JSON.stringify(b)
const listed = ({ pictures }: Pictures) => pictures.filter(({ is_listed: isListed }) => isListed).map(({ url }) => url)
const ownOf = (data: Pictures): OwnList => (data.is_own ? listed(data) : null)

/** Somebody else has changed the list in the meantime. */
export class ListConflict extends Error {
  readonly theirs: OwnList
  constructor(theirs: OwnList) {
    super('the list was changed meanwhile')
    this.theirs = theirs
  }
}

/**
 * The pictures of a product, and changes of their order. A change is shown at once and saved a moment later; saves run one after the
 * other. An unsaved change stays visible, with its error.
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
  // while a picture is pending, it is read again periodically
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
          // unless a later change is waiting, which is then sent by the next attempt
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
    /** Removes a picture that was just added. If nothing else was changed since, this restores the list from before. */
    giveUp: (url: string) => {
      const rest = order.filter((entry) => entry !== url)
      const before = past.at(-1)
      const isLast = before !== undefined && data !== undefined && same(before ?? listed(data), rest)
      fail(null)
      change(isLast ? before : rest, isLast)
    },
    /** Discards the unsaved changes. */
    takeTheirs: async () => {
      saving.target = null
      setPast([])
      fail(null)
      // at once, so that changes made during the reload apply to the list that is shown
      setWanted(null)
      await refresh()
    },
    /** Saves the changes over the list that somebody else has saved. */
    keepMine: async (theirs: OwnList) => {
      saving.base = theirs
      await flush()
    },
  }
}

/** The state of saving. It is one mutable object while the page is open, so that leaving the page sees its current values. */
interface Saving {
  /** The list on which the unsaved changes are based. */
  base: OwnList
  /** The stored list, if it has been read: a page that is being closed has no time to read it. */
  stored: Stored | null
  /** The list that is waiting to be saved. */
  target: { list: OwnList } | null
  isBusy: boolean
  /** Whether the last attempt failed. */
  hasFailed: boolean
  timer?: ReturnType<typeof setTimeout>
}

/** Saves a waiting list when the page is left or the tab is closed. */
function useLeaving(accountId: number, productId: number, saving: Saving): void {
  // on leaving the page
  const leave = useRef(() => undefined as void)
  useEffect(() => {
    leave.current = () => {
      const { timer, target, isBusy, base } = saving
      clearTimeout(timer)
      if (target !== null && !isBusy) void writeList(accountId, productId, base, target.list).catch(() => undefined)
    }
  })
  useEffect(() => () => leave.current(), [])
  // on closing the tab, if one request suffices; otherwise the browser asks before it closes
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

/** The stored list, with the revision of its product. */
interface Stored {
  list: OwnList
  revision: string
}

async function readStored(accountId: number, productId: number): Promise<Stored> {
  const answer = await exchange('GET /v1/account/products/{id}', { accountId, params: { id: productId } })
  const { data, revision } = revised<{ images: OwnList }>(answer)
  return { list: data.images, revision }
}

/**
 * Replaces the list `before` by `after`.
 * @throws ListConflict if the stored list is a third one; Problem
 */
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
      // another member of the product was changed between reading and writing
      if (asProblem(error).status !== 412 || tries >= TRIES_MAX) throw error
    }
  }
}
