/** `new`: the form is open. */
export function tokensSearch(search: Record<string, unknown>): { new?: boolean | undefined } {
  return { new: search['new'] === true ? true : undefined }
}
