/** `new`: the form is open. `from`: where the page leads back to when it is done. */
export function endpointsSearch(search: Record<string, unknown>): {
  new?: true | undefined
  from?: 'steps' | undefined
} {
  return {
    new: search['new'] === true ? true : undefined,
    from: search['from'] === 'steps' ? 'steps' : undefined,
  }
}
