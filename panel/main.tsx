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
import { setConfirmationPrompt, setSignedOutListener } from './api/client.ts'
import { newQueryClient } from './api/read.ts'
import { Messages } from './components/messages.tsx'
import { styleNonce, theme, variables } from './design/theme.ts'
import { newRouter } from './router.tsx'
import { answerConfirmation, askToConfirm } from './session/confirming.ts'
import { takeProviderAnswer } from './session/provider-answer.ts'
import { endSession } from './session/session.ts'
import { startWords } from './words/i18n.ts'

// Assembles the panel and starts it.

const root = document.querySelector('#panel')
if (root === null) throw new Error('the page has no place for the panel')

// for the library that locks scrolling behind windows
setNonce(styleNonce())
await startWords()
const client = newQueryClient()
takeProviderAnswer()
const router = newRouter(client)
setSignedOutListener(() => {
  answerConfirmation(false)
  endSession(client)
  void router.invalidate()
})

setConfirmationPrompt(askToConfirm)

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
        <Messages />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
