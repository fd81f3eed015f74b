/** `new`: the form is open. */
export function endpointsSearch(search: Record<string, unknown>): { new?: boolean | undefined } {
  return { new: search['new'] === true ? true : undefined }
}
