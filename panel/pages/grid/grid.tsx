import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnMenu } from '../../components/column-menu.tsx'
import { Empty, Waiting } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page, Sheet as Surface } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { isSamePage, Unsaved } from '../../components/unsaved.ts'
import { useAccount } from '../../session/account.ts'
import { useSession } from '../../session/session.ts'
import { useFormats } from '../../words/format.ts'
import { COLUMNS_MAX, useGridColumns } from './columns.ts'
import { draftsKey, useDrafts, useKeeping } from './drafts.ts'
import { FillDialog } from './fill-dialog.tsx'
import { FillProgress } from './fill-progress.tsx'
import classes from './grid.module.css'
import { Inspector } from './inspector.tsx'
import { KeysHelp } from './keys-help.tsx'
import { SaveBar } from './save-bar.tsx'
import { type GridSearch, wantedOf } from './search.ts'
import { Sheet } from './sheet.tsx'
import { partsOf, type Range, type SheetState } from './sheet-state.ts'
import { useActions } from './use-actions.ts'
import { type Chosen, rangeOf, type SheetActions } from './use-cells.ts'
import { useFill } from './use-fill.ts'
import { useSaving } from './use-saving.ts'
import { type Loading, ROWS_MAX, useSheet } from './use-sheet.ts'
import { addWords } from '../../words/add-words.ts'
import gridWords from '../../words/en/grid.json'
import '../../words/resources.ts'

addWords({ grid: gridWords })

/** Edits many products at once, as in a spreadsheet. */
export function GridPage() {
  const search = useSearch({ from: '/signed/$account/catalog/grid' })
  const { columns: _columns, ...products } = search
  // the key makes a new grid for other products
  return <Grid key={JSON.stringify(products)} products={JSON.stringify(products)} search={search} />
}

