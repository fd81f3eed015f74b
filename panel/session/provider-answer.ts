// What belongs to a sign-in at the identity provider is kept in this tab, while the browser is there.

const KEPT_AS = 'shelfwire.provider'

interface Begun {
  ticket: string
  /** Where one goes afterwards. */
  next: string
  /** The person of the session links it, and does not sign in by it. */
  isLink?: true
}

interface ProviderAnswer extends Begun {
  /** The query of the address that the provider has sent the browser to. */
  answer: string
}

let arrived: ProviderAnswer | null = null

export function keepBegun(begun: Begun): void {
  sessionStorage.setItem(KEPT_AS, JSON.stringify(begun))
}

/** Takes what the provider answers out of the address, so that it is in no bookmark and no history. Before the pages look at the address. */
export function takeProviderAnswer(): void {
  const query = new URLSearchParams(location.search)
  if (!location.pathname.endsWith('/sign-in') || !query.has('state') || !(query.has('code') || query.has('error')))
    return
  const kept = sessionStorage.getItem(KEPT_AS)
  sessionStorage.removeItem(KEPT_AS)
  // a tab that has not asked has no ticket, which the service refuses
  const begun = kept === null ? { ticket: '', next: '/' } : (JSON.parse(kept) as Begun)
  arrived = { ...begun, answer: location.search.slice(1) }
  // who links has a session, and goes on where it began
  const path = begun.isLink === true ? location.pathname.replace(/\/sign-in$/, begun.next) : location.pathname
  history.replaceState(history.state, '', path)
}

/** What the provider has answered to a sign-in; null: nothing, or it was used. */
export const providerAnswer = (): ProviderAnswer | null => (arrived?.isLink === true ? null : arrived)

/** What the provider has answered to whoever links it in a session; null: nothing, or it was used. */
export const providerLinkAnswer = (): ProviderAnswer | null => (arrived?.isLink === true ? arrived : null)

export function forgetProviderAnswer(): void {
  arrived = null
}
