/** `search`: text by which products are found; `open`: the product whose stock is edited. */
export function stockSearch(search: Record<string, unknown>): {
  search?: string | undefined
  open?: number | undefined
} {
  const { search: text, open } = search
  return {
    search: typeof text === 'string' && text !== '' ? text : typeof text === 'number' ? String(text) : undefined,
    open: typeof open === 'number' ? open : undefined,
  }
}
