import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { exchange, type Answer } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { useRead } from '../api/read.ts'

const READ = 'GET /panel/api/accounts/{account_id}/product-pictures'
export type Pictures = Answer<typeof READ>['data']
export type Picture = Pictures['pictures'][number]
/** The owner's list of pictures; null: the suppliers' is shown. */
export type OwnList = readonly string[] | null

const SAVE_AFTER_MS = 500
const LOOK_EVERY_MS = 5_000
const TRIES_MAX = 3

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

  const refresh = async () => {
    await client.invalidateQueries({ queryKey: [READ] })
    void client.invalidateQueries({ queryKey: ['product', accountId, productId] })
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
          await writeList(accountId, productId, base.current, next.list)
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
    if (wanted === null && !isBusy.current) base.current = ownOf(data)
    setPast((before) => (isUndo ? before.slice(0, -1) : [...before, own]))
    setWanted({ list })
    target.current = { list }
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush(), SAVE_AFTER_MS)
  }
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
    /** Forgets what was not saved. */
    takeTheirs: async () => {
      target.current = null
      setPast([])
      setError(null)
      // at once: what is changed while the list is read again is made to what is shown
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

/** Writes the list in place of the one that it was made of. @throws ListConflict; Problem */
async function writeList(accountId: number, productId: number, before: OwnList, after: OwnList): Promise<void> {
  for (let tries = 1; ; tries++) {
    const request = { accountId, params: { id: productId } }
    const { body, revision } = await exchange('GET /v1/account/products/{id}', request)
    const present = (body as { data: { images: OwnList } }).data.images
    if (same(present, after)) return
    if (!same(present, before)) throw new ListConflict(present)
    try {
      await exchange('PATCH /v1/account/products/{id}', {
        ...request,
        body: { images: after },
        revision: revision ?? '',
      })
      return
    } catch (error) {
      // something else of the product was changed between reading and writing
      if (asProblem(error).status !== 412 || tries >= TRIES_MAX) throw error
    }
  }
}
