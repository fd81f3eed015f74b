import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { exchange, type Exchanged } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { revised } from '../../api/resources.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { ProductLink } from '../../resources/product-name.tsx'
import { useAccount } from '../../session/account.ts'
import { PRODUCT } from './data.ts'
import classes from './editing.module.css'

/** A saved change of the product. */
export interface Saved {
  /** What was done, in words. */
  text: string
  /** The operation that computes its payloads; null: they are up to date. */
  operationId: number | null
  /** Undoes the change; null if that is not possible. */
  undo: (() => Promise<Saved>) | null
  /** The product that it created. */
  madeId?: number
}

interface Editing {
  productId: number
  /** Called after a change: shows the new values, and says when stores can read them. */
  done: (saved: Saved) => Promise<void>
  last: Saved | null
  dismiss: () => void
}

const CurrentEditing = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = useContext(CurrentEditing)
  if (editing === null) throw new Error('this is about a product that is edited')
  return editing
}

export function EditingProvider({ productId, children }: { productId: number; children: ReactNode }) {
  const [last, setLast] = useState<Saved | null>(null)
  const refresh = useRefreshAccount()
  const editing: Editing = {
    productId,
    last,
    async done(saved) {
      setLast(saved)
      await refresh()
    },
    dismiss: () => setLast(null),
  }
  return <CurrentEditing.Provider value={editing}>{children}</CurrentEditing.Provider>
}

/**
 * Changes the account's own values of the product. The saved change can be undone until somebody changes the product again.
 * @throws Problem; precondition-failed if somebody else has changed it
 */
export function useSave() {
  const account = useAccount()
  const { t } = useTranslation('product-edit')
  const { productId } = useEditing()
  const send = (body: object, revision: string): Promise<Exchanged> =>
    exchange(`PATCH ${PRODUCT}`, { accountId: account.id, params: { id: productId }, body, revision })
  /** @param before the patch that undoes the change */
  return async (text: string, body: object, before: object, revision: string): Promise<Saved> => {
    const answer = await send(body, revision)
    return {
      text,
      operationId: answer.operationId,
      undo: async () => {
        const undone = await send(before, revised(answer).revision)
        return { text: t('saved.undone'), operationId: undone.operationId, undo: null }
      },
    }
  }
}

const FOLLOW_MS = 1_000

/** The last saved change, whether stores can read it already, and a button to undo it. */
export function SavedBar() {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const { last, done, dismiss } = useEditing()
  const operationId = last?.operationId ?? null
  const [endedId, setEndedId] = useState<number | null>(null)
  const isFollowing = operationId !== null && endedId !== operationId
  const operation = useRead(
    'GET /v1/account/operations/{id}',
    { accountId: account.id, params: { id: operationId ?? 0 } },
    { isEnabled: isFollowing, everyMs: FOLLOW_MS },
  )
  const followed = operation.data?.data as { id: number; ended_at: string | null } | undefined
  const hasArrived = isFollowing && followed?.id === operationId && followed.ended_at !== null
  useEffect(() => {
    if (!hasArrived) return
    setEndedId(operationId)
    void refresh()
    // runs once, when it has arrived
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hasArrived])
  const takeBack = useMutation({ mutationFn: async (undo: () => Promise<Saved>) => done(await undo()) })
  const { error, reset } = takeBack
  useEffect(reset, [reset, last])
  if (last === null) return null
  const { undo } = last
  return (
    <div className={classes.saved} role="status">
      <StateMark tone={isFollowing ? 'busy' : 'good'}>
        {last.text} {t(isFollowing ? 'saved.follows' : 'saved.read')}
      </StateMark>
      <span className={classes.buttons}>
        {last.madeId === undefined ? null : <ProductLink id={last.madeId}>{t('saved.open')}</ProductLink>}
        {undo === null ? null : (
          <Button
            size="compact-sm"
            variant="default"
            loading={takeBack.isPending}
            onClick={() => takeBack.mutate(undo)}
          >
            {t('saved.undo')}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={dismiss}>
          {t('saved.dismiss')}
        </Button>
      </span>
      {error === null ? null : asProblem(error).code === 'precondition-failed' ? (
        <p role="alert">{t('saved.changedSince')}</p>
      ) : (
        <ProblemNote error={error} />
      )}
    </div>
  )
}
