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

/** A price that jumps, which somebody is asked about. */
interface Asked {
  looked: PricesWritten
  answer: (isWanted: boolean) => void
}

/** How one price of a list is written: only over the price that was seen, and where clients’ prices would jump, the person is asked first. */
export function useWriteEntry({ key }: PriceList): {
  /** @returns whether it was written. @throws Problem */
  write: (entry: EntryRow) => Promise<boolean>
  /** Stands in the page: the question, while there is one. */
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
          // somebody else has written another price since this one was read, or while the person was asked: it is shown now
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
            // of two answers the first counts
            asked.answer(false)
            setAsked(null)
          }}
        >
          <Effect written={asked.looked} />
        </Confirm>
      ),
  }
}
