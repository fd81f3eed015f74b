// Removes the link's token from the address and keeps it as long as the tab.

const KEPT_AS = 'shelfwire.endpoint-link'

export function linkToken(): string {
  const token = location.hash.slice(1)
  if (token === '') return sessionStorage.getItem(KEPT_AS) ?? ''
  sessionStorage.setItem(KEPT_AS, token)
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
