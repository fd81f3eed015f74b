export interface CatalogSearch {
  search?: string | undefined
}

export function catalogSearch(search: Record<string, unknown>): CatalogSearch {
  // what is typed as a number in an address comes as one
  const wanted = search['search']
  const text = typeof wanted === 'number' ? String(wanted) : typeof wanted === 'string' ? wanted.trim() : ''
  return { search: text === '' ? undefined : text }
}
