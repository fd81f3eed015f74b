import { useTranslation } from 'react-i18next'
import { Empty } from '../../components/empty.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'

type Store = Overview['stores'][number]
const REASONS_SHOWN = 3

/** Products of each store, and why some are excluded. */
export function Stores({ stores, countedAt }: { stores: readonly Store[]; countedAt: string }) {
  const { t } = useTranslation('overview')
  const format = useFormats()
  const reasonWords = useReasonWords()
  const reasons = (store: Store) =>
    store.excluded_by_reason
      .slice(0, REASONS_SHOWN)
      .map(({ reason, products }) => `${reasonWords(reason)} ${format.number(products)}`)
      .join(', ')
  const columns: Column<Store>[] = [
    {
      id: 'name',
      title: t('stores.name'),
      width: '30%',
      sortBy: (store) => store.name.toLowerCase(),
      cell: (store) => (
        <>
          <span dir="auto">{store.name}</span>
          {store.is_active ? null : <span className={classes.reasons}> · {t('stores.inactive')}</span>}
        </>
      ),
    },
    {
      id: 'products',
      title: t('stores.products'),
      width: '15%',
      isNumber: true,
      sortBy: (store) => store.products,
      cell: (store) => format.number(store.products),
    },
    {
      id: 'excluded',
      title: t('stores.excluded'),
      width: '15%',
      isNumber: true,
      sortBy: (store) => store.excluded,
      cell: (store) => format.number(store.excluded),
    },
    {
      id: 'reasons',
      title: t('stores.reasons'),
      isWide: true,
      cell: (store) => (
        <span className={classes.reasons} title={reasons(store)}>
          {reasons(store)}
        </span>
      ),
    },
  ]
  return (
    <Section
      title={t('stores.title')}
      note={
        <>
          {t('stores.counted')} <When at={countedAt} />
        </>
      }
      isFlush
    >
      <List
        label={t('stores.title')}
        columns={columns}
        rows={stores}
        keyOf={(store) => store.id}
        phoneLine={reasons}
        empty={<Empty>{t('stores.none')}</Empty>}
      />
    </Section>
  )
}
