import { defineDashboardExtension } from '@vendure/dashboard'
import { SettingsPage } from './settings-page.tsx'

// The plugin's part of the dashboard, which the shop's own build includes. docs/decisions/200-a-page-in-the-shops-admin.md says why.

defineDashboardExtension({
  routes: [
    {
      path: '/shelfwire',
      component: SettingsPage,
      navMenuItem: { sectionId: 'settings', id: 'shelfwire', title: 'Shelfwire', requiresPermission: ['SuperAdmin'] },
    },
  ],
})
