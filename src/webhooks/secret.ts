/** What sealed signing secrets belong to: one account's cannot be opened as another's. */
export function sealContext(accountId: number): string {
  return `whsec:${accountId}`
}
