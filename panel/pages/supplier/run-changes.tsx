import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useProductNames } from '../../api/product-names.ts'
import { useReadPages } from '../../api/read-pages.ts'
import type { RunDetails } from '../../api/runs.ts'
import { LinkButton } from '../../components/link-button.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Section } from '../../components/page.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { KeyAndName } from '../../resources/product-line.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './supplier.module.css'

const CHANGES = 'GET /panel/api/accounts/{account_id}/runs/{run_id}/changes'
type Change = Answer<typeof CHANGES>['data'][number]
type Figures = NonNullable<Change['now']>

const TONES: Readonly<Record<Change['kind'], Tone>> = { created: 'good', changed: 'busy', zeroed: 'warn', left: 'off' }
const PER_PAGE = 100

/** Offers that a run changed: before the run, and now. */
export function RunChanges({ run, code }: { run: RunDetails; code: string }) {
  const { t } = useTranslation(['runs', 'resources'])
  const account = useAccount()
  const navigate = useNavigate()
  const { open } = useSearch({ from: '/signed/$account/suppliers/$supplier/runs/$run' })
  const show = (sku: string | undefined) =>
    void navigate({ to: '.', search: { open: sku }, replace: sku === undefined, resetScroll: false })
  const params = { ...useAccountParams(), run_id: run.id }
  const { rows, query } = useReadPages(CHANGES, { params, query: { per_page: PER_PAGE } })
  const opened = rows?.find(({ sku }) => sku === open)
  const find = useProductNames(
    account.id,
    (rows ?? []).flatMap(({ product_id: id }) => (id === null ? [] : [id])),
  )
  const keyAndName = ({ sku, product_id: id }: Change) => (
    <KeyAndName sku={sku} id={id} found={id === null ? undefined : find(id)} />
  )
  const columns: Column<Change>[] = [
    { id: 'sku', title: t('changes.sku'), width: '34%', cell: (change) => keyAndName(change) },
    {
      id: 'kind',
      title: t('changes.kind'),
      width: '20%',
      isWide: true,
      cell: ({ kind }) => <StateMark tone={TONES[kind]}>{t(`changes.kinds.${kind}`)}</StateMark>,
    },
    { id: 'cost', title: t('changes.cost'), isWide: true, cell: (change) => <Cost change={change} /> },
    {
      id: 'quantity',
      title: t('changes.quantity'),
      width: '18%',
      isWide: true,
      cell: (change) => <Quantity change={change} />,
    },
    {
      id: 'fields',
      isShownFor: (changes) => changes.some(({ fields }) => fields.length > 0),
      title: t('changes.fields'),
      width: '18%',
      isWide: true,
      cell: ({ fields }) => (fields.length === 0 ? '–' : t('changes.fieldCount', { count: fields.length })),
    },
  ]
  if (rows?.length === 0) return null
  return (
    <Section title={t('changes.title')} note={t('changes.note')} isFlush>
      <ReadList
        query={query}
        rows={rows}
        label={t('changes.title')}
        columns={columns}
        keyOf={({ sku }) => sku}
        open={({ sku }) => show(sku)}
        openKey={open ?? null}
        isTwoLined
        phoneLine={(change) => (
          <>
            {t(`changes.kinds.${change.kind}`)} · <Quantity change={change} />
          </>
        )}
        empty={null}
        more={t('resources:more')}
        lines={6}
        isInSection
        isReadOn
      />
      {opened === undefined ? null : (
        <SidePanel title={opened.sku} close={() => show(undefined)}>
          <p className={classes.sentence}>
            <StateMark tone={TONES[opened.kind]}>{t(`changes.kinds.${opened.kind}`)}</StateMark>
          </p>
          <p className={classes.advice}>{t(`changes.means.${opened.kind}`)}</p>
          <Comparison change={opened} />
          <div className={classes.buttons}>
            {opened.product_id === null ? null : (
              <LinkButton to={`/${account.id}/catalog/${opened.product_id}`}>{t('changes.product')}</LinkButton>
            )}
            <LinkButton to={`/${account.id}/suppliers/${code}/runs/${run.id}`} onClick={() => show(undefined)}>
              {t('changes.back')}
            </LinkButton>
          </div>
        </SidePanel>
      )}
    </Section>
  )
}

function Comparison({ change }: { change: Change }) {
  const { t, i18n } = useTranslation(['runs', 'resources'])
  /** The name of a field with its language, or with the key of its attribute. */
  const nameOf = (name: string) => {
    const [first = '', ...rest] = name.split('.')
    const key = `resources:fields.${first === 'eans' ? 'ean' : first}`
    const field = i18n.exists(key) ? t(key as 'resources:fields.title') : first
    return rest.length === 0 ? field : t('changes.inLanguage', { field, locale: rest.join('.') })
  }
  const { before, now, fields } = change
  const money = useMoney()
  const format = useFormats()
  const pieces = (figures: Figures | null) => (figures === null ? '–' : format.number(figures.quantity))
  const rows: [string, string, string][] = [
    [t('changes.cost'), money(before), money(now)],
    [t('changes.quantity'), pieces(before), pieces(now)],
    ...fields.map((field): [string, string, string] => [nameOf(field.name), field.before ?? '–', field.now ?? '–']),
  ]
  return (
    <table className={`${classes.table} ${classes.compared}`}>
      <thead>
        <tr>
          <th scope="col">{t('changes.field')}</th>
          <th scope="col">{t('changes.before')}</th>
          <th scope="col">{t('changes.now')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, was, is]) => (
          <tr key={name}>
            <td>{name}</td>
            <td dir="auto" className={classes.quiet}>
              {was}
            </td>
            <td dir="auto">{is}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useMoney(): (figures: Figures | null) => string {
  const format = useFormats()
  return (figures) => (figures === null || figures.cost === null ? '–' : format.money(figures.cost, figures.currency))
}

function Cost({ change: { before, now } }: { change: Change }) {
  const money = useMoney()
  return <Move before={before === null ? null : money(before)} now={money(now)} />
}

function Quantity({ change: { before, now } }: { change: Change }) {
  const format = useFormats()
  const shown = (figures: Figures | null) => (figures === null ? '–' : format.number(figures.quantity))
  return <Move before={before === null ? null : shown(before)} now={shown(now)} />
}

/** The old value, and the new one if it differs. */
function Move({ before, now }: { before: string | null; now: string }) {
  const { t } = useTranslation('runs')
  if (before === null || before === now) return <span className={classes.move}>{now}</span>
  return (
    <span className={classes.move}>
      <span className={classes.quiet}>{before}</span> <span aria-label={t('changes.becomes')}>→</span> {now}
    </span>
  )
}
