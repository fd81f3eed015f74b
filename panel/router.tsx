import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { UnsavedQuestion } from './components/unsaved-question.tsx'
import { auditSearch } from './pages/audit/search.ts'
import { catalogSearch } from './pages/catalog/search.ts'
import { deliveriesSearch } from './pages/deliveries/search.ts'
import { findingsSearch } from './pages/findings/search.ts'
import { gridSearch } from './pages/grid/search.ts'
import { heldSearch } from './pages/held-prices/search.ts'
import { importSearch } from './pages/import/search.ts'
import { FailedPage, MissingPage } from './pages/missing/missing.tsx'
import { pricingSearch } from './pages/pricing/search.ts'
import { priceListSearch } from './pages/price-lists/search.ts'
import { productSearch } from './pages/product/search.ts'
import { stockSearch } from './pages/stock/search.ts'
import { runSearch, supplierSearch } from './pages/supplier/search.ts'
import { tokenSearch } from './pages/tokens/search.ts'
import { resourceSearch, stepSearch } from './resources/search.ts'
import { lastAccount } from './session/account.ts'
import { sessionQuery } from './session/session.ts'

// The routes of all pages. A page keeps its state in its address: filters, tabs, what is open. A page's code is loaded when it is
// first opened.

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <UnsavedQuestion />
    </>
  ),
  notFoundComponent: MissingPage,
})

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined } => ({ next: text(search['next']) }),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in.tsx'), 'SignInPage'),
})
const forgotten = createRoute({
  getParentRoute: () => root,
  path: 'forgotten-password',
  component: lazyRouteComponent(() => import('./pages/sign-in/forgotten.tsx'), 'ForgottenPage'),
})
const link = createRoute({
  getParentRoute: () => root,
  path: 'link',
  // a signed-in person joins without a password; the session is read before the page is rendered, because the answer
  // for a visitor clears the cache
  async beforeLoad({ context }) {
    await context.client.ensureQueryData(sessionQuery)
  },
  component: lazyRouteComponent(() => import('./pages/link/link.tsx'), 'LinkPage'),
})
const developer = createRoute({
  getParentRoute: () => root,
  path: 'endpoint',
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(() => import('./pages/developer/developer.tsx'), 'DeveloperPage'),
})

/** Pages that require a session. Visitors are sent to sign in, and return afterwards. */
const signed = createRoute({
  getParentRoute: () => root,
  id: 'signed',
  async beforeLoad({ context, location }) {
    const session = await context.client.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
    return { session }
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'SignedIn'),
})
const home = createRoute({
  getParentRoute: () => signed,
  path: '/',
  beforeLoad({ context }) {
    const account = lastAccount(context.session)
    throw account === undefined
      ? redirect({ to: '/profile' })
      : redirect({ to: '/$account/overview', params: { account: String(account.id) } })
  },
})
const profile = createRoute({
  getParentRoute: () => signed,
  path: 'profile',
  component: lazyRouteComponent(() => import('./pages/profile/profile.tsx'), 'ProfilePage'),
})
const newAccount = createRoute({
  getParentRoute: () => signed,
  path: 'new-account',
  component: lazyRouteComponent(() => import('./pages/new-account/new-account.tsx'), 'NewAccountPage'),
})
const settings = createRoute({
  getParentRoute: () => signed,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
})
const components = createRoute({
  getParentRoute: () => signed,
  path: 'components',
  component: lazyRouteComponent(() => import('./pages/components/components.tsx'), 'ComponentsPage'),
})

