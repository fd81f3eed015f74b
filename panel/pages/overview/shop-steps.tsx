import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { CircleCheckIcon, CircleIcon } from '../../design/icons.tsx'
import { useAccount, useAccountParams, useIsOwner } from '../../session/account.ts'
import { ConnectForm } from './connect-form.tsx'
import type { Connected } from './connect.ts'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'

type Row = Overview['checklist']['steps'][number]
type Step = 'token' | 'read' | 'endpoint' | 'delivered'
type ShopRow = Row & { step: Step }

/** Pages below the account's address where each part is done. */
const PLACES: Readonly<Record<Step, string>> = {
  token: 'tokens',
  read: 'tokens',
  endpoint: 'endpoints',
  delivered: 'endpoints',
}

/** Search parameters for these pages: an open form, and the return to the steps. */
const SEARCHES: Readonly<Partial<Record<Step, Record<string, unknown>>>> = {
  token: { new: true, from: 'steps' },
  endpoint: { new: true, from: 'steps' },
}

/**
 * What connects a shop: a token to read with, and an endpoint that gets changes. One button creates both. Parts that are missing or
 * were begun elsewhere are listed, and the first undone one explains what to do.
 */
export function ShopSteps({
  steps,
  hasProducts,
  name,
  isNext,
  connected,
}: {
  steps: readonly Row[]
  hasProducts: boolean
  /** The name of the shop. */
  name: string
  isNext: boolean
  connected: (made: Connected) => void
}) {
  const rows = steps as readonly ShopRow[]
  const isOwner = useIsOwner()
  const isBegun = rows.some(({ step, is_done: isDone }) => isDone && (step === 'token' || step === 'endpoint'))
  return (
    <>
      {isBegun || !isOwner ? (
        <ShopRows rows={rows} hasProducts={hasProducts} />
      ) : (
        <ConnectForm isNext={isNext} name={name} connected={connected} />
      )}
      <Ways />
    </>
  )
}

function Ways() {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  return (
    <p className={classes.ways}>
      <Link to="/$account/stores" params={{ account: String(id) }}>
        {t('checklist.stores')}
      </Link>
      <a href="/docs/guides/feed" target="_blank" rel="noreferrer">
        {t('checklist.connectors')}
      </a>
    </p>
  )
}

function ShopRows({ rows, hasProducts }: { rows: readonly ShopRow[]; hasProducts: boolean }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const next = rows.find(({ is_done: isDone }) => !isDone)
  const lastPlace = useLastPlace(rows, hasProducts)
  const placeOf = (step: Step) =>
    step === 'delivered' ? lastPlace : { to: `/${id}/${PLACES[step]}`, search: SEARCHES[step] ?? {} }
  return (
    <ol className={classes.steps}>
      {rows.map(({ step, is_done: isDone }) => (
        <li key={step} className={`${classes.step} ${isDone ? classes.done : ''}`}>
          {isDone ? <CircleCheckIcon size={16} /> : <CircleIcon size={16} />}
          <div>
            {isDone || (hasProducts && step === next?.step) ? (
              t(`checklist.steps.${step}`)
            ) : (
              <Link {...(placeOf(step) as { to: string })}>{t(`checklist.steps.${step}`)}</Link>
            )}
            {isDone ? <VisuallyHidden>: {t('checklist.done')}</VisuallyHidden> : null}
            {hasProducts && step === next?.step ? <p className={classes.hint}>{t(`checklist.how.${step}`)}</p> : null}
            {hasProducts && step === 'read' && step === next?.step ? (
              <CodeBlock
                title="curl"
                wraps
                code={`curl -H "Authorization: Bearer $TOKEN" '${location.origin}/v1/products?per_page=3'`}
              />
            ) : null}
          </div>
          {hasProducts && step === next?.step ? (
            <LinkButton variant={step === 'read' ? 'default' : 'filled'} {...placeOf(step)}>
              {t(`checklist.ways.${step}`)}
            </LinkButton>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

/**
 * The page for making a change whose delivery can be watched: a product's stock. If something is missing for that, its
 * page instead.
 */
function useLastPlace(steps: readonly Row[], hasProducts: boolean): { to: string; search?: Record<string, unknown> } {
  const { id } = useAccount()
  const products = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params: useAccountParams(), query: { per_page: 1 } },
    { isEnabled: hasProducts },
  )
  const product = products.data?.data[0]
  if (!steps.some(({ step, is_done: isDone }) => step === 'endpoint' && isDone))
    return { to: `/${id}/endpoints`, search: { new: true, from: 'steps' } }
  if (product === undefined) return { to: hasProducts ? `/${id}/catalog` : `/${id}/suppliers` }
  return { to: `/${id}/catalog/${product.id}`, search: { value: 'stock', arrival: true } }
}
