import '@fontsource-variable/inter/wght.css'
import './design/mantine.css'
import './design/tokens.css'
import './design/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { whenSignedOut } from './api/client.ts'
import { newQueryClient } from './api/read.ts'
import { Told } from './components/told.tsx'
import { theme, variables } from './design/theme.ts'
import { styleNonce } from './design/style-nonce.ts'
import { newRouter } from './router.tsx'
import { endSession } from './session/session.ts'
import { startWords } from './words/i18n.ts'

// Puts the panel together and starts it.

const root = document.querySelector('#panel')
if (root === null) throw new Error('the page has no place for the panel')

// for what locks scrolling behind windows
setNonce(styleNonce())
await startWords()
const client = newQueryClient()
const router = newRouter(client)
whenSignedOut(() => {
  endSession(client)
  void router.invalidate()
})

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      deduplicateInlineStyles
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Told />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
