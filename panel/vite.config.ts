import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// `npm run panel` serves the panel with hot reload beside a service (SHELFWIRE_URL, http://127.0.0.1:8080 by default); bin/panel.mjs builds it.
// docs/decisions/088-the-panel-is-static-files.md says why it is static files.

const service = process.env['SHELFWIRE_URL'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  base: '/panel/',
  plugins: [react()],
  // the service replaces this by a fresh nonce in each page
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // no data: URLs, which the page's content security policy refuses
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // a few files instead of one for each of fifty modules: one for every page, one for windows and menus, one for lists
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|@tanstack\/(?:react-router|router-core|history|react-query|query-core|react-store|store)|get-nonce|@mantine\/core\/esm\/core)\//,
            },
            // the code picker, product fields and words of single pages are excluded, and are loaded with the pages
            // that use them
            {
              name: 'panel',
              test: /panel\/(?:api|components|session|words)\/(?!dialog\.|filters\.|column-menu|shown-once|unsaved-dialog|(?:read-)?list(?:-rows)?\.|codes\.|code-picker|field-names|resources\.|en\/)|@mantine\/core\/esm\/components\/(?:Input|InputBase|TextInput)\/|@mantine\/hooks\/esm\/use-uncontrolled\//,
              minShareCount: 5,
            },
            // windows and menus: the sign-in page does not need them
            {
              name: 'windows',
              test: /panel\/components\/(?:dialog\.tsx|filters\.tsx|unsaved-dialog)/,
            },
            // lists with sorting and virtual rows: the first page does not need them
            {
              name: 'list',
              test: /panel\/components\/(?:read-)?list(?:-rows)?\.|node_modules\/@tanstack\/(?:react-table|table-core|react-virtual|virtual-core)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5_173,
    strictPort: true,
    proxy: Object.fromEntries(['/panel/api', '/v1', '/docs', '/openapi.json'].map((path) => [path, service])),
  },
})
