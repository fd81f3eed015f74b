import { queryOptions, useQueryClient, useSuspenseQuery, type QueryClient } from '@tanstack/react-query'
import { call, keepCsrfToken, type Answer } from '../api/client.ts'
import { Problem } from '../api/problem.ts'

// The person who is signed in, and their accounts.

export type Session = Answer<'GET /panel/api/session'>['data']

const KEY = ['session'] as const

/** The session; null for a visitor. */
export const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: readSession,
  staleTime: 60_000,
})

/** null: nobody is signed in. */
async function readSession(): Promise<Session | null> {
  try {
    return kept((await call('GET /panel/api/session')).data)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-signed-in') return kept(null)
    throw error
  }
}

function kept(session: Session | null): Session | null {
  keepCsrfToken(session?.csrf_token ?? null)
  return session
}

/** Stores the session of an answer. */
export function keepSession(client: QueryClient, session: Session | null): void {
  if (session !== null) isEnded = false
  client.setQueryData(KEY, kept(session))
}

let isEnded = false

/** Whether a session ended without its person ending it; the sign-in page then says so. */
export function hasSessionEnded(): boolean {
  return isEnded
}

/** Called when the service no longer knows this browser's session. */
export function endSession(client: QueryClient): void {
  const session = client.getQueryData<Session | null>(KEY)
  isEnded ||= session !== null && session !== undefined
  forgetSession(client)
}

/** Clears everything that was read, so that the next person does not see it. */
export function forgetSession(client: QueryClient): void {
  client.clear()
  keepSession(client, null)
}

/** The session, for pages that require one. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('this page is for people who are signed in')
  return data
}

/** A function that stores the session of an answer. */
export function useKeepSession(): (session: Session) => void {
  const client = useQueryClient()
  return (session) => keepSession(client, session)
}
