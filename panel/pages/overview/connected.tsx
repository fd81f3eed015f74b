import { Button, Tabs } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/code-block.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { CreatedSecretsWindow } from '../../components/shown-once.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { FirstDelivery } from '../../webhooks/first-delivery.tsx'
import { ListenCommand } from '../../webhooks/listen-command.tsx'
import { memberLog } from '../../webhooks/log-source.ts'
import { Verifier } from '../../webhooks/verifier.tsx'
import { type Connected, makeToken } from './connect.ts'
import classes from './overview.module.css'

/** Shows once what was created for a shop: its secrets, the test delivery, and examples for developers. */
export default function ConnectedWindow({
  of: { token, endpoint },
  name,
  store,
  change,
  close,
}: {
  of: Connected
  name: string
  /** Slug of the store in the examples; undefined if there is none yet. */
  store: string | undefined
  change: (made: Connected) => void
  close: () => void
}) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const params = useAccountParams()
  const retry = useMutation({
    mutationFn: () => makeToken(params, name),
    onSuccess: (made) => change({ token: made, endpoint }),
  })
  const secrets = [
    ...(token === null ? [] : [{ label: t('onboarding.connect.token'), secret: token }]),
    ...(endpoint === null ? [] : [{ label: t('onboarding.connect.secret'), secret: endpoint.secret }]),
  ]
  return (
    <CreatedSecretsWindow
      title={t(token === null ? 'onboarding.steps.shop' : 'onboarding.connect.title')}
      secrets={secrets}
      close={close}
    >
      {token === null ? (
        <div className={classes.noToken}>
          <p>{t('onboarding.connect.noToken')}</p>
          <ProblemNote error={retry.error} />
          <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
            {t('onboarding.connect.retry')}
          </Button>
        </div>
      ) : null}
      {endpoint === null ? null : <FirstDelivery source={memberLog(id, endpoint.id)} />}
      <Uses token={token ?? '$TOKEN'} store={store} url={endpoint?.url} />
    </CreatedSecretsWindow>
  )
}

/** Examples of reading, following changes, and receiving deliveries, with which a developer begins. */
function Uses({ token, store, url }: { token: string; store: string | undefined; url: string | undefined }) {
  const { t } = useTranslation('overview')
  const asked = store === undefined ? '' : `store=${store}&`
  const uses = url === undefined ? (['read', 'follow'] as const) : (['read', 'receive', 'follow'] as const)
  return (
    <Tabs defaultValue="read" keepMounted={false}>
      <Tabs.List aria-label={t('onboarding.connect.uses')}>
        {uses.map((use) => (
          <Tabs.Tab key={use} value={use}>
            {t(`onboarding.connect.${use}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="read" pt="sm">
        <CodeBlock
          title={t('onboarding.connect.curl')}
          wraps
          code={`curl -H 'Authorization: Bearer ${token}' '${location.origin}/v1/products?${asked}per_page=3'`}
        />
      </Tabs.Panel>
      <Tabs.Panel value="follow" pt="sm">
        <p className={classes.above}>{t('onboarding.connect.clientHint')}</p>
        <CodeBlock title={t('onboarding.connect.client')} code={clientCode(store ?? 'main')} />
      </Tabs.Panel>
      {url === undefined ? null : (
        <Tabs.Panel value="receive" pt="sm">
          <ListenCommand url={url} />
          <Verifier />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}

const clientCode = (store: string) => `import { Shelfwire } from '@shelfwire/client'
import { SqliteTarget } from '@shelfwire/client/targets/sqlite'

const shelf = new Shelfwire({
  url: '${location.origin}',
  token: process.env.SHELFWIRE_TOKEN,
})
const target = new SqliteTarget('mirror.db')
await shelf.sync({ stores: ['${store}'], target }).run()`
