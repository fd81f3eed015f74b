import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../session/account.ts'

/** Leads to a product's page. */
export function ProductLink({ id, children }: { id: number; children: ReactNode }) {
  const account = useAccount()
  return (
    <Link to="/$account/catalog/$product" params={{ account: String(account.id), product: String(id) }}>
      {children}
    </Link>
  )
}
