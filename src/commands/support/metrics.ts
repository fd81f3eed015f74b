/** Labels whose values come from our code: states, codes, routes and numbers. */
const LABELS = new Set([
  'account',
  'endpoint',
  'route',
  'status',
  'code',
  'reason',
  'outcome',
  'state',
  'budget',
  'version',
  'node',
  'major',
  'minor',
  'patch',
  'le',
  'quantile',
  'kind',
  'space',
  'type',
])
const LINE = /^(# (?:HELP|TYPE) [ -~’]{1,300}|(\w+)(\{([\w=",.:/+\-* ]*)\})? [\w.+-]+)$/

/** Keeps the lines of Prometheus's format that have no other labels. */
export function shownMetrics(text: string): string {
  const shown = text.split('\n').filter((line) => {
    const [whole, , , , labels = ''] = LINE.exec(line) ?? []
    return whole !== undefined && [...labels.matchAll(/(\w+)="/g)].every(([, name]) => LABELS.has(name ?? ''))
  })
  return `${shown.join('\n')}\n`
}
