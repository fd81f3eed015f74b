import { SettingsPage } from './settings-page.tsx'

// The plugin's part of the shop's admin, in the form that `medusa plugin:build` would write and the shop's own build includes. So this package
// is built by the compiler alone, without Medusa. docs/decisions/200-a-page-in-the-shops-admin.md says why.

const PATH = '/settings/shelfwire'

export default {
  routeModule: { routes: [{ path: PATH, Component: SettingsPage, handle: { label: 'Shelfwire' } }] },
  menuItemModule: { menuItems: [{ label: 'Shelfwire', path: PATH }] },
  widgetModule: { widgets: [] },
  formModule: { customFields: {} },
  displayModule: { displays: {} },
  i18nModule: { resources: {} },
  cellRendererModule: {},
  layoutModule: { layouts: [] },
  searchEntityModule: {},
}
