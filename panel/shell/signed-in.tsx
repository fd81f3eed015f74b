import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { MissingAccount } from '../pages/missing/missing.tsx'
import { keepAccount, lastAccount } from '../session/account.ts'
import { useSession } from '../session/session.ts'
import { Shell } from './shell.tsx'

/** The shell, with the account in the address; on pages without one, with the account that was looked at last. */
export function SignedIn() {
  const session = useSession()
  const { account: id } = useParams({ strict: false })
  const named = session.accounts.find((own) => String(own.id) === id)
  useEffect(() => {
    if (named !== undefined) keepAccount(named)
  }, [named])
  if (id !== undefined && named === undefined) return <MissingAccount />
  return <Shell account={named ?? lastAccount(session) ?? null} />
}
