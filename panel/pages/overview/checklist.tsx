import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { Section } from '../../components/page.tsx'
import { CircleCheckIcon, CircleIcon } from '../../design/icons.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'

type Step = Overview['checklist']['steps'][number]

/** Pages below the account's address where a step is done. Of `products` it is the import of the only supplier, where there is one. */
const PLACES: Readonly<Record<Step['step'], string>> = {
  supplier: 'suppliers',
  rates: 'rates',
  products: 'suppliers',
  prices: 'pricing',
  token: 'tokens',
  read: 'tokens',
  endpoint: 'endpoints',
  delivered: 'endpoints',
}

/** What takes a new account to its first delivered webhook; the first step that is not done says how. */
export function Checklist({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const next = steps.find(({ is_done: isDone }) => !isDone)
  const lastPlace = useLastPlace(steps)
  const placeOf = (step: Step['step']) => (step === 'delivered' ? lastPlace : { to: `/${id}/${PLACES[step]}` })
  const done = steps.filter(({ is_done: isDone }) => isDone).length
  return (
    <Section title={t('checklist.title')} note={t('checklist.progress', { done, count: steps.length })}>
      <ol className={classes.steps}>
        {steps.map(({ step, is_done: isDone }) => (
          <li key={step} className={`${classes.step} ${isDone ? classes.done : ''}`}>
            {isDone ? <CircleCheckIcon size={16} /> : <CircleIcon size={16} />}
            <div>
              {isDone || step === next?.step ? (
                t(`checklist.steps.${step}`)
              ) : (
                <Link {...(placeOf(step) as { to: string })}>{t(`checklist.steps.${step}`)}</Link>
              )}
              {isDone ? <VisuallyHidden>: {t('checklist.done')}</VisuallyHidden> : null}
              {step === next?.step ? <p className={classes.hint}>{t(`checklist.how.${step}`)}</p> : null}
            </div>
            {step !== next?.step ? null : step === 'delivered' ? (
              <LinkButton {...lastPlace}>{t('checklist.change')}</LinkButton>
            ) : (
              <Way step={step} />
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Where a change is made and its delivery is seen: a product's stock. First comes whatever is missing for it. */
function useLastPlace(steps: readonly Step[]): { to: string; search?: Record<string, unknown> } {
  const { id } = useAccount()
  const isDone = (step: Step['step']) => steps.some((row) => row.step === step && row.is_done)
  const products = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params: useAccountParams(), query: { per_page: 1 } },
    { isEnabled: isDone('products') },
  )
  const product = products.data?.data[0]
  if (!isDone('endpoint')) return { to: `/${id}/endpoints`, search: { new: true } }
  if (product === undefined) return { to: isDone('products') ? `/${id}/catalog` : `/${id}/suppliers` }
  return { to: `/${id}/catalog/${product.id}`, search: { value: 'stock', arrival: true } }
}

function Way({ step }: { step: Step['step'] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const to = `/${id}/${PLACES[step]}`
  if (step === 'products') return <ImportWay />
  if (step === 'token' || step === 'read') return <LinkButton to={to}>{t('checklist.tokens')}</LinkButton>
  if (step === 'endpoint') return <LinkButton to={to}>{t('checklist.endpoints')}</LinkButton>
  if (step === 'rates') return <LinkButton to={to}>{t('checklist.rates')}</LinkButton>
  if (step === 'prices')
    return (
      <LinkButton to={to} search={{ new: true }}>
        {t('checklist.rules')}
      </LinkButton>
    )
  return (
    <span className={classes.ways}>
      <LinkButton to={`/${id}/stores`}>{t('checklist.stores')}</LinkButton>
      <LinkButton to={to} search={{ new: true }}>
        {t('checklist.suppliers')}
      </LinkButton>
    </span>
  )
}

/** To the import of a supplier's file: of the only supplier, or of one that is chosen from the list. */
function ImportWay() {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const { data: suppliers } = useResources(id, 'suppliers')
  const only = suppliers?.length === 1 ? suppliers[0] : undefined
  const to = only === undefined ? `/${id}/suppliers` : `/${id}/suppliers/${only.code}/import`
  return (
    <span className={classes.ways}>
      <a href="/docs/guides/tutorial" target="_blank" rel="noreferrer">
        {t('checklist.guide')}
      </a>
      {/* until it is known where it leads, a click would lead elsewhere */}
      {suppliers === undefined ? null : <LinkButton to={to}>{t('checklist.import')}</LinkButton>}
    </span>
  )
}
