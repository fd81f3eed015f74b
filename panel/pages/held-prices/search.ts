/** `open`: the product whose held prices are shown. */
export function heldSearch(search: Record<string, unknown>): { open?: number | undefined } {
  return { open: typeof search['open'] === 'number' ? search['open'] : undefined }
}
