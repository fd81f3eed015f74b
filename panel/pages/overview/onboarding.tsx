import { Button, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { Section } from '../../components/page.tsx'
import { CircleCheckIcon } from '../../design/icons.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import type { Connected } from './connect.ts'
import { DropFirst, ImportRuns } from './drop-first.tsx'
import { FirstProducts } from './first-products.tsx'
import { useStepsDismissed } from './left.ts'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'
import { ShopSteps } from './shop-steps.tsx'
import type { Lacking } from './store-groups.ts'

/** The steps from a new account to a shop that reads from it, in this order. */
const STEPS = ['file', 'prices', 'shop'] as const
type Step = (typeof STEPS)[number]
/** The parts of the last step. */
const OF_SHOP: readonly string[] = ['token', 'read', 'endpoint', 'delivered']

/** Which steps are done, from the account's data. */
export function onboardingDone(overview: Overview, lacking: readonly Lacking[] | undefined): Record<Step, boolean> {
  const isDone = (wanted: string) => overview.checklist.steps.some((row) => row.step === wanted && row.is_done)
  return {
    // products are counted with a delay, so both are checked
    file: overview.products > 0 || isDone('products'),
    prices: pricedStore(overview, lacking) !== undefined,
    // a shop that polls for changes has no endpoint
    shop: isDone('token') && isDone('read') && (isDone('delivered') || !isDone('endpoint')),
  }
}

/** The default name of the account's shop: that of its only store, or of the account. */
export function shopOf({ stores }: Overview, account: { name: string }): { name: string; slug: string | undefined } {
  const active = stores.filter(({ is_active: isActive }) => isActive)
  const [first] = active
  return { name: active.length === 1 && first !== undefined ? first.name : account.name, slug: first?.slug }
}

/** How many of a store's products have a gap. */
const lackingIn = (lacking: readonly Lacking[], slug: string, what: Lacking['gaps'][number]['gap']): number =>
  lacking.find(({ store }) => store === slug)?.gaps.find(({ gap }) => gap === what)?.products ?? 0

/** The first active store that has a product with a price. */
function pricedStore({ stores }: Overview, lacking: readonly Lacking[] = []) {
  return stores.find(
    ({ slug, is_active: isActive, products }) => isActive && products > lackingIn(lacking, slug, 'no_price'),
  )
}

/** Three steps; the account's data decides which of them are done. They can be dismissed at any time. */
export function Onboarding({
  overview,
  lacking,
  connected,
}: {
  overview: Overview
  lacking: readonly Lacking[] | undefined
  /** Shows what was created for a shop. The page does so, because the steps may have disappeared by then. */
  connected: (made: Connected) => void
}) {
  const { t } = useTranslation('overview')
  const account = useAccount()
  const { id } = account
  const [isDismissed, setDismissed] = useStepsDismissed(id)
  const [isOpened, setOpened] = useState(false)
  const done = onboardingDone(overview, lacking)
  const count = STEPS.filter((step) => done[step]).length
  const next = STEPS.find((step) => !done[step])
  const progress = t('onboarding.progress', { done: count, count: STEPS.length })
  if (isDismissed && !isOpened)
    return (
      <p className={classes.left}>
        {t('onboarding.title')}: {progress}.{' '}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            setOpened(true)
            setDismissed(false)
          }}
        >
          {t('onboarding.goOn')}
        </Button>
      </p>
    )
  const bodies: Record<Step, ReactNode> = {
    file: (
      <>
        {overview.imports.running.length > 0 ? <ImportRuns running={overview.imports.running} /> : <DropFirst />}
        <p className={classes.ways}>
          <Link to="/$account/suppliers" params={{ account: String(id) }} search={{ new: true } as never}>
            {t('onboarding.file.byHand')}
          </Link>
          <a href="/docs/guides/tutorial" target="_blank" rel="noreferrer">
            {t('onboarding.file.api')}
          </a>
        </p>
      </>
    ),
    prices: <PricesStep overview={overview} lacking={lacking} />,
    shop: (
      <ShopSteps
        steps={overview.checklist.steps.filter(({ step }) => OF_SHOP.includes(step))}
        hasProducts={done.file}
        name={shopOf(overview, account).name}
        isNext={next === 'shop'}
        connected={connected}
      />
    ),
  }
  return (
    <Section
      title={t('onboarding.title')}
      note={progress}
      actions={
        <Button variant="subtle" className={classes.later} onClick={() => setDismissed(true)}>
          {t('onboarding.leave')}
        </Button>
      }
    >
      <ol className={classes.onboarding}>
        {STEPS.map((step, i) => (
          <li key={step} className={done[step] ? classes.done : ''} aria-current={step === next ? 'step' : undefined}>
            {done[step] ? (
              <CircleCheckIcon size={24} />
            ) : (
              <span className={step === next ? classes.numberNext : classes.number} aria-hidden="true">
                {i + 1}
              </span>
            )}
            <div>
              <h3>
                {t(`onboarding.steps.${step}`)}
                {done[step] ? <VisuallyHidden>: {t('checklist.done')}</VisuallyHidden> : null}
              </h3>
              {done[step] && step !== 'prices' ? null : (
                <>
                  {done[step] ? null : <p className={classes.hint}>{t(`onboarding.how.${step}`)}</p>}
                  {step === next || step !== 'file' ? bodies[step] : null}
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Links to the products with their prices, or says what is missing for prices and where to add it. */
function PricesStep({ overview, lacking }: { overview: Overview; lacking: readonly Lacking[] | undefined }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const { checklist, feed, products, stores } = overview
  const isDone = (step: string) => checklist.steps.find((row) => row.step === step)?.is_done ?? true
  const priced = pricedStore(overview, lacking)
  if (priced !== undefined) {
    const untitled = lackingIn(lacking ?? [], priced.slug, 'no_title')
    const shown = (
      <>
        <FirstProducts store={priced.slug} />
        <p className={classes.ways}>
          <LinkButton to={`/${id}/catalog`} search={{ store: priced.slug }}>
            {t('onboarding.prices.show', { count: priced.products, shown: format.number(priced.products) })}
          </LinkButton>
          {isDone('prices') ? null : (
            <Link to="/$account/pricing" params={{ account: String(id) }} search={{ new: true } as never}>
              {t('onboarding.prices.own')}
            </Link>
          )}
        </p>
      </>
    )
    // no hint if only some lack a title; if at least half do, the file is probably in another language
    if (2 * untitled < priced.products) return shown
    return (
      <>
        {shown}
        <p className={classes.hint}>
          {t('onboarding.prices.untitled', { count: untitled, store: priced.name })}{' '}
          <Link to="/$account/account" params={{ account: String(id) }}>
            {t('onboarding.prices.anyLanguage')}
          </Link>
        </p>
      </>
    )
  }
  if (products === 0) return null
  const [missing, to] = !stores.some(({ is_active: isActive }) => isActive)
    ? (['store', 'stores'] as const)
    : !isDone('rates')
      ? (['rate', 'rates'] as const)
      : feed.waiting_products + feed.waiting_sweeps > 0
        ? (['computing', null] as const)
        : (['rule', 'pricing'] as const)
  return (
    <p className={classes.ways}>
      <span>{t(`onboarding.prices.missing.${missing}`)}</span>
      {to === null ? null : (
        <LinkButton to={`/${id}/${to}`} variant="filled">
          {t(`onboarding.prices.mend.${to}`)}
        </LinkButton>
      )}
    </p>
  )
}
