import type { Words } from './en.ts'
import audit from './pl/audit.json'
import catalog from './pl/catalog.json'
import components from './pl/components.json'
import conditions from './pl/conditions.json'
import deliveries from './pl/deliveries.json'
import developer from './pl/developer.json'
import endpoint from './pl/endpoint.json'
import endpoints from './pl/endpoints.json'
import findings from './pl/findings.json'
import grid from './pl/grid.json'
import held from './pl/held.json'
import imports from './pl/import.json'
import limits from './pl/limits.json'
import link from './pl/link.json'
import missing from './pl/missing.json'
import notices from './pl/notices.json'
import overview from './pl/overview.json'
import people from './pl/people.json'
import pictures from './pl/pictures.json'
import pricing from './pl/pricing.json'
import problems from './pl/problems.json'
import product from './pl/product.json'
import productEdit from './pl/product-edit.json'
import profile from './pl/profile.json'
import resources from './pl/resources.json'
import runs from './pl/runs.json'
import settings from './pl/settings.json'
import shared from './pl/shared.json'
import shell from './pl/shell.json'
import signIn from './pl/sign-in.json'
import signUp from './pl/sign-up.json'
import sources from './pl/sources.json'
import tokens from './pl/tokens.json'
import variantGroup from './pl/variant-group.json'
import webhooks from './pl/webhooks.json'

/** The panel's words in Polish. */
export const pl: Words = {
  audit,
  catalog,
  components,
  conditions,
  deliveries,
  developer,
  endpoint,
  endpoints,
  findings,
  grid,
  held,
  import: imports,
  limits,
  link,
  missing,
  notices,
  overview,
  people,
  pictures,
  pricing,
  problems,
  product,
  'product-edit': productEdit,
  profile,
  resources,
  runs,
  settings,
  shared,
  shell,
  'sign-in': signIn,
  'sign-up': signUp,
  sources,
  tokens,
  'variant-group': variantGroup,
  webhooks,
}
