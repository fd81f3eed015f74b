import { useState, type ReactNode } from 'react'
import { call, type Request } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useRefreshAccount } from '../../api/read.ts'
import { Confirm } from '../../components/dialog.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { Effect, type PricesWritten } from './effect.tsx'
import type { PriceList } from './list-words.ts'

const ENTRIES = 'PATCH /v1/account/price-lists/{key}/entries'
type EntryRow = NonNullable<Request<typeof ENTRIES>['body']>['entries'][number]

/** A price that jumps, for which the person is asked. */
interface Asked {
  looked: PricesWritten
  answer: (isWanted: boolean) => void
}

/** Writes one price of a list. It only replaces the price that the person has seen, and asks first if clients' prices would jump. */
export function useWriteEntry({ key }: PriceList): {
  /** @returns whether it was written; false if the person declined. @throws Problem */
  write: (entry: EntryRow) => Promise<boolean>
  /** To be rendered in the page: the question, if there is one. */
  question: ReactNode
} {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const [asked, setAsked] = useState<Asked | null>(null)
  const write = async (entry: EntryRow): Promise<boolean> => {
    const send = (query: { dry_run?: boolean; confirm?: boolean }) =>
      call(ENTRIES, { accountId: account.id, params: { key }, query, body: { entries: [entry] } }).catch(
        async (error: unknown) => {
          // somebody else has written another price since this one was read; it is read and shown now
          if (asProblem(error).status === 409) await refresh()
          throw error
        },
      )
    const { data: looked } = await send({ dry_run: true })
    const isJump = looked.preview.jumps > 0
    if (isJump && !(await new Promise<boolean>((answer) => setAsked({ looked, answer })))) return false
    await send({ confirm: isJump })
    await refresh()
    return true
  }
  return {
    write,
    question:
      asked === null ? null : (
        <Confirm
          title={words.of('jump.title')}
          action={words.of('jump.write')}
          run={() => {
            asked.answer(true)
            return Promise.resolve()
          }}
          close={() => {
            // only the first answer counts
            asked.answer(false)
            setAsked(null)
          }}
        >
          <Effect written={asked.looked} />
        </Confirm>
      ),
  }
}