function Grid({ products, search }: { products: string; search: GridSearch }) {
  const { t } = useTranslation('grid')
  const account = useAccount()
  const session = useSession()
  const navigate = useNavigate()
  const wanted = useMemo(() => wantedOf(JSON.parse(products) as GridSearch), [products])
  const { all, shown: columns, isReady, hasPriceList, error: columnsError } = useGridColumns(search.columns)
  const keptAs = draftsKey(session.person.id, account.id, products)
  const { state, loading, retry } = useSheet(account.id, wanted, columns, isReady, useDrafts(keptAs))
  const version = useSyncExternalStore(state.subscribe, state.getVersion)
  const { saving, save, stop, undoSave } = useSaving(account.id, state)
  const [chosen, choose] = useState<Chosen>({ from: { row: 0, column: 0 }, at: { row: 0, column: 0 } })
  const [said, setSaid] = useState('')
  const [isHelpOpen, setHelpOpen] = useState(false)
  const saveNow = () => void save()
  const actions = useActions(state, columns, setSaid, saveNow)
  const fill = useFill(account.id, wanted, state, columns, loading, actions, setSaid)
  const isKept = useKeeping(keptAs, state, version, loading.isDone)
  const works = { ...actions, fillDown: fill.fillDown, reset: fill.reset }
  const drafts = state.drafts.size
  const total = Math.min(loading.total ?? state.rows.length, ROWS_MAX)
  const toggleColumn = (name: string) => {
    const next = all.filter((column) => (column.name === name) !== columns.includes(column))
    // without columns there would be no cells to choose
    if (next.length === 0) return
    const names = next.map((column) => column.name).join(',')
    void navigate({
      to: '.',
      search: (before: GridSearch) => ({ ...before, columns: names }),
      replace: true,
      resetScroll: false,
    })
  }
  const error = columnsError ?? loading.error
  const row = state.rows[chosen.at.row]
  const range = rangeOf(chosen)
  return (
    <Page
      title={t('title')}
      width="full"
      lead={t('lead')}
      above={{ to: `/${account.id}/catalog`, label: t('above') }}
      actions={
        <>
          <Button variant="default" onClick={() => setHelpOpen(true)}>
            {t('keys.show')}
          </Button>
          <ColumnMenu columns={all} shown={columns.map(({ name }) => name)} max={COLUMNS_MAX} toggle={toggleColumn} />
        </>
      }
    >
      {error === null || error === undefined ? null : <ProblemNote error={error} retry={retry} />}
      <Bar state={state} loading={loading} hasPriceList={hasPriceList} actions={works} range={range} />
      {fill.pending ? (
        <section className={classes.fillState} aria-label={t('fill.pending')}>
          <StateMark tone="busy">{t('fill.pending')}</StateMark>
          <Button size="compact-sm" variant="default" onClick={fill.cancel}>
            {t('saving.stop')}
          </Button>
        </section>
      ) : null}
      {fill.begun === null ? null : (
        <FillProgress
          key={fill.begun.operationIds.join(' ')}
          accountId={account.id}
          state={state}
          {...fill.begun}
          forget={fill.forget}
        />
      )}
      {state.rows.length > 0 && columns.length > 0 ? (
        <>
          <Inspector state={state} row={row} column={columns[chosen.at.column]} />
          <Sheet
            state={state}
            columns={columns}
            total={Math.max(total, state.rows.length)}
            chosen={chosen}
            choose={choose}
            actions={works}
          />
        </>
      ) : loading.isDone ? (
        <Surface>
          <Empty action={<LinkButton to={`/${account.id}/catalog`}>{t('above')}</LinkButton>}>{t('none')}</Empty>
        </Surface>
      ) : error === null || error === undefined ? (
        <Surface>
          <Waiting lines={12} />
        </Surface>
      ) : null}
      <SaveBar
        saving={saving}
        drafts={drafts}
        jumps={state.jumps}
        confirmJumps={() => {
          state.confirmJumps()
          saveNow()
        }}
        save={saveNow}
        stop={stop}
        undoSave={() => void undoSave()}
        discard={() => {
          state.write([...state.drafts].map(([key]) => ({ ...partsOf(key), value: ownOf(key) })))
          setSaid(t('discarded'))
        }}
      />
      <div role="status" className={classes.said}>
        {said}
      </div>
      {fill.asked === null ? null : <FillDialog fill={fill} asked={fill.asked} />}
      {isHelpOpen ? <KeysHelp close={() => setHelpOpen(false)} /> : null}
      <Unsaved
        when={drafts > 0 || saving.isRunning}
        stays={isSamePage}
        question={{
          title: t('leave.title', { count: drafts }),
          text: t(isKept ? 'leave.text' : 'leave.lost'),
          lose: t('leave.go'),
          stay: t('leave.stay'),
        }}
      />
    </Page>
  )

  function ownOf(key: string) {
    const { id, column } = partsOf(key)
    return state.cell(id, column).own
  }
}

/** The number of rows, and the actions on chosen cells. */
function Bar({
  state,
  loading,
  hasPriceList,
  actions,
  range,
}: {
  state: SheetState
  loading: Loading
  hasPriceList: boolean | undefined
  actions: SheetActions
  range: Range
}) {
  const { t } = useTranslation('grid')
  const account = useAccount()
  const format = useFormats()
  return (
    <div className={classes.bar}>
      <p className={classes.count} role="status">
        {loading.isDone
          ? loading.isCut
            ? t('cut', { max: format.number(ROWS_MAX) })
            : t('shown', { count: state.rows.length })
          : t('loading', { count: state.rows.length })}
      </p>
      {hasPriceList === false ? (
        <Link
          className={classes.hint}
          to="/$account/price-lists"
          params={{ account: String(account.id) }}
          search={{ new: true } as never}
        >
          {t('makePriceList')}
        </Link>
      ) : null}
      <Button size="compact-sm" variant="default" disabled={!state.canUndo} onClick={actions.undo}>
        {t('undo')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={!state.canRedo} onClick={actions.redo}>
        {t('redo')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={state.rows.length === 0}
        onClick={() => actions.fillDown(range)}
      >
        {t('fillDown')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={state.rows.length === 0}
        onClick={() => actions.reset(range)}
      >
        {t('reset')}
      </Button>
    </div>
  )
}
