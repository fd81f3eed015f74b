// A link's token is removed from the address at once, so that it is not in a screenshot or a bookmark.

const KEPT_AS = 'shelfwire.link'

/** The token after #, or one that was kept while its person signed in. Empty if there is none. */
export function pendingToken(): string {
  const token = location.hash.slice(1)
  if (token === '') return sessionStorage.getItem(KEPT_AS) ?? ''
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/** Keeps a token in this tab while its person signs in; null forgets it. */
export function keepPending(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEPT_AS)
  else sessionStorage.setItem(KEPT_AS, token)
}
