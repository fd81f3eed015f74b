/** `kind`: the open kind of findings. */
export function findingsSearch(search: Record<string, unknown>): { kind?: string | undefined } {
  return { kind: typeof search['kind'] === 'string' ? search['kind'] : undefined }
}
