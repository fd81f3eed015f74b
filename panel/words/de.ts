import type { Words } from './en.ts'
import audit from './de/audit.json'
import catalog from './de/catalog.json'
import components from './de/components.json'
import conditions from './de/conditions.json'
import deliveries from './de/deliveries.json'
import developer from './de/developer.json'
import endpoint from './de/endpoint.json'
import endpoints from './de/endpoints.json'
import findings from './de/findings.json'
import grid from './de/grid.json'
import held from './de/held.json'
import imports from './de/import.json'
import limits from './de/limits.json'
import link from './de/link.json'
import missing from './de/missing.json'
import notices from './de/notices.json'
import overview from './de/overview.json'
import people from './de/people.json'
import pictures from './de/pictures.json'
import pricing from './de/pricing.json'
import problems from './de/problems.json'
import product from './de/product.json'
import productEdit from './de/product-edit.json'
import profile from './de/profile.json'
import resources from './de/resources.json'
import runs from './de/runs.json'
import settings from './de/settings.json'
import shared from './de/shared.json'
import shell from './de/shell.json'
import signIn from './de/sign-in.json'
import signUp from './de/sign-up.json'
import sources from './de/sources.json'
import tokens from './de/tokens.json'
import variantGroup from './de/variant-group.json'
import webhooks from './de/webhooks.json'

/** The panel's words in German. */
export const de: Words = {
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
