/** The context that signing secrets are sealed with: a secret of one account cannot be opened as another's. */
export function sealContext(accountId: number): string {
  return `whsec:${accountId}`
}
