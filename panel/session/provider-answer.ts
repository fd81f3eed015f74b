// The state of a sign-in at the identity provider. It is kept in the tab's session storage while the browser is at the
// provider.

const KEPT_AS = 'shelfwire.provider'

interface Begun {
  ticket: string
  /** The path to open afterwards. */
  next: string
  /** A signed-in person links the identity, instead of signing in with it. */
  isLink?: true
}

interface ProviderAnswer extends Begun {
  /** The query with which the provider sent the browser back. */
  answer: string
}

let arrived: ProviderAnswer | null = null

/** Keeps the state of a sign-in before the browser is sent to the provider. */
export function keepPendingSignIn(begun: Begun): void {
  sessionStorage.setItem(KEPT_AS, JSON.stringify(begun))
}

/**
 * Removes the provider's answer from the address, so that it is not in bookmarks or the history. Call it before the router reads the
 * address.
 */
export function takeProviderAnswer(): void {
  const query = new URLSearchParams(location.search)
  if (!location.pathname.endsWith('/sign-in') || !query.has('state') || !(query.has('code') || query.has('error')))
    return
  const kept = sessionStorage.getItem(KEPT_AS)
  sessionStorage.removeItem(KEPT_AS)
  // a tab that did not start a sign-in has no ticket, and the service refuses an empty one
  const begun = kept === null ? { ticket: '', next: '/' } : (JSON.parse(kept) as Begun)
  arrived = { ...begun, answer: location.search.slice(1) }
  // a person who links has a session, and returns to the page where they started
  const path = begun.isLink === true ? location.pathname.replace(/\/sign-in$/, begun.next) : location.pathname
  history.replaceState(history.state, '', path)
}

/** The provider's answer to a sign-in; null: none, or already used. */
export const providerAnswer = (): ProviderAnswer | null => (arrived?.isLink === true ? null : arrived)

/** The provider's answer to linking an identity in a session; null: none, or already used. */
export const providerLinkAnswer = (): ProviderAnswer | null => (arrived?.isLink === true ? arrived : null)

export function forgetProviderAnswer(): void {
  arrived = null
}
