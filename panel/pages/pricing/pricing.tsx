import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PreviewOperation } from '../../../contract/panel/previews.ts'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { useOwnCurrency } from '../../api/settings.ts'
import { Empty, Loaded, Waiting } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page, Sheet } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { CheckProgress, isRunning, useCheck, useChecks } from './checking.tsx'
import { RuleEditor } from './editor.tsx'
import { fixedPrice } from './fixed-price.ts'
import { OrderBar } from './order-bar.tsx'
import classes from './pricing.module.css'
import { type Reach, RuleList } from './rule-list.tsx'
import {
  isDefault,
  type NamedThings,
  type PricingRule,
  type RuleTab,
  TABS,
  useNamed,
  useRule,
  useRules,
} from './rules.ts'
import type { PricingSearch } from './search.ts'
import { addWords } from '../../words/add-words.ts'
import conditionsWords from '../../words/en/conditions.json'
import pricingWords from '../../words/en/pricing.json'
import { isOpen, OPERATION, type Operation } from '../../api/operations.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { useFormats } from '../../words/format.ts'

addWords({ conditions: conditionsWords, pricing: pricingWords })

/** Pricing rules, exclusion rules and assortment rules. Each change is previewed before it is saved. */
export function PricingPage() {
  const { t } = useTranslation(['pricing', 'shared'])
  const account = useAccount()
  const search = useSearch({ from: '/signed/$account/pricing' })
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const tab = search.tab ?? 'pricing-rules'
  const named = useNamed(account.id)
  const currency = useOwnCurrency(account.id)
  const go = (next: PricingSearch, isStep = true) =>
    void navigate({ to: '.', search: { tab: search.tab, ...next }, replace: !isStep, resetScroll: false })
  const saved = (operationId: number | null) => {
    if (operationId === null) showMessage(t('saving.ready'))
    go({ saving: operationId ?? undefined, product: search.product })
    void refresh()
  }
  const isEditing = search.new === true || search.open !== undefined
  return (
    <Page
      title={t('title')}
      lead={t(`lead.${tab}`)}
      {...(search.product !== undefined
        ? { above: { to: `/${account.id}/catalog/${search.product}`, label: t('aboveProduct') } }
        : isEditing
          ? { above: { to: `/${account.id}/pricing`, label: t('above') } }
          : {})}
      actions={
        !isEditing ? (
          <LinkButton to={`/${account.id}/pricing`} search={{ tab: search.tab, new: true }} variant="filled">
            {t(`new.${tab}`)}
          </LinkButton>
        ) : undefined
      }
    >
      {search.saving === undefined ? null : <Saving key={search.saving} operationId={search.saving} />}
      {isEditing ? (
        <OpenRule
          key={`${tab} ${search.open}`}
          tab={tab}
          search={search}
          named={named}
          currency={currency}
          go={go}
          saved={saved}
        />
      ) : (
        <Tabs
          value={tab}
          onChange={(value) =>
            void navigate({ to: '.', search: { tab: value === 'pricing-rules' ? undefined : (value as RuleTab) } })
          }
          keepMounted={false}
        >
          <TabList chosen={tab} mb="md" aria-label={t('title')}>
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`tabs.${name}`)}
              </Tabs.Tab>
            ))}
          </TabList>
          {TABS.map((name) => (
            <Tabs.Panel key={name} value={name}>
              <RulesOf tab={name} search={search} named={named} currency={currency} go={go} saved={saved} />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Page>
  )
}

interface PartProps {
  tab: RuleTab
  search: PricingSearch
  named: NamedThings
  currency: string
  go: (next: PricingSearch, isStep?: boolean) => void
  saved: (operationId: number | null) => void
}

function OpenRule({ tab, search, named, currency, go, saved }: PartProps) {
  const account = useAccount()
  const rule = useRule(account.id, tab, search.open)
  const { query: rulesQuery, rules } = useRules(account.id, tab)
  const navigate = useNavigate()
  const isFixedPrice = search.open === undefined && tab === 'pricing-rules' && search.product !== undefined
  // only the first value counts: afterwards the form keeps its own input
  const [checkId] = useState(search.check)
  const { check, error } = useCheck(checkId)
  const isDraftComing = checkId !== undefined && check === undefined && error === null
  if (rule.isError) return <ProblemNote error={rule.error} />
  if (isFixedPrice && rulesQuery.isError) return <ProblemNote error={rulesQuery.error} />
  if ((search.open !== undefined && rule.data === undefined) || isDraftComing || (isFixedPrice && rules === undefined))
    return <Waiting lines={8} />
  const isOurs = check?.change?.resource === tab && check.change.id === search.open
  return (
    <RuleEditor
      tab={tab}
      base={rule.data ?? null}
      begun={isFixedPrice ? fixedPrice(search, (rules ?? []) as PricingRule[]) : null}
      named={named}
      currency={currency}
      checkId={search.check}
      draft={isOurs && (check.change?.action === 'edit' || check.change?.action === 'create') ? check.change : null}
      setCheck={(id) => go({ open: search.open, new: search.new, product: search.product, check: id }, false)}
      saved={saved}
      close={() =>
        search.product === undefined ? go({}) : void navigate({ to: `/${account.id}/catalog/${search.product}` })
      }
    />
  )
}

function RulesOf({ tab, search, named, currency, go, saved }: PartProps) {
  const { t } = useTranslation(['pricing', 'shared'])
  const account = useAccount()
  const { query, rules = [] } = useRules(account.id, tab)
  const [order, setOrder] = useState<readonly number[] | null>(null)
  const reach = useReach(tab)
  const movable = rules.filter((rule) => !isDefault(rule))
  const isOther = order !== null && order.some((id, at) => movable[at]?.id !== id)
  const shown =
    order === null
      ? rules
      : [...order.flatMap((id) => rules.find((rule) => rule.id === id) ?? []), ...rules.filter(isDefault)]
  const isWhole = order === null || order.length === movable.length
  return (
    <>
      <Checks tab={tab} rules={rules} />
      <Sheet>
        <Loaded query={query}>
          {() => (
            <>
              {rules.length === 0 ? (
                <Empty
                  action={
                    <LinkButton to={`/${account.id}/pricing`} search={{ tab, new: true }}>
                      {t(`new.${tab}`)}
                    </LinkButton>
                  }
                >
                  {t(`none.${tab}`)}
                </Empty>
              ) : (
                <RuleList
                  tab={tab}
                  rules={isWhole ? shown : rules}
                  named={named}
                  currency={currency}
                  reach={reach}
                  reorder={movable.length > 1 ? setOrder : undefined}
                />
              )}
              {isOther && isWhole ? (
                <OrderBar
                  change={{ resource: tab, action: 'reorder', order: [...order] }}
                  checkId={search.check}
                  setCheck={(check) => go({ check }, false)}
                  undo={() => setOrder(null)}
                  saved={(operationId) => {
                    setOrder(null)
                    saved(operationId)
                  }}
                />
              ) : null}
            </>
          )}
        </Loaded>
      </Sheet>
    </>
  )
}

function useReach(tab: RuleTab): Reach | undefined {
  const { data } = useRead('GET /panel/api/accounts/{account_id}/rule-reach', { params: useAccountParams() })
  if (data === undefined) return undefined
  const { products, is_everything: isEverything, rules } = data.data
  const counts = new Map(rules[tab].map((entry) => [entry.id, entry.products]))
  return { products, isEverything, of: (id) => counts.get(id) ?? 0 }
}

/** Running previews over all products, for a person who has left the page in the meantime. */
function Checks({ tab, rules }: Pick<PartProps, 'tab'> & { rules: readonly { id: number; name: string }[] }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const account = useAccount()
  const running = useChecks().filter(({ state, change }) => isRunning(state) && change?.resource === tab)
  const nameOf = ({ change }: PreviewOperation) => {
    const body = change?.body as { name?: string } | undefined
    return rules.find(({ id }) => id === change?.id)?.name ?? body?.name ?? t(`tabs.${tab}`)
  }
  if (running.length === 0) return null
  return (
    <ul className={classes.rules}>
      {running.map((check) => (
        <li key={check.operation_id}>
          <strong>{t('check.running', { name: nameOf(check) })}</strong>
          <CheckProgress check={check} />
          {check.change?.action === 'reorder' || check.change?.action === 'delete' ? null : (
            <LinkButton
              size="xs"
              mb="md"
              to={`/${account.id}/pricing`}
              search={{
                tab,
                check: check.operation_id,
                ...(check.change?.id === undefined ? { new: true } : { open: check.change.id }),
              }}
            >
              {t('check.open')}
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  )
}

const LIVE_MS = 1_000

/** The progress of computing payloads after a change was saved, until all can be read. */
function Saving({ operationId }: { operationId: number }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const account = useAccount()
  const [isEnded, setEnded] = useState(false)
  const query = useRead(
    OPERATION,
    { accountId: account.id, params: { id: operationId } },
    isEnded ? {} : { everyMs: LIVE_MS },
  )
  const operation = query.data?.data as unknown as Operation | undefined
  const refresh = useRefreshAccount()
  // what was read while payloads were computed may be outdated
  useEffect(() => {
    if (isEnded) void refresh()
  }, [isEnded, refresh])
  if (operation === undefined) return null
  const hasEnded = !isOpen(operation)
  if (hasEnded !== isEnded) setEnded(hasEnded)
  if (operation.state === 'succeeded')
    return (
      <p className={classes.saving}>
        <StateMark tone="good">{t('saving.done', { count: operation.total ?? operation.done })}</StateMark>
      </p>
    )
  return (
    <div className={classes.progress}>
      <label>
        <span>{t('saving.progress', { done: format.number(operation.done), count: operation.total ?? 0 })}</span>
        <progress max={Math.max(1, operation.total ?? 1)} value={operation.done} />
      </label>
    </div>
  )
}
