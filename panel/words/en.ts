import type grid from './en/grid.json'
import type imports from './en/import.json'
import type pictures from './en/pictures.json'
import type pricing from './en/pricing.json'
import type product from './en/product.json'
import type productEdit from './en/product-edit.json'
import type runs from './en/runs.json'
import type sources from './en/sources.json'
import audit from './en/audit.json'
import catalog from './en/catalog.json'
import components from './en/components.json'
import deliveries from './en/deliveries.json'
import developer from './en/developer.json'
import endpoint from './en/endpoint.json'
import endpoints from './en/endpoints.json'
import type findings from './en/findings.json'
import held from './en/held.json'
import link from './en/link.json'
import missing from './en/missing.json'
import notices from './en/notices.json'
import overview from './en/overview.json'
import people from './en/people.json'
import problems from './en/problems.json'
import profile from './en/profile.json'
import resources from './en/resources.json'
import settings from './en/settings.json'
import shared from './en/shared.json'
import shell from './en/shell.json'
import signIn from './en/sign-in.json'
import tokens from './en/tokens.json'
import webhooks from './en/webhooks.json'

/** English: a file for each page or room, and the words of several. */
export const en = {
  audit,
  catalog,
  components,
  deliveries,
  developer,
  endpoint,
  endpoints,
  held,
  link,
  missing,
  notices,
  overview,
  people,
  problems,
  profile,
  resources,
  settings,
  shared,
  shell,
  'sign-in': signIn,
  tokens,
  webhooks,
}

/** All of it: those of some pages come with the page, so that the first load is without them. */
export type English = typeof en & {
  findings: typeof findings
  grid: typeof grid
  import: typeof imports
  pictures: typeof pictures
  pricing: typeof pricing
  product: typeof product
  'product-edit': typeof productEdit
  runs: typeof runs
  sources: typeof sources
}