const account = createRoute({ getParentRoute: () => signed, path: '$account', component: Outlet })
const accountHome = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad({ params }) {
    throw redirect({ to: '/$account/overview', params, replace: true })
  },
})
const overview = createRoute({
  getParentRoute: () => account,
  path: 'overview',
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
})
const catalog = createRoute({
  getParentRoute: () => account,
  path: 'catalog',
  validateSearch: catalogSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/catalog.tsx'), 'CatalogPage'),
})
const product = createRoute({
  getParentRoute: () => account,
  path: 'catalog/$product',
  validateSearch: productSearch,
  component: lazyRouteComponent(() => import('./pages/product/product.tsx'), 'ProductPage'),
})
const variantGroup = createRoute({
  getParentRoute: () => account,
  path: 'catalog/groups/$group',
  component: lazyRouteComponent(() => import('./pages/variant-group/variant-group.tsx'), 'VariantGroupPage'),
})
const grid = createRoute({
  getParentRoute: () => account,
  path: 'catalog/grid',
  validateSearch: gridSearch,
  component: lazyRouteComponent(() => import('./pages/grid/grid.tsx'), 'GridPage'),
})
const pricing = createRoute({
  getParentRoute: () => account,
  path: 'pricing',
  validateSearch: pricingSearch,
  component: lazyRouteComponent(() => import('./pages/pricing/pricing.tsx'), 'PricingPage'),
})
const endpoints = createRoute({
  getParentRoute: () => account,
  path: 'endpoints',
  validateSearch: stepSearch,
  component: lazyRouteComponent(() => import('./pages/endpoints/endpoints.tsx'), 'EndpointsPage'),
})
const endpoint = createRoute({
  getParentRoute: () => account,
  path: 'endpoints/$endpoint',
  component: lazyRouteComponent(() => import('./pages/endpoint/endpoint.tsx'), 'EndpointPage'),
})
const deliveries = createRoute({
  getParentRoute: () => account,
  path: 'deliveries',
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(() => import('./pages/deliveries/deliveries.tsx'), 'DeliveriesPage'),
})
const notices = createRoute({
  getParentRoute: () => account,
  path: 'notices',
  component: lazyRouteComponent(() => import('./pages/notices/notices.tsx'), 'NoticesPage'),
})
const tokens = createRoute({
  getParentRoute: () => account,
  path: 'tokens',
  validateSearch: stepSearch,
  component: lazyRouteComponent(() => import('./pages/tokens/tokens.tsx'), 'TokensPage'),
})
const token = createRoute({
  getParentRoute: () => account,
  path: 'tokens/$token',
  validateSearch: tokenSearch,
  component: lazyRouteComponent(() => import('./pages/tokens/token.tsx'), 'TokenPage'),
})
const people = createRoute({
  getParentRoute: () => account,
  path: 'people',
  component: lazyRouteComponent(() => import('./pages/people/people.tsx'), 'PeoplePage'),
})
const limits = createRoute({
  getParentRoute: () => account,
  path: 'limits',
  component: lazyRouteComponent(() => import('./pages/limits/limits.tsx'), 'LimitsPage'),
})
const audit = createRoute({
  getParentRoute: () => account,
  path: 'audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
})
const stores = createRoute({
  getParentRoute: () => account,
  path: 'stores',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/stores/stores.tsx'), 'StoresPage'),
})
const groups = createRoute({
  getParentRoute: () => account,
  path: 'groups',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/groups/groups.tsx'), 'GroupsPage'),
})
const rates = createRoute({
  getParentRoute: () => account,
  path: 'rates',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/rates/rates.tsx'), 'RatesPage'),
})
const taxClasses = createRoute({
  getParentRoute: () => account,
  path: 'tax-classes',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/tax-classes/tax-classes.tsx'), 'TaxClassesPage'),
})
const priceLists = createRoute({
  getParentRoute: () => account,
  path: 'price-lists',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/price-lists/price-lists.tsx'), 'PriceListsPage'),
})
const priceList = createRoute({
  getParentRoute: () => account,
  path: 'price-lists/$list',
  validateSearch: priceListSearch,
  component: lazyRouteComponent(() => import('./pages/price-lists/price-list.tsx'), 'PriceListPage'),
})
const suppliers = createRoute({
  getParentRoute: () => account,
  path: 'suppliers',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/suppliers/suppliers.tsx'), 'SuppliersPage'),
})
const supplier = createRoute({
  getParentRoute: () => account,
  path: 'suppliers/$supplier',
  validateSearch: supplierSearch,
  component: lazyRouteComponent(() => import('./pages/supplier/supplier.tsx'), 'SupplierPage'),
})
const supplierImport = createRoute({
  getParentRoute: () => account,
  path: 'suppliers/$supplier/import',
  validateSearch: importSearch,
  component: lazyRouteComponent(() => import('./pages/import/import.tsx'), 'ImportPage'),
})
const run = createRoute({
  getParentRoute: () => account,
  path: 'suppliers/$supplier/runs/$run',
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import('./pages/supplier/run.tsx'), 'RunPage'),
})
const attributes = createRoute({
  getParentRoute: () => account,
  path: 'attributes',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/attributes/attributes.tsx'), 'AttributesPage'),
})
const categories = createRoute({
  getParentRoute: () => account,
  path: 'categories',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/categories/categories.tsx'), 'CategoriesPage'),
})
const stock = createRoute({
  getParentRoute: () => account,
  path: 'stock',
  validateSearch: stockSearch,
  component: lazyRouteComponent(() => import('./pages/stock/stock.tsx'), 'StockPage'),
})
const skus = createRoute({
  getParentRoute: () => account,
  path: 'skus',
  component: lazyRouteComponent(() => import('./pages/skus/skus.tsx'), 'SkusPage'),
})
const sourceOrders = createRoute({
  getParentRoute: () => account,
  path: 'source-orders',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/source-orders/source-orders.tsx'), 'SourceOrdersPage'),
})
const channels = createRoute({
  getParentRoute: () => account,
  path: 'channels',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/channels/channels.tsx'), 'ChannelsPage'),
})
const noticeChannels = createRoute({
  getParentRoute: () => account,
  path: 'notice-channels',
  validateSearch: resourceSearch,
  component: lazyRouteComponent(() => import('./pages/notice-channels/notice-channels.tsx'), 'NoticeChannelsPage'),
})
const heldPrices = createRoute({
  getParentRoute: () => account,
  path: 'held-prices',
  validateSearch: heldSearch,
  component: lazyRouteComponent(() => import('./pages/held-prices/held-prices.tsx'), 'HeldPricesPage'),
})
const findings = createRoute({
  getParentRoute: () => account,
  path: 'findings',
  validateSearch: findingsSearch,
  component: lazyRouteComponent(() => import('./pages/findings/findings.tsx'), 'FindingsPage'),
})
const accountSettings = createRoute({
  getParentRoute: () => account,
  path: 'account',
  component: lazyRouteComponent(() => import('./pages/account/account.tsx'), 'AccountPage'),
})

const tree = root.addChildren([
  signIn,
  forgotten,
  link,
  developer,
  signed.addChildren([
    home,
    profile,
    newAccount,
    settings,
    components,
    account.addChildren([
      accountHome,
      overview,
      catalog,
      variantGroup,
      product,
      grid,
      pricing,
      endpoints,
      endpoint,
      deliveries,
      notices,
      tokens,
      token,
      people,
      limits,
      audit,
      stores,
      groups,
      rates,
      taxClasses,
      priceLists,
      priceList,
      suppliers,
      supplier,
      supplierImport,
      run,
      attributes,
      categories,
      stock,
      skus,
      sourceOrders,
      channels,
      noticeChannels,
      heldPrices,
      findings,
      accountSettings,
    ]),
  ]),
])

export function newRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/panel',
    // search parameters that no page declares, such as `utm_source`, are removed
    search: { strict: true },
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    scrollRestoration: true,
    defaultNotFoundComponent: MissingPage,
    defaultErrorComponent: FailedPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
